package dev.larder.engine;

import dev.larder.bypass.BypassReason;
import dev.larder.engine.Admission.Shown;
import dev.larder.engine.ShapeStatistics.Count;
import dev.larder.engine.StatusTable.Row;
import dev.larder.keys.Dependence;
import dev.larder.remote.RemoteCache;
import dev.larder.remote.RemoteStatus;
import dev.larder.result.ResultComparison;
import dev.larder.result.ResultComparison.Outcome;
import dev.larder.store.CacheEntry;
import dev.larder.store.EntryOwner.Event;
import dev.larder.store.TableTag;
import dev.larder.store.WriteReach;
import java.time.Instant;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The counts of a cache as tables of text: what {@code SHOW larder.…} answers, but for the tables
 * ({@link TableStatus}) and the advice ({@link Advice}). The counts of one answer are not of one
 * instant.
 */
public final class CacheStatus {
  private CacheStatus() {}

  static final class Weight {
    long entries;
    long bytes;

    void add(CacheEntry entry) {
      entries++;
      bytes += entry.weightBytes();
    }
  }

  /** Returns the one row of {@code SHOW larder.cache}. */
  public static StatusTable cache(QueryCache cache) {
    ShapeStatistics sum = cache.statistics();
    EntryCounts counts = cache.entryCounts();
    CachePolicy policy = cache.resolutions().policy();
    long lookups = sum.lookups();
    Row row =
        new Row()
            .flag("enabled", cache.enabled() && !policy.off())
            .number("entries", counts.entries())
            .number("size_bytes", counts.bytes())
            .number("max_bytes", cache.store().maxBytes())
            .number("hits", sum.hits())
            .number("misses", sum.misses())
            .number("bypasses", sum.of(Count.BYPASSES))
            .ratio("hit_ratio", lookups == 0 ? null : decimal(4, (double) sum.hits() / lookups))
            .number("admissions", sum.of(Count.ADMISSIONS))
            .number("rejections", sum.of(Count.REJECTIONS))
            .number("invalidations", counts.invalidations())
            .number("evictions", counts.events(Event.EVICTED))
            .number("expirations", counts.events(Event.EXPIRED))
            .text("database_settings", joined(", ", policy.shown().stream()))
            .number("quarantined_tables", cache.database().quarantine().entries().size());
    addWrites(cache.database().versions().all(), row);
    addHits(cache, row);
    addOthers(cache, sum, row);
    return StatusTable.of(row, List.of(row));
  }

  private static void addOthers(QueryCache cache, ShapeStatistics sum, Row row) {
    if (cache.config().isFollowing()) {
      FeedTable.addTo(cache, row);
    }
    RemoteCache remote = cache.sharedCache();
    if (remote != null) {
      addShared(remote.status(), sum, row);
    }
  }

  private static void addWrites(TableTag all, Row row) {
    row.number("writes_by_key", all.publishes(WriteReach.KEY))
        .number("writes_by_unknown_key", all.publishes(WriteReach.UNKNOWN_KEY))
        .number("writes_by_table", all.publishes(WriteReach.TABLE))
        .number("writes_of_everything", all.publishes(WriteReach.EVERYTHING));
  }

  private static void addHits(QueryCache cache, Row row) {
    Verification verification = cache.verification();
    long heard = cache.database().catalog().heardNanos();
    row.number("verified_hits", verification.count(Outcome.SAME))
        .number("unverifiable_hits", verification.count(Outcome.INCONCLUSIVE))
        .number("wrong_hits", verification.count(Outcome.DIFFERENT));
    for (CacheCount each : CacheCount.values()) {
      row.number(each.name().toLowerCase(Locale.ROOT), cache.counts().sum(each));
    }
    row.text("lazy", cache.unpooled().state())
        .number("heard_millis_ago", (System.nanoTime() - heard) / 1_000_000);
  }

  private static void addShared(RemoteStatus status, ShapeStatistics sum, Row row) {
    row.number("near_hits", sum.of(Count.NEAR_HITS))
        .number("remote_hits", sum.of(Count.REMOTE_HITS))
        .text("breaker", status.breaker())
        .number("outages", status.outages())
        .number("barrier_runs", status.barrierRuns())
        .number("unsettled_versions", status.unsettled())
        .number("undecodable", status.undecodable());
  }

  /** Returns the rows of {@code SHOW larder.quarantine}: the tables, and what was seen of them. */
  public static StatusTable quarantine(QueryCache cache) {
    ResultComparison none = new ResultComparison(Outcome.DIFFERENT, 0, 0, 0, List.of());
    Quarantine.Evidence sample = new Quarantine.Evidence(Instant.EPOCH, "", "", 0, none);
    return StatusTable.of(
        quarantined("", sample),
        cache.database().quarantine().entries().entrySet().stream()
            .map(entry -> quarantined(entry.getKey(), entry.getValue()))
            .toList());
  }

