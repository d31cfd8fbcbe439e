package dev.larder.log;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Lets each kind of event through at most once in a period. Thread-safe: of callers at one moment
 * one is let through.
 */
public final class QuietPeriods<K> {
  private final Map<K, Long> last = new ConcurrentHashMap<>();
  private final long periodNanos;

  /** Lets everything through that is the first of its kind. */
  public QuietPeriods(Duration period) {
    this.periodNanos = period.toNanos();
  }

  /**
   * Returns whether the last event of {@code kind} that was let through is a period or more ago.
   *
   * @param nowNanos of a clock that never goes back, as {@link System#nanoTime}
   */
  public boolean isDue(K kind, long nowNanos) {
    Long before = last.get(kind);
    if (before == null) {
      return last.putIfAbsent(kind, nowNanos) == null;
    }
    return nowNanos - before >= periodNanos && last.replace(kind, before, nowNanos);
  }
}
