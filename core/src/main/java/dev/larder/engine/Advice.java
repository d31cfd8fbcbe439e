package dev.larder.engine;

import dev.larder.CacheOptions;
import dev.larder.QueryCacheConfig;
import dev.larder.bypass.BypassReason;
import dev.larder.catalog.CatalogVersion;
import dev.larder.catalog.InTheWay;
import dev.larder.curve.MissRatioCurve;
import dev.larder.engine.ShapeStatistics.Count;
import dev.larder.engine.StatusTable.Row;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What a cache that observes would recommend, as {@code SHOW larder.advice} answers it: settings
 * with their values and reasons, then what keeps queries from being cached, by the time that it
 * costs.
 */
public final class Advice {
  /** With fewer look-ups nothing is advised. */
  private static final long ENOUGH = 1_000;

  /** How far below the best hit ratio the advised size may be. */
  private static final double LOSS = 0.01;

  private static final double WORTHWHILE = 0.05;
  private static final long MB = 1 << 20;

  private final QueryCache cache;
  private final Observation observation;
  private final List<Row> rows = new ArrayList<>();
  private final ShapeStatistics sum;
  private boolean onDemand;

  private record Asked(long hits, long misses) {
    static final Asked NEVER = new Asked(0, 0);

    Asked and(Asked other) {
      return new Asked(hits + other.hits, misses + other.misses);
    }

    boolean isTooLittle() {
      return hits + misses < ENOUGH;
    }

    boolean isWorthwhile() {
      return hits >= (hits + misses) * WORTHWHILE;
    }
  }

  private Advice(QueryCache cache, Observation observation) {
    this.cache = cache;
    this.observation = observation;
    this.sum = cache.statistics();
  }

  /**
   * Returns the rows; of a cache that does not observe one that says so, and what to do about
   * writes that invalidate much.
   */
  public static StatusTable of(QueryCache cache) {
    Observation observation = cache.observation();
    Row nothing = row("larder.mode", "observe", "only what is observed can be judged");
    List<Row> rows = new ArrayList<>();
    if (observation == null) {
      rows.add(nothing);
    } else {
      rows.addAll(new Advice(cache, observation).rows());
    }
    rows.addAll(InvalidationAdvice.rows(cache));
    rows.addAll(FeedAdvice.rows(cache));
    return StatusTable.of(nothing, rows);
  }

  static Row row(String setting, String value, String reason) {
    return new Row().text("setting", setting).text("value", value).text("reason", reason);
  }

  private List<Row> rows() {
    mode();
    if (sum.lookups() >= ENOUGH) {
      writers();
      size();
    }
    tables();
    routines();
    triggers();
    bypasses();
    return rows;
  }

  private void add(String setting, String value, String reason) {
    rows.add(row(setting, value, reason));
  }

  private static String text(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }

  private void mode() {
    long observed = sum.of(Count.OBSERVED_NANOS);
    long all = observed + sum.of(Count.DATABASE_NANOS) + bypassNanos();
    double saved = all == 0 ? 0 : (double) observed / all;
    String seen =
        text(
            "%d of %d queries would have been hits, and %d of %d ms at the database saved (%.0f"
                + " %%)",
            sum.hits(),
            sum.lookups() + sum.of(Count.BYPASSES),
            observed / 1_000_000,
            all / 1_000_000,
            100 * saved);
    if (sum.lookups() < ENOUGH) {
      add("larder.mode", "observe", "too little was seen to judge: " + seen);
    } else {
      onDemand = saved < WORTHWHILE;
      add("larder.mode", onDemand ? "demand" : "all", seen);
    }
  }

  /** Returns the time of bypasses alone, without that of misses whose results were not kept. */
  private long bypassNanos() {
    return cache.bypassCounts().sums().stream()
        .filter(each -> each.bypasses() > 0)
        .mapToLong(
            each -> each.databaseNanos() / (each.bypasses() + each.refusals()) * each.bypasses())
        .sum();
  }

  private void writers() {
    if (observation.wrongByTable().isEmpty()) {
      add(
          "larder.writers",
          cache.isShared() ? "memcached" : "this-jvm",
          "no result that was compared would have been wrong; only if nobody else ever writes");
    } else {
      add(
          "larder.writers",
          "",
          "leave it undeclared: somebody writes who is not seen; or declare it once the tables"
              + " below are excluded or live shortly, if he writes no others");
    }
  }

