package dev.larder.memcached;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;

/** How long reads take, while somebody wants to know. Thread-safe. */
final class ReadTimes {
  private volatile ConcurrentLinkedQueue<Long> nanos = new ConcurrentLinkedQueue<>();
  private volatile boolean measuring;

  /** Measures from now on. */
  void begin() {
    nanos = new ConcurrentLinkedQueue<>();
    measuring = true;
  }

  /** Counts a read, if reads are measured. */
  void add(long took) {
    if (measuring) {
      nanos.add(took);
    }
  }

  /** Ends measuring, and returns the figures as text. */
  String end() {
    measuring = false;
    long[] sorted = nanos.stream().mapToLong(Long::longValue).sorted().toArray();
    return "%d reads, median %d µs, p99 %d µs, longest %d µs"
        .formatted(sorted.length, at(sorted, 0.5), at(sorted, 0.99), at(sorted, 1.0));
  }

  private static long at(long[] sorted, double share) {
    int index = (int) Math.min(sorted.length - 1, Math.floor(share * sorted.length));
    return sorted.length == 0 ? 0 : TimeUnit.NANOSECONDS.toMicros(sorted[index]);
  }
}
