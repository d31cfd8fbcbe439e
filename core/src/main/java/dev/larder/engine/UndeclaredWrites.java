package dev.larder.engine;

import dev.larder.catalog.CatalogVersion;
import dev.larder.resolve.Undeclared;
import dev.larder.store.SessionFingerprint;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;

/**
 * Tells the log which trigger or function it was that emptied a cache, and what to declare: each at
 * most once in ten minutes. Looks at most once a second, and only while there is something to
 * empty. Thread-safe.
 */
final class UndeclaredWrites {
  private final QueryCache cache;
  private final QuietPeriods<String> looks = new QuietPeriods<>(Duration.ofSeconds(1));
  private final QuietPeriods<String> reports = new QuietPeriods<>(Duration.ofMinutes(10));

  UndeclaredWrites(QueryCache cache) {
    this.cache = cache;
  }

  /** Notes that {@code plan} is about to be sent, and may write anything. */
  void sending(Plan plan, SessionFingerprint session) {
    if (cache.entryCounts().entries() == 0 || !looks.isDue("", System.nanoTime())) {
      return;
    }
    CatalogVersion catalog = cache.database().catalog().current();
    Undeclared found =
        catalog == null
            ? null
            : cache
                .resolutions()
                .resolver(catalog, session, Set.of())
                .undeclared(plan.shape().analysis());
    long results = found == null ? 0 : results();
    if (found != null && results > 0 && reports.isDue(found.culprit(), System.nanoTime())) {
      CacheLog.undeclared(found, results);
    }
  }

  /** How many results there are that could still be used. */
  @SuppressWarnings("ReferenceEquality") // Owners have no other equality.
  private long results() {
    LongAdder results = new LongAdder();
    cache
        .store()
        .forEach(
            (key, entry) -> {
              if (entry.owner() == cache && !entry.isSuperseded()) {
                results.increment();
              }
            });
    return results.sum();
  }
}
