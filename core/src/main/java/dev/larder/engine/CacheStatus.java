package dev.larder.engine;

import dev.larder.bypass.BypassReason;
import dev.larder.catalog.CatalogVersion;
import dev.larder.engine.StatusTable.Row;
import dev.larder.remote.RemoteCache;
import dev.larder.remote.RemoteStatus;
import dev.larder.result.ResultComparison;
import dev.larder.store.CacheEntry;
import dev.larder.store.PendingWrite;
import dev.larder.store.TableTag;
import dev.larder.watch.DatabaseControls;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The counts of a cache as tables of text: what {@code SHOW larder.cache}, {@code SHOW
 * larder.tables} and {@code SHOW larder.queries} answer. The last two walk the store, so they cost
 * time in proportion to the entries; the counts of one answer are not of one instant.
 */
public final class CacheStatus {
  private CacheStatus() {}

  private static final class Weight {
    long entries;
    long bytes;

    void add(CacheEntry entry) {
      entries++;
      bytes += entry.weightBytes();
    }
  }

  /** Returns the one row of {@code SHOW larder.cache}. */
  public static StatusTable cache(QueryCache cache) {
    ShapeStatistics sum = sum(cache);
    EntryCounts counts = cache.entryCounts();
    long asked = sum.hits() + sum.misses();
    Row row =
        new Row()
            .flag("enabled", cache.enabled() && !cache.resolutions().policy().off())
            .number("entries", counts.entries())
            .number("size_bytes", counts.bytes())
            .number("max_bytes", cache.store().maxBytes())
            .number("hits", sum.hits())
            .number("misses", sum.misses())
            .number("bypasses", sum.bypasses())
            .ratio("hit_ratio", asked == 0 ? null : decimal(4, (double) sum.hits() / asked))
            .number("admissions", sum.admissions())
            .number("rejections", sum.rejections())
            .number("invalidations", counts.invalidations())
            .number("evictions", counts.evictions())
            .number("expirations", counts.expirations())
            .text("database_settings", databaseSettings(cache))
            .number("quarantined_tables", cache.database().quarantine().entries().size());
    addVerified(cache, row);
    addShared(cache, sum, row);
    return StatusTable.of(row, List.of(row));
  }

  /** Returns what operators have set in the database, as far as that is known just now, or null. */
  private static @Nullable String databaseSettings(QueryCache cache) {
    DatabaseControls controls = cache.database().catalog().controls();
    String text =
        Stream.concat(
                controls.settings().entrySet().stream()
                    .map(setting -> setting.getKey() + '=' + setting.getValue())
                    .sorted(),
                ControlRows.of(cache.config(), controls).shown().stream())
            .collect(Collectors.joining(", "));
    return text.isEmpty() ? null : text;
  }

  /** Returns the counts of all queries, those included that are forgotten. */
  static ShapeStatistics sum(QueryCache cache) {
    ShapeStatistics sum = new ShapeStatistics();
    sum.add(cache.retired());
    cache.plans().shapes().forEach(shape -> sum.add(shape.statistics()));
    return sum;
  }

  private static void addVerified(QueryCache cache, Row row) {
    Verification verification = cache.verification();
    row.number("verified_hits", verification.verified())
        .number("unverifiable_hits", verification.unverifiable())
        .number("wrong_hits", verification.wrong());
  }

  /** Returns the rows of {@code SHOW larder.quarantine}: the tables, and what was seen of them. */
  public static StatusTable quarantine(QueryCache cache) {
    ResultComparison nothing =
        new ResultComparison(ResultComparison.Outcome.DIFFERENT, 0, 0, 0, List.of());
    Row sample = quarantined("", new Quarantine.Evidence(Instant.EPOCH, "", "", 0, nothing));
    List<Row> rows = new ArrayList<>();
    for (Quarantine.Entry entry : cache.database().quarantine().entries()) {
      rows.add(quarantined(entry.table(), entry.evidence()));
    }
    return StatusTable.of(sample, rows);
  }

  private static Row quarantined(String table, Quarantine.Evidence seen) {
    return new Row()
        .text("table_name", table)
        .moment("quarantined_at", asServerText(seen.moment()))
        .text("cache", seen.cache())
        .text("query", seen.query())
        .number("age_millis", seen.ageMillis())
        .number("cached_rows", seen.comparison().cachedRows())
        .number("database_rows", seen.comparison().databaseRows())
        .number("unmatched_rows", seen.comparison().unmatchedRows())
        .text("columns", String.join(", ", seen.comparison().columns()));
  }

  private static void addShared(QueryCache cache, ShapeStatistics sum, Row row) {
    RemoteCache remote = cache.database().remote().cache();
    if (!cache.isShared() || remote == null) {
      return;
    }
    RemoteStatus status = remote.status();
    row.number("near_hits", sum.nearHits())
        .number("remote_hits", sum.remoteHits())
        .text("breaker", status.breaker())
        .number("outages", status.outages())
        .number("barrier_runs", status.barrierRuns())
        .number("unsettled_versions", status.unsettled())
        .number("undecodable", status.undecodable());
  }

