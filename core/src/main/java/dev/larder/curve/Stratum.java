package dev.larder.curve;

/**
 * Counts the accesses of a part of the keys, and the sizes at which they are hits. Not thread-safe.
 */
final class Stratum {
  private static final int STEPS = 8;

  private static final int LEAST_SHIFT = 10;

  static final int SIZES = (44 - LEAST_SHIFT) * STEPS;

  private static final long[] BYTES = sizes();

  private final AccessHistory bytes;

  /** How many accesses are hits from the size of the step on. */
  private final double[] hits = new double[SIZES + 1];

  private double firsts;
  private double repeats;

  /** Creates an empty stratum for keys seen in the last {@code positions} accesses. */
  Stratum(int positions) {
    bytes = new AccessHistory(positions);
  }

  AccessHistory bytes() {
    return bytes;
  }

  void first() {
    firsts++;
  }

  void repeated(long size) {
    repeats++;
    hits[step(size)]++;
  }

  /** Returns how many first accesses there were, halved as often as the keys were. */
  double firsts() {
    return firsts;
  }

  /** Returns how many other accesses there were, halved as often as the keys were. */
  double repeats() {
    return repeats;
  }

  /** Returns how many of the repeats are hits in a cache of so many bytes. */
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

  /** Halves the counts, because half of the keys stand for all from now on. */
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
