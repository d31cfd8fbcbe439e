package dev.larder.engine;

import dev.larder.sql.BypassReason;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** Counts the bypasses of one cache by their reasons. Thread-safe. */
final class BypassCounts {
  /** Never changed once it is made, so that threads may share it. */
  private final Map<BypassReason, LongAdder> counts = new EnumMap<>(BypassReason.class);

  BypassCounts() {
    for (BypassReason reason : BypassReason.values()) {
      counts.put(reason, new LongAdder());
    }
  }

  void add(BypassReason reason) {
    LongAdder count = counts.get(reason);
    if (count != null) {
      count.increment();
    }
  }

  /** Returns the counts, those that are zero included. */
  Map<BypassReason, Long> byReason() {
    Map<BypassReason, Long> sums = new EnumMap<>(BypassReason.class);
    counts.forEach((reason, count) -> sums.put(reason, count.sum()));
    return sums;
  }

  void reset() {
    counts.values().forEach(LongAdder::reset);
  }
}