  private static Row quarantined(String table, Quarantine.Evidence seen) {
    return new Row()
        .text("table_name", table)
        .moment("quarantined_at", seen.moment())
        .text("cache", seen.cache())
        .text("query", seen.query())
        .number("age_millis", seen.ageMillis())
        .number("cached_rows", seen.comparison().cachedRows())
        .number("database_rows", seen.comparison().databaseRows())
        .number("unmatched_rows", seen.comparison().unmatchedRows())
        .text("columns", String.join(", ", seen.comparison().columns()));
  }

  /**
   * Returns the rows of {@code SHOW larder.queries}, those that saved most first. Walks the store.
   */
  public static StatusTable queries(QueryCache cache) {
    return queries(cache, shape -> true);
  }

  /** As {@link #queries(QueryCache)}, of the queries that a role is known to have asked. */
  public static StatusTable queriesOf(QueryCache cache, String role) {
    return queries(cache, shape -> shape.roles().contains(role));
  }

  private static StatusTable queries(QueryCache cache, Predicate<ShapePlan> shown) {
    Map<Object, Weight> weights = new HashMap<>();
    cache.forEachEntry(
        (key, entry) -> weights.computeIfAbsent(key.shape(), shape -> new Weight()).add(entry));
    // By what each saved at one moment: the counts go on while they are sorted.
    List<Row> rows =
        cache.plans().shapes().stream()
            .filter(shape -> calls(shape.statistics()) > 0 && shown.test(shape))
            .map(shape -> Map.entry(shape.statistics().savedNanos(), shape))
            .sorted(Map.Entry.<Long, ShapePlan>comparingByKey().reversed())
            .map(Map.Entry::getValue)
            .map(
                shape ->
                    query(
                        shape.shape().shownText(),
                        shape.statistics(),
                        weights.getOrDefault(shape.shape(), new Weight()),
                        TableStatus.dependences(cache, shape),
                        cache.admissions().shown(shape)))
            .toList();
    return StatusTable.of(
        query("", new ShapeStatistics(), new Weight(), List.of(), Shown.UNKNOWN), rows);
  }

  private static Row query(
      String text,
      ShapeStatistics counts,
      Weight weight,
      List<Dependence> dependences,
      Shown admission) {
    BypassReason reason = counts.lastReason();
    long misses = counts.misses();
    Stream<String> reasons =
        dependences.stream().flatMap(each -> Stream.ofNullable(each.because()));
    return new Row()
        .text("query", text)
        .number("calls", calls(counts))
        .number("hits", counts.hits())
        .number("misses", misses)
        .number("bypasses", counts.of(Count.BYPASSES))
        .text("bypass_reason", reason == null ? null : reason.description())
        .ratio("mean_database_micros", misses == 0 ? null : decimal(1, counts.meanNanos() / 1_000))
        .number("saved_millis", counts.savedNanos() / 1_000_000)
        .number("entries", weight.entries)
        .number("size_bytes", weight.bytes)
        .text("depends_on", joined("; ", dependences.stream().map(Dependence::words)))
        .text("wider_because", joined(" ", reasons))
        .text("admission", admission.state())
        .ratio("profit_micros_per_second", admission.microsPerSecond())
        .text("profit_because", admission.because());
  }

  private static @Nullable String joined(String separator, Stream<String> parts) {
    String all = parts.distinct().collect(Collectors.joining(separator));
    return all.isEmpty() ? null : all;
  }

  private static long calls(ShapeStatistics counts) {
    return counts.lookups() + counts.of(Count.BYPASSES);
  }

  /** Returns the time that hits have saved, as far as the mean time of the misses says. */
  public static long savedNanos(QueryCache cache) {
    long sum = cache.retired().savedNanos();
    for (ShapePlan shape : cache.plans().shapes()) {
      sum += shape.statistics().savedNanos();
    }
    return sum;
  }

  /** Returns how often each reason made a bypass. */
  public static Map<BypassReason, Long> bypasses(QueryCache cache) {
    Map<BypassReason, Long> counts = new EnumMap<>(BypassReason.class);
    cache.bypassCounts().sums().forEach(sum -> counts.put(sum.reason(), sum.bypasses()));
    return counts;
  }

  /**
   * Returns the rows of {@code SHOW larder.bypasses}: the reasons that there were, those first that
   * cost most time at the database.
   */
  public static StatusTable bypassTimes(QueryCache cache) {
    return StatusTable.of(
        bypass(new BypassCounts.Sum(BypassReason.DISABLED, 0, 0, 0)),
        cache.bypassCounts().sums().stream()
            .filter(sum -> !sum.isEmpty())
            .map(CacheStatus::bypass)
            .toList());
  }

  private static Row bypass(BypassCounts.Sum sum) {
    return new Row()
        .text("bypass_reason", sum.reason().description())
        .number("bypasses", sum.bypasses())
        .number("not_kept", sum.refusals())
        .number("database_millis", sum.databaseNanos() / 1_000_000)
        .text("cure", sum.reason().cure())
        .text("name", sum.reason().name());
  }

  private static String decimal(int digits, double value) {
    return String.format(Locale.ROOT, "%." + digits + "f", value);
  }
}
