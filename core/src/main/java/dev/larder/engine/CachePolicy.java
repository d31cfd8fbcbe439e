package dev.larder.engine;

import dev.larder.CacheOptions;
import dev.larder.QueryCacheConfig;
import dev.larder.bypass.BypassReason;
import dev.larder.resolve.ResolvedStatement;
import dev.larder.sql.QueryHints;
import dev.larder.watch.DatabaseControls;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the configuration and the database's own settings make of a resolved statement: cached or
 * not, and for how long. Immutable and thread-safe.
 */
final class CachePolicy {
  private static final Set<String> ON = Set.of("on", "true", "yes", "1");

  private final QueryCacheConfig config;
  private final boolean off;

  private final Set<String> demoted;

  private CachePolicy(QueryCacheConfig config, boolean off, Set<String> demoted) {
    this.config = config;
    this.off = off;
    this.demoted = demoted;
  }

  /**
   * Returns the policy of a cache in a database.
   *
   * @param controls the database's own: {@code larder.enabled}, {@code larder.tables.exclude} and
   *     the rows of {@code larder_control} switch off what the configuration has on, never on what
   *     it has off; a setting that cannot be understood switches everything off, a row that cannot
   *     is ignored, and both are reported
   * @param demoted the tables that others write, {@code schema.table}
   */
  static CachePolicy of(QueryCacheConfig config, DatabaseControls controls, Set<String> demoted) {
    Map<String, String> settings = controls.settings();
    ControlRows rows = ControlRows.of(config, controls);
    boolean off =
        rows.off()
            || !ON.contains(settings.getOrDefault("larder.enabled", "on").toLowerCase(Locale.ROOT));
    QueryCacheConfig effective = rows.config();
    List<String> excluded =
        Arrays.stream(settings.getOrDefault("larder.tables.exclude", "").split(",", -1))
            .map(String::strip)
            .filter(pattern -> !pattern.isEmpty())
            .toList();
    try {
      effective = effective.excluding(excluded);
    } catch (IllegalArgumentException e) {
      off = true;
      CacheLog.trouble(CacheLog.Trouble.DATABASE_SETTING, String.valueOf(e.getMessage()));
    }
    if (!rows.ignored().isEmpty()) {
      CacheLog.trouble(CacheLog.Trouble.CONTROL, String.join("; ", rows.ignored()));
    }
    return new CachePolicy(effective, off, demoted);
  }

  /** Returns whether the database has switched everything off. */
  boolean off() {
    return off;
  }

  @Nullable BypassReason bypass(ResolvedStatement statement, QueryHints hints) {
    if (off) {
      return BypassReason.DISABLED;
    }
    if (statement.bypass() != null) {
      return statement.bypass();
    }
    boolean anyIncluded = !config.get(CacheOptions.TABLES_INCLUDE).isEmpty();
    boolean allIncluded = anyIncluded;
    for (String table : statement.tables()) {
      if (config.excludes(schema(table), name(table))) {
        return BypassReason.EXCLUDED_TABLE;
      }
      if (demoted.contains(table)
          && config.get(CacheOptions.RADAR) == QueryCacheConfig.Radar.BYPASS) {
        return BypassReason.FOREIGN_WRITES;
      }
      allIncluded &= config.includes(schema(table), name(table));
    }
    if (config.get(CacheOptions.MODE) == QueryCacheConfig.Mode.DEMAND) {
      return allIncluded || hints.caching() == QueryHints.Caching.ON
          ? null
          : BypassReason.NOT_ON_DEMAND;
    }
    return allIncluded || !anyIncluded ? null : BypassReason.EXCLUDED_TABLE;
  }

  long timeToLiveNanos(ResolvedStatement statement, QueryHints hints) {
    long nanos =
        config.find(CacheOptions.TIME_TO_LIVE).map(CachePolicy::nanos).orElse(Long.MAX_VALUE);
    for (String table : statement.tables()) {
      Optional<Duration> limit = config.timeToLive(schema(table), name(table));
      nanos = Math.min(nanos, limit.map(CachePolicy::nanos).orElse(Long.MAX_VALUE));
      if (demoted.contains(table)
          && config.get(CacheOptions.RADAR) == QueryCacheConfig.Radar.LIMIT) {
        nanos = Math.min(nanos, nanos(RadarLink.DEMOTED_TIME_TO_LIVE));
      }
    }
    Duration hinted = hints.timeToLive();
    return hinted == null ? nanos : Math.min(nanos, nanos(hinted));
  }

  /** Durations beyond what nanoseconds can hold are for ever. */
  private static long nanos(Duration age) {
    return age.compareTo(Duration.ofDays(36_500)) > 0 ? Long.MAX_VALUE : age.toNanos();
  }

  static String schema(String qualifiedName) {
    return qualifiedName.substring(0, qualifiedName.indexOf('.'));
  }

  static String name(String qualifiedName) {
    return qualifiedName.substring(qualifiedName.indexOf('.') + 1);
  }
}