  /** Returns the rows of {@code SHOW larder.queries}, those that saved most first. */
  public static StatusTable queries(QueryCache cache) {
    Map<Object, Weight> weights = new HashMap<>();
    cache
        .store()
        .forEach(
            (key, entry) -> {
              if (isOf(cache, entry)) {
                weights.computeIfAbsent(key.shape(), shape -> new Weight()).add(entry);
              }
            });
    List<ShapePlan> shapes = new ArrayList<>(cache.plans().shapes());
    shapes.sort(
        Comparator.comparingLong((ShapePlan shape) -> savedNanos(shape.statistics())).reversed());
    List<Row> rows = new ArrayList<>();
    for (ShapePlan shape : shapes) {
      if (calls(shape) > 0) {
        rows.add(
            query(
                shape.shape().shownText(),
                shape.statistics(),
                weights.getOrDefault(shape.shape(), new Weight())));
      }
    }
    return StatusTable.of(query("", new ShapeStatistics(), new Weight()), rows);
  }

  private static Row query(String text, ShapeStatistics counts, Weight weight) {
    BypassReason reason = counts.lastReason();
    return new Row()
        .text("query", text)
        .number("calls", counts.hits() + counts.misses() + counts.bypasses())
        .number("hits", counts.hits())
        .number("misses", counts.misses())
        .number("bypasses", counts.bypasses())
        .text("bypass_reason", reason == null ? null : reason.description())
        .ratio(
            "mean_database_micros",
            counts.misses() == 0 ? null : decimal(1, meanNanos(counts) / 1_000))
        .number("saved_millis", savedNanos(counts) / 1_000_000)
        .number("entries", weight.entries)
        .number("size_bytes", weight.bytes);
  }

  private static long calls(ShapePlan shape) {
    ShapeStatistics counts = shape.statistics();
    return counts.hits() + counts.misses() + counts.bypasses();
  }

  private static double meanNanos(ShapeStatistics counts) {
    return counts.misses() == 0 ? 0 : (double) counts.databaseNanos() / counts.misses();
  }

  private static long savedNanos(ShapeStatistics counts) {
    return counts.observedNanos() > 0
        ? counts.observedNanos()
        : (long) (meanNanos(counts) * counts.hits());
  }

  /** Returns the time that hits have saved, as far as the mean time of the misses says. */
  public static long savedNanos(QueryCache cache) {
    long sum = savedNanos(cache.retired());
    for (ShapePlan shape : cache.plans().shapes()) {
      sum += savedNanos(shape.statistics());
    }
    return sum;
  }

  /** Returns how often each reason made a bypass. */
  public static Map<BypassReason, Long> bypasses(QueryCache cache) {
    Map<BypassReason, Long> counts = new EnumMap<>(BypassReason.class);
    cache.bypassCounts().byReason().forEach((reason, sum) -> counts.put(reason, sum.bypasses()));
    return counts;
  }

  /**
   * Returns the rows of {@code SHOW larder.bypasses}: the reasons that there were, those first that
   * cost most time at the database.
   */
  public static StatusTable bypassTimes(QueryCache cache) {
    List<Map.Entry<BypassReason, BypassCounts.Sum>> sums =
        new ArrayList<>(cache.bypassCounts().byReason().entrySet());
    sums.removeIf(sum -> sum.getValue().bypasses() + sum.getValue().refusals() == 0);
    sums.sort(
        Comparator.comparingLong(
            (Map.Entry<BypassReason, BypassCounts.Sum> sum) -> -sum.getValue().databaseNanos()));
    return StatusTable.of(
        bypass(BypassReason.DISABLED, new BypassCounts.Sum(0, 0, 0)),
        sums.stream().map(sum -> bypass(sum.getKey(), sum.getValue())).toList());
  }

  private static Row bypass(BypassReason reason, BypassCounts.Sum sum) {
    return new Row()
        .text("bypass_reason", reason.description())
        .number("bypasses", sum.bypasses())
        .number("not_kept", sum.refusals())
        .number("database_millis", sum.databaseNanos() / 1_000_000)
        .text("cure", reason.cure())
        .text("name", reason.name());
  }

  private static final class TableCounts {
    final Weight weight = new Weight();
    long nearHits;
    long remoteHits;
    long misses;
    @Nullable TableTag tag;
    long root;
  }

