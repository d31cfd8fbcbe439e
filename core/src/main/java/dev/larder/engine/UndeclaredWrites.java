package dev.larder.engine;

import dev.larder.catalog.CatalogVersion;
import dev.larder.log.CacheLog;
import dev.larder.log.QuietPeriods;
import dev.larder.resolve.Undeclared;
import dev.larder.store.SessionFingerprint;
import java.time.Duration;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;

/**
 * Tells the log which trigger or function has emptied a cache, and what to declare: each at most
 * once in ten minutes. Looks at most once a second, and only where there are entries. Thread-safe.
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
      CacheLog.always(
          CacheLog.Trouble.UNDECLARED,
          String.format(
              Locale.ROOT,
              "%s emptied %,d results: %s. Declare %s if that is all it writes.",
              found.statement(),
              results,
              found.culprit(),
              found.declaration()));
    }
  }

  /** How many results there are that could still be used. */
  private long results() {
    LongAdder results = new LongAdder();
    cache.forEachEntry((key, entry) -> results.add(entry.isSuperseded() ? 0 : 1));
    return results.sum();
  }
}
