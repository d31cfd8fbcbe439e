package dev.larder.engine;

import dev.larder.CacheOptions;
import dev.larder.QueryCacheConfig;
import dev.larder.bypass.BypassReason;
import dev.larder.catalog.CatalogVersion;
import dev.larder.curve.MissRatioCurve;
import dev.larder.engine.StatusTable.Row;
import java.util.ArrayList;
import java.util.Comparator;
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
  /** Below so many look-ups nothing is said but that. */
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

  private Advice(QueryCache cache, Observation observation) {
    this.cache = cache;
    this.observation = observation;
    this.sum = CacheStatus.sum(cache);
  }

  /** Returns the rows; none but one that says so unless {@code cache} observes. */
  public static StatusTable of(QueryCache cache) {
    Observation observation = cache.observation();
    Row nothing = row("larder.mode", "observe", "only what is observed can be judged");
    List<Row> rows = observation == null ? List.of(nothing) : new Advice(cache, observation).rows();
    return StatusTable.of(nothing, rows);
  }

  private static Row row(String setting, String value, String reason) {
    return new Row().text("setting", setting).text("value", value).text("reason", reason);
  }

  private List<Row> rows() {
    long asked = sum.hits() + sum.misses();
    mode(asked);
    if (asked >= ENOUGH) {
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

  private void mode(long asked) {
    long all = sum.observedNanos() + sum.databaseNanos() + bypassNanos();
    double saved = all == 0 ? 0 : (double) sum.observedNanos() / all;
    String seen =
        text(
            "%d of %d queries would have been hits, and %d of %d ms at the database saved (%.0f %%)",
            sum.hits(),
            asked + sum.bypasses(),
            sum.observedNanos() / 1_000_000,
            all / 1_000_000,
            100 * saved);
    if (asked < ENOUGH) {
      add("larder.mode", "observe", "too little was seen to judge: " + seen);
    } else {
      onDemand = saved < WORTHWHILE;
      add("larder.mode", onDemand ? "demand" : "all", seen);
    }
  }

  /** Returns the time of bypasses alone, without that of misses whose results were not kept. */
  private long bypassNanos() {
    return cache.bypassCounts().byReason().values().stream()
        .filter(each -> each.bypasses() > 0)
        .mapToLong(
            each -> each.databaseNanos() / (each.bypasses() + each.refusals()) * each.bypasses())
        .sum();
  }

  private void writers() {
    Map<String, Long> wrong = observation.wrongByTable();
    if (wrong.isEmpty()) {
      add(
          "larder.writers",
          cache.config().remote().isPresent() ? "memcached" : "this-jvm",
          "no result that was compared would have been wrong; only if nobody else ever writes");
    } else {
      add(
          "larder.writers",
          "",
          "leave it undeclared: somebody writes who is not seen; or declare it once the tables below"
              + " are excluded or live shortly, if he writes no others");
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

  private static String text(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }

  private void tables() {
    Map<String, long[]> counts = new TreeMap<>();
    for (ShapePlan shape : cache.plans().shapes()) {
      ShapePlan.Meaning meaning = shape.lastMeaning();
      if (meaning != null && meaning.bypass() == null) {
        for (String table : meaning.statement().tables()) {
          long[] count = counts.computeIfAbsent(table, name -> new long[2]);
          count[0] += shape.statistics().hits();
          count[1] += shape.statistics().misses();
        }
      }
    }
    Map<String, Long> wrong = observation.wrongByTable();
    wrong.forEach(
        (table, times) -> {
          boolean shortly = livesShortly(table);
          exclude(
              table,
              times
                  + " or more results that read it would have been wrong"
                  + (shortly ? ", if only until they were too old" : "")
                  + ": somebody writes past Larder, or a function or trigger is not as declared");
          long[] count = counts.getOrDefault(table, new long[2]);
          boolean worthwhile = isTooLittle(count) || isWorthwhile(count);
          if (!shortly && worthwhile && !onDemand) {
            add(
                "larder.tables.timeToLive",
                table + "=5s",
                "instead of excluding it, if its rows may be 5 s old");
          }
        });
    counts.forEach(
        (table, count) -> {
          if (wrong.containsKey(table) || isTooLittle(count)) {
            return;
          }
          String seen =
              text(
                  "%d of %d queries that read it would have been hits",
                  count[0], count[0] + count[1]);
          if (!isWorthwhile(count)) {
            exclude(table, seen);
          } else if (onDemand) {
            add("larder.tables.include", table, seen);
          }
        });
  }

  private boolean livesShortly(String table) {
    QueryCacheConfig config = cache.config();
    return config.find(CacheOptions.TIME_TO_LIVE).isPresent()
        || config.timeToLive(CachePolicy.schema(table), CachePolicy.name(table)).isPresent();
  }

  /** Of hits and misses. */
  private static boolean isTooLittle(long[] count) {
    return count[0] + count[1] < ENOUGH;
  }

  private static boolean isWorthwhile(long[] count) {
    return count[0] >= (count[0] + count[1]) * WORTHWHILE;
  }

  private void exclude(String table, String reason) {
    add("larder.tables.exclude", table, reason);
  }

  private void routines() {
    CatalogVersion catalog = cache.resolutions().catalog();
    Map<String, Long> calls = new TreeMap<>();
    for (ShapePlan shape : cache.plans().shapes()) {
      ShapePlan.Meaning meaning = shape.lastMeaning();
      if (catalog != null && meaning != null && meaning.bypass() == BypassReason.FUNCTION) {
        for (String name : catalog.routinesInTheWay(shape.analysis())) {
          calls.merge(name, shape.statistics().bypasses(), Long::sum);
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
        found.addAll(catalog.triggersInTheWay(meaning.statement().tables(), declared));
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
    cache.bypassCounts().byReason().entrySet().stream()
        .filter(each -> each.getValue().bypasses() + each.getValue().refusals() > 0)
        .sorted(Comparator.comparingLong(each -> -each.getValue().databaseNanos()))
        .forEach(
            each ->
                add(
                    "bypass",
                    each.getKey().name(),
                    each.getValue().databaseNanos() / 1_000_000
                        + " ms at the database, because "
                        + each.getKey().description()
                        + ". "
                        + each.getKey().cure()));
  }
}
