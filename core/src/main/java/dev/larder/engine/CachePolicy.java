package dev.larder.engine;

import dev.larder.CacheOptions;
import dev.larder.FeedOptions;
import dev.larder.QueryCacheConfig;
import dev.larder.QueryCacheConfig.Mode;
import dev.larder.QueryCacheConfig.Radar;
import dev.larder.TableRules;
import dev.larder.bypass.BypassReason;
import dev.larder.feed.Coverage;
import dev.larder.lexer.QueryHints;
import dev.larder.log.CacheLog;
import dev.larder.log.MessageText;
import dev.larder.radar.RadarLink;
import dev.larder.resolve.ResolvedStatement;
import dev.larder.resolve.ResolvedStatement.Clock;
import dev.larder.watch.DatabaseControls;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the configuration and the database's own settings make of a resolved statement: cached or
 * not, and for how long. Immutable and thread-safe.
 *
 * @param tables the rules for single tables, those of the database included
 * @param off whether the database has switched everything off
 * @param shown what operators have set in the database, in words
 * @param demoted the tables that others write, {@code schema.table}
 * @param coverage which tables the feed tells of; of nothing where there is none
 */
record CachePolicy(
    QueryCacheConfig config,
    TableRules tables,
    boolean off,
    List<String> shown,
    Set<String> demoted,
    Coverage coverage) {
  private static final Pattern COMMA = Pattern.compile(",");

  /**
   * Returns the policy of a cache in a database.
   *
   * @param controls the database's own: {@code larder.enabled}, {@code larder.tables.exclude} and
   *     the rows of {@code larder_control} switch off what the configuration has on, never on what
   *     it has off; a setting that cannot be understood switches everything off, a row that cannot
   *     is ignored, and both are reported
   */
  static CachePolicy of(
      QueryCacheConfig config, DatabaseControls controls, Set<String> demoted, Coverage coverage) {
    ControlRows rows = new ControlRows(config.get(CacheOptions.NAME), config.tables(), controls);
    if (!rows.ignored.isEmpty()) {
      CacheLog.trouble(CacheLog.Trouble.CONTROL, String.join("; ", rows.ignored));
    }
    Map<String, String> settings = controls.settings();
    String enabled = settings.getOrDefault("larder.enabled", "on").toLowerCase(Locale.ROOT);
    boolean off = rows.off || !ControlRows.ON.contains(enabled);
    TableRules tables = rows.tables;
    try {
      tables =
          tables.excluding(
              COMMA
                  .splitAsStream(settings.getOrDefault("larder.tables.exclude", ""))
                  .map(String::strip)
                  .filter(pattern -> !pattern.isEmpty())
                  .toList());
    } catch (IllegalArgumentException e) {
      off = true;
      CacheLog.trouble(CacheLog.Trouble.DATABASE_SETTING, MessageText.of(e));
    }
    List<String> shown =
        Stream.concat(
                settings.entrySet().stream().map(Map.Entry::toString).sorted(), rows.shown.stream())
            .toList();
    return new CachePolicy(config, tables, off, shown, demoted, coverage);
  }

  @Nullable BypassReason bypass(ResolvedStatement statement, QueryHints hints) {
    if (off) {
      return BypassReason.DISABLED;
    }
    if (statement.bypass() != null) {
      return statement.bypass();
    }
    return bypassOfTables(statement, hints);
  }

  /** Returns whether nothing keeps a query from being cached but that it reads the clock. */
  boolean forbidsClockAlone(ResolvedStatement statement, QueryHints hints) {
    return statement.clock() == Clock.ALONE
        && !off
        && bypassOfTables(statement, hints) == null
        && mayBeOutdated();
  }

  private boolean mayBeOutdated() {
    return config.get(CacheOptions.MODE) != Mode.OBSERVE && config.remote().isEmpty();
  }

  private @Nullable BypassReason bypassOfTables(ResolvedStatement statement, QueryHints hints) {
    boolean anyIncluded = !config.get(CacheOptions.TABLES_INCLUDE).isEmpty();
    boolean allIncluded = anyIncluded;
    for (String table : statement.tables()) {
      if (tables.excludes(table)) {
        return BypassReason.EXCLUDED_TABLE;
      }
      if (demoted.contains(table) && config.get(CacheOptions.RADAR) == Radar.BYPASS) {
        return BypassReason.FOREIGN_WRITES;
      }
      allIncluded &= tables.includes(table);
    }
    if (config.get(CacheOptions.MODE) == Mode.DEMAND) {
      return allIncluded || hints.caching() == QueryHints.Caching.ON
          ? null
          : BypassReason.NOT_ON_DEMAND;
    }
    return allIncluded || !anyIncluded ? null : BypassReason.EXCLUDED_TABLE;
  }

  /** Returns whether it is known of which tables the feed tells. */
  @SuppressWarnings("ReferenceEquality") // One that was found may be as empty.
  boolean knowsCoverage() {
    return coverage != Coverage.UNKNOWN;
  }

  /** Returns whether the feed tells of a table that {@code statement} reads, or may. */
  boolean isFollowed(ResolvedStatement statement) {
    for (String table : statement.tables()) {
      if (!coverage.lacks(table)) {
        return true;
      }
    }
    return false;
  }

  /** Returns whether the feed tells of every table that {@code statement} reads. */
  boolean areAllFollowed(ResolvedStatement statement) {
    return knowsCoverage() && statement.tables().stream().noneMatch(coverage::lacks);
  }

  long timeToLiveNanos(ResolvedStatement statement, QueryHints hints) {
    long nanos = nanos(config.find(CacheOptions.TIME_TO_LIVE));
    for (String table : statement.tables()) {
      nanos = Math.min(nanos, nanos(tables.timeToLive(table)));
      if (coverage.lacks(table)) {
        nanos = Math.min(nanos, nanos(config.get(FeedOptions.UNCOVERED)));
      }
      if (demoted.contains(table) && config.get(CacheOptions.RADAR) == Radar.LIMIT) {
        nanos = Math.min(nanos, RadarLink.DEMOTED_TIME_TO_LIVE.toNanos());
      }
    }
    return Math.min(nanos, nanos(Optional.ofNullable(hints.timeToLive())));
  }

  /**
   * Returns for how long a result may be used after it became outdated; 0 where nothing is said,
   * less where the query says never. What the query says counts, else what is said of its tables,
   * if it is said of all of them.
   */
  long stalenessNanos(ResolvedStatement statement, QueryHints hints) {
    if (!mayBeOutdated()) {
      return 0;
    }
    Duration declared = hints.staleness();
    if (declared != null) {
      return declared.isZero() ? -1 : nanos(declared);
    }
    long nanos = statement.tables().isEmpty() ? 0 : Long.MAX_VALUE;
    for (String table : statement.tables()) {
      nanos = Math.min(nanos, tables.staleness(table).map(CachePolicy::nanos).orElse(0L));
    }
    return nanos;
  }

  /** Returns the nanoseconds of an age; those of none, or of 100 years, are for ever. */
  private static long nanos(Optional<Duration> age) {
    return age.map(CachePolicy::nanos).orElse(Long.MAX_VALUE);
  }

  /** Returns the nanoseconds of an age; those of 100 years and more are for ever. */
  static long nanos(Duration age) {
    return age.compareTo(Duration.ofDays(36_500)) <= 0 ? age.toNanos() : Long.MAX_VALUE;
  }
}
