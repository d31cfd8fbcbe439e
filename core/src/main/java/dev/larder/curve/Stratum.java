package dev.larder.curve;

/**
 * What a {@link MissRatioCurve} has counted of a part of the keys: accesses, and at which sizes
 * they would have been hits. Not thread-safe.
 */
final class Stratum {
  /** Steps of sizes for each doubling. */
  private static final int STEPS = 8;

  private static final int LEAST_SHIFT = 10;

  /** How many steps of sizes there are. */
  static final int SIZES = (44 - LEAST_SHIFT) * STEPS;

  private static final long[] BYTES = sizes();

  private final AccessHistory bytes;

  /** How many accesses would have been hits at a size of the step, and at none below. */
  private final double[] hits = new double[SIZES + 1];

  private double firsts;
  private double repeats;

  /** Creates what has counted nothing, of keys whose last accesses have so many positions. */
  Stratum(int positions) {
    bytes = new AccessHistory(positions);
  }

  /** Returns the bytes of the keys by the position of their last access. */
  AccessHistory bytes() {
    return bytes;
  }

  /** Notes that a key was asked for that was not before. */
  void first() {
    firsts++;
  }

  /**
   * Notes that a key was asked for again.
   *
   * @param size how many bytes a cache must hold for that to be a hit
   */
  void repeated(long size) {
    repeats++;
    hits[step(size)]++;
  }

  /** Returns how many {@linkplain #first firsts} there were, halved as often as the keys were. */
  double firsts() {
    return firsts;
  }

  /** Returns how often a key was asked for again, halved as often as the keys were. */
  double repeats() {
    return repeats;
  }

  /** Returns how many of these a cache of so many bytes would have hit. */
  double hits(long maxBytes) {
    double sum = 0;
    long below = 0;
    for (int step = 0; step < SIZES; step++) {
      long size = BYTES[step];
      if (size > maxBytes) {
        return sum + hits[step] * Math.max(0, maxBytes - below) / (size - below);
      }
      sum += hits[step];
      below = size;
    }
    return sum;
  }

  /** Halves what was counted, because half as many keys stand for as many as before. */
  void halve() {
    for (int i = 0; i <= SIZES; i++) {
      hits[i] /= 2;
    }
    firsts /= 2;
    repeats /= 2;
  }

  /** Returns the first step that holds so many bytes, or one more than there are. */
  private static int step(long size) {
    double doublings = Math.log(Math.max(1.0, (double) size)) / Math.log(2) - LEAST_SHIFT;
    return (int) Math.max(0, Math.min(SIZES, Math.ceil(doublings * STEPS)));
  }

  /** Returns the size of a step, in bytes. */
  static long bytesAt(int step) {
    return BYTES[step];
  }

  private static long[] sizes() {
    long[] sizes = new long[SIZES];
    for (int step = 0; step < SIZES; step++) {
      sizes[step] = (long) Math.ceil(Math.pow(2, LEAST_SHIFT + step / (double) STEPS));
    }
    return sizes;
  }
}
