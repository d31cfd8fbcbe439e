package dev.larder.engine;

import dev.larder.QueryCacheConfig;
import dev.larder.catalog.ResolvedStatement;
import dev.larder.sql.BypassReason;
import dev.larder.sql.QueryHints;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the configuration makes of a resolved statement: cached or not, and for how long. Immutable
 * and thread-safe.
 */
final class CachePolicy {
  private final QueryCacheConfig config;

  CachePolicy(QueryCacheConfig config) {
    this.config = config;
  }

  @Nullable BypassReason bypass(ResolvedStatement statement, QueryHints hints) {
    if (statement.bypass() != null) {
      return statement.bypass();
    }
    boolean anyIncluded = !config.includedTables().isEmpty();
    boolean allIncluded = anyIncluded;
    for (String table : statement.tables()) {
      if (config.excludes(schema(table), name(table))) {
        return BypassReason.EXCLUDED_TABLE;
      }
      allIncluded &= config.includes(schema(table), name(table));
    }
    if (config.mode() == QueryCacheConfig.Mode.DEMAND) {
      return allIncluded || hints.caching() == QueryHints.Caching.ON
          ? null
          : BypassReason.NOT_ON_DEMAND;
    }
    return allIncluded || !anyIncluded ? null : BypassReason.EXCLUDED_TABLE;
  }

  long timeToLiveNanos(ResolvedStatement statement, QueryHints hints) {
    long nanos = config.timeToLive().map(CachePolicy::nanos).orElse(Long.MAX_VALUE);
    for (String table : statement.tables()) {
      Optional<Duration> limit = config.timeToLive(schema(table), name(table));
      nanos = Math.min(nanos, limit.map(CachePolicy::nanos).orElse(Long.MAX_VALUE));
    }
    Duration hinted = hints.timeToLive();
    return hinted == null ? nanos : Math.min(nanos, nanos(hinted));
  }

  /** Durations beyond what nanoseconds can hold are for ever. */
  private static long nanos(Duration age) {
    return age.compareTo(Duration.ofDays(36_500)) > 0 ? Long.MAX_VALUE : age.toNanos();
  }

  private static String schema(String qualifiedName) {
    return qualifiedName.substring(0, qualifiedName.indexOf('.'));
  }

  private static String name(String qualifiedName) {
    return qualifiedName.substring(qualifiedName.indexOf('.') + 1);
  }
}
