package dev.larder.examples.demo;

/**
 * How often which duration occurred, to within 1 / 32 of the duration. For one thread; add them up
 * afterwards.
 */
final class Latencies {
  private static final int STEPS = 32;

  private final long[] counts = new long[STEPS * 60];
  private long total;

  void add(long nanos) {
    counts[bucket(Math.max(nanos, 1))]++;
    total++;
  }

  void add(Latencies other) {
    for (int i = 0; i < counts.length; i++) {
      counts[i] += other.counts[i];
    }
    total += other.total;
  }

  long total() {
    return total;
  }

  /**
   * Returns the duration that {@code share} of all were not longer than; 0 where there are none.
   */
  long quantileNanos(double share) {
    long rank = (long) Math.ceil(share * total);
    long seen = 0;
    for (int i = 0; i < counts.length; i++) {
      seen += counts[i];
      if (seen >= rank && seen > 0) {
        return middle(i);
      }
    }
    return 0;
  }

  private static int bucket(long nanos) {
    if (nanos < STEPS) {
      return (int) nanos;
    }
    int power = 63 - Long.numberOfLeadingZeros(nanos);
    return (power - 4) * STEPS + (int) (nanos >>> (power - 5)) - STEPS;
  }

  private static long middle(int bucket) {
    if (bucket < STEPS) {
      return bucket;
    }
    int power = bucket / STEPS + 4;
    long width = 1L << (power - 5);
    return (bucket % STEPS + STEPS) * width + width / 2;
  }
}
