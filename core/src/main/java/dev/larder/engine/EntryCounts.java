package dev.larder.engine;

import java.util.concurrent.atomic.LongAdder;

/** Counts the entries of one cache, what they weigh, and why they went. Thread-safe. */
final class EntryCounts {
  private final LongAdder entries = new LongAdder();
  private final LongAdder bytes = new LongAdder();
  private final LongAdder invalidations = new LongAdder();
  private final LongAdder evictions = new LongAdder();
  private final LongAdder expirations = new LongAdder();

  void admitted(long weightBytes) {
    entries.increment();
    bytes.add(weightBytes);
  }

  void evicted(long weightBytes) {
    evictions.increment();
    dropped(weightBytes);
  }

  void expired(long weightBytes) {
    expirations.increment();
    dropped(weightBytes);
  }

  void dropped(long weightBytes) {
    entries.decrement();
    bytes.add(-weightBytes);
  }

  /** A reader found an entry whose tables were written. */
  void invalidated() {
    invalidations.increment();
  }

  long entries() {
    return entries.sum();
  }

  long bytes() {
    return bytes.sum();
  }

  long invalidations() {
    return invalidations.sum();
  }

  long evictions() {
    return evictions.sum();
  }

  long expirations() {
    return expirations.sum();
  }

  /** Sets what was counted to zero; the entries that live stay counted. */
  void resetStatistics() {
    invalidations.reset();
    evictions.reset();
    expirations.reset();
  }
}
