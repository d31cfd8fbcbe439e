package dev.larder.engine;

/**
 * What a {@link HitCurve} has counted of a part of the keys: accesses, and at which sizes they
 * would have been hits. Not thread-safe.
 */
final class Stratum {
  /** Steps of sizes for each doubling. */
  private static final int STEPS = 8;

  private static final int LEAST_SHIFT = 10;

  /** How many steps of sizes there are. */
  static final int SIZES = (44 - LEAST_SHIFT) * STEPS;

  private final AccessHistory bytes;

  /** How many accesses would have been hits at a size of the step, and at none below. */
  private final double[] hits = new double[SIZES + 1];

  private double accesses;

  /** Creates what has counted nothing, of keys whose last accesses have so many positions. */
  Stratum(int positions) {
    bytes = new AccessHistory(positions);
  }

  /** Returns the bytes of the keys by the position of their last access. */
  AccessHistory bytes() {
    return bytes;
  }

  /** Returns how many accesses there were, halved as often as the keys were. */
  double accesses() {
    return accesses;
  }

  void accessed() {
    accesses++;
  }

  /** Notes that an access would have been a hit of a cache that holds {@code size} bytes. */
  void hit(long size) {
    hits[step(size)]++;
  }

  /** Returns how many of the accesses a cache of so many bytes would have hit. */
  double hits(long maxBytes) {
    double sum = 0;
    for (int step = 0; step <= SIZES && bytesAt(step) <= maxBytes; step++) {
      sum += hits[step];
    }
    return sum;
  }

  /** Halves what was counted, because half as many keys stand for as many as before. */
  void halve() {
    for (int i = 0; i <= SIZES; i++) {
      hits[i] /= 2;
    }
    accesses /= 2;
  }

  /** Returns the first step that holds so many bytes. */
  private static int step(long size) {
    double doublings = Math.log(Math.max(1.0, (double) size)) / Math.log(2) - LEAST_SHIFT;
    return (int) Math.max(0, Math.min(SIZES, Math.ceil(doublings * STEPS)));
  }

  /** Returns the size of a step, in bytes. */
  static long bytesAt(int step) {
    return (long) Math.ceil(Math.pow(2, LEAST_SHIFT + step / (double) STEPS));
  }
}