  /** Returns the rows of {@code SHOW larder.tables}: the tables that a known query reads. */
  public static StatusTable tables(QueryCache cache) {
    CatalogVersion catalog = cache.resolutions().catalog();
    Map<String, TableCounts> tables = new TreeMap<>();
    Map<Object, Set<String>> tablesByShape = new HashMap<>();
    for (ShapePlan shape : cache.plans().shapes()) {
      ShapePlan.Meaning meaning = shape.lastMeaning();
      if (meaning != null && meaning.bypass() == null) {
        tablesByShape.put(shape.shape(), meaning.statement().tables());
        for (String table : meaning.statement().tables()) {
          TableCounts counts = tables.computeIfAbsent(table, name -> new TableCounts());
          counts.nearHits += shape.statistics().nearHits();
          counts.remoteHits += shape.statistics().remoteHits();
          counts.misses += shape.statistics().misses();
          counts.tag = catalog == null ? null : tag(cache, catalog, table);
          counts.root =
              catalog == null || counts.tag == null ? 0 : catalog.rootOf(counts.tag.oid());
        }
      }
    }
    cache
        .store()
        .forEach(
            (key, entry) -> {
              Set<String> read = tablesByShape.getOrDefault(key.shape(), Set.of());
              if (isOf(cache, entry)) {
                for (String table : read) {
                  tables.computeIfAbsent(table, name -> new TableCounts()).weight.add(entry);
                }
              }
            });
    List<PendingWrite> pending = List.copyOf(cache.database().versions().pending());
    List<Row> rows = new ArrayList<>();
    Map<TableTag, Integer> marks = marks(cache, tables);
    tables.forEach((name, counts) -> rows.add(table(cache, name, counts, pending, marks)));
    return StatusTable.of(table(cache, "", new TableCounts(), List.of(), marks), rows);
  }

  /**
   * Returns how many writes were published of each table that a known query reads, of the tables
   * that there are now: a query may have been looked up when another one had the name. There are
   * none while the catalog is being read.
   */
  public static Map<String, Long> invalidations(QueryCache cache) {
    CatalogVersion present = cache.database().catalog().current();
    Map<String, Long> publishes = new HashMap<>();
    for (ShapePlan shape : cache.plans().shapes()) {
      ShapePlan.Meaning meaning = shape.lastMeaning();
      if (present != null && meaning != null && meaning.bypass() == null) {
        for (String table : meaning.statement().tables()) {
          TableTag tag = tag(cache, present, table);
          if (tag != null) {
            publishes.put(table, tag.publishes());
          }
        }
      }
    }
    return publishes;
  }

  /** Returns how many writers of any JVM are under way; null where nothing is shared. */
  private static @Nullable Map<TableTag, Integer> marks(
      QueryCache cache, Map<String, TableCounts> tables) {
    RemoteCache remote = cache.database().remote().cache();
    if (!cache.isShared() || remote == null) {
      return null;
    }
    List<TableTag> tags = new ArrayList<>();
    for (TableCounts counts : tables.values()) {
      if (counts.tag != null) {
        tags.add(counts.tag);
      }
    }
    List<Integer> writers = remote.writersUnderWay(tags);
    Map<TableTag, Integer> marks = new HashMap<>();
    for (int i = 0; i < tags.size(); i++) {
      marks.put(tags.get(i), writers.get(i));
    }
    return marks;
  }

  private static @Nullable TableTag tag(QueryCache cache, CatalogVersion catalog, String table) {
    Long oid = catalog.oidOf(table);
    return oid == null ? null : cache.database().versions().tag(TableTag.Scope.RELATION, oid);
  }

  private static Row table(
      QueryCache cache,
      String name,
      TableCounts counts,
      List<PendingWrite> pending,
      @Nullable Map<TableTag, Integer> marks) {
    TableTag tag = counts.tag;
    long writers = 0;
    long oldestNanos = 0;
    for (PendingWrite write : pending) {
      if (write.writes().unknown() || (tag != null && write.writes().tags().contains(tag))) {
        writers++;
        oldestNanos = Math.max(oldestNanos, System.nanoTime() - write.announcedNanos());
      }
    }
    long invalidatedAt = tag == null ? 0 : tag.publishedAtMillis();
    Row row = new Row();
    row.text("table_name", name)
        .number("entries", counts.weight.entries)
        .number("size_bytes", counts.weight.bytes)
        .number("hits", counts.nearHits + counts.remoteHits)
        .number("misses", counts.misses)
        .number("invalidations", tag == null ? 0 : tag.publishes())
        .moment(
            "last_invalidated_at",
            invalidatedAt == 0 ? null : asServerText(Instant.ofEpochMilli(invalidatedAt)))
        .number("writers", writers)
        .number("oldest_writer_millis", oldestNanos / 1_000_000);
    cache.database().radar().show(row, cache, name, counts.root);
    return marks == null
        ? row
        : row.number("near_hits", counts.nearHits)
            .number("remote_hits", counts.remoteHits)
            .number("shared_writers", marks.getOrDefault(tag, -1));
  }

  /** Returns the settings in force, as text by their names. */
  public static Map<String, String> settings(QueryCache cache) {
    return SettingsText.of(cache.config(), cache.store().maxBytes());
  }

  static void reset(QueryCache cache) {
    cache.entryCounts().resetStatistics();
    cache.bypassCounts().reset();
    cache.plans().shapes().forEach(shape -> shape.statistics().reset());
    cache.retired().reset();
    cache.verification().resetStatistics();
  }

  @SuppressWarnings("ReferenceEquality") // Owners have no other equality.
  private static boolean isOf(QueryCache cache, CacheEntry entry) {
    return entry.owner() == cache;
  }

  private static String asServerText(Instant moment) {
    return moment.toString().replace('T', ' ').replace("Z", "+00");
  }

  private static String decimal(int digits, double value) {
    return String.format(Locale.ROOT, "%." + digits + "f", value);
  }
}