  private void size() {
    MissRatioCurve curve = observation.curve();
    long megabytes = (curve.leastBytes(LOSS) + MB - 1) / MB;
    add(
        "larder.maxBytes",
        megabytes + "MB",
        text(
            "hit ratio %.4f there, at most %.4f, and %.4f at the present %d MB",
            curve.ratio(megabytes * MB),
            curve.bestRatio(),
            curve.ratio(cache.store().maxBytes()),
            cache.store().maxBytes() / MB));
  }

  private void tables() {
    Map<String, Asked> asked = new TreeMap<>();
    TableStatus.forEachTable(
        cache,
        (table, shape) -> {
          ShapeStatistics counts = shape.statistics();
          asked.merge(table, new Asked(counts.hits(), counts.misses()), Asked::and);
        });
    Map<String, Long> wrong = observation.wrongByTable();
    wrong.forEach((table, times) -> wrong(table, times, asked.getOrDefault(table, Asked.NEVER)));
    asked.keySet().removeAll(wrong.keySet());
    asked.values().removeIf(Asked::isTooLittle);
    asked.forEach(
        (table, seen) -> {
          String words =
              text(
                  "%d of %d queries that read it would have been hits",
                  seen.hits(), seen.hits() + seen.misses());
          if (!seen.isWorthwhile()) {
            add("larder.tables.exclude", table, words);
          } else if (onDemand) {
            add("larder.tables.include", table, words);
          }
        });
  }

  private void wrong(String table, long times, Asked asked) {
    QueryCacheConfig config = cache.config();
    boolean livesShortly =
        config.find(CacheOptions.TIME_TO_LIVE).isPresent()
            || config.tables().timeToLive(table).isPresent();
    add(
        "larder.tables.exclude",
        table,
        times
            + " or more results that read it would have been wrong"
            + (livesShortly ? ", if only until they were too old" : "")
            + ": somebody writes past Larder, or a function or trigger is not as declared");
    if (!livesShortly && !onDemand && (asked.isTooLittle() || asked.isWorthwhile())) {
      add(
          "larder.tables.timeToLive",
          table + "=5s",
          "instead of excluding it, if its rows may be 5 s old");
    }
  }

  private void routines() {
    CatalogVersion catalog = cache.resolutions().catalog();
    Map<String, Long> calls = new TreeMap<>();
    for (ShapePlan shape : cache.plans().shapes()) {
      ShapePlan.Meaning meaning = shape.lastMeaning();
      if (catalog != null && meaning != null && meaning.bypass() == BypassReason.FUNCTION) {
        for (String name : InTheWay.routines(catalog, shape.analysis())) {
          calls.merge(name, shape.statistics().of(Count.BYPASSES), Long::sum);
        }
      }
    }
    calls.forEach(
        (name, count) ->
            add(
                "larder.functions.readOnly",
                name,
                count
                    + " queries with it were not cached; only if it writes nothing and reads"
                    + " nothing but its arguments and what the statement names"));
  }

  private void triggers() {
    Set<String> declared = cache.config().get(CacheOptions.TRIGGERS_WRITES).keySet();
    CatalogVersion catalog = cache.resolutions().catalog();
    Set<String> found = new TreeSet<>();
    for (ShapePlan shape : cache.plans().shapes()) {
      ShapePlan.Meaning meaning = shape.lastMeaning();
      if (meaning != null && catalog != null && meaning.statement().writes().unknown()) {
        found.addAll(InTheWay.triggers(catalog, meaning.statement().tables(), declared));
      }
    }
    found.forEach(
        trigger ->
            add(
                "larder.triggers.writes",
                trigger + "=",
                "a write that fires it counts as one of everything; behind the = the tables that it"
                    + " writes, or nothing"));
  }

  private void bypasses() {
    for (BypassCounts.Sum each : cache.bypassCounts().sums()) {
      if (!each.isEmpty()) {
        add(
            "bypass",
            each.reason().name(),
            text(
                "%d ms at the database, because %s. %s",
                each.databaseNanos() / 1_000_000,
                each.reason().description(),
                each.reason().cure()));
      }
    }
  }
}
