package dev.larder.engine;

import dev.larder.QueryCacheConfig.Invalidation;
import dev.larder.catalog.CatalogVersion;
import dev.larder.engine.CacheStatus.Weight;
import dev.larder.engine.ShapeStatistics.Count;
import dev.larder.engine.StatusTable.Row;
import dev.larder.feed.Coverage;
import dev.larder.feed.FeedLink;
import dev.larder.feed.FeedStatus;
import dev.larder.keys.Dependence;
import dev.larder.keys.KeyTable;
import dev.larder.keys.ReadPattern;
import dev.larder.log.MessageText;
import dev.larder.radar.RadarLink;
import dev.larder.remote.RemoteCache;
import dev.larder.store.PendingWrite;
import dev.larder.store.TableTag;
import dev.larder.store.WriteReach;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** What is known of the tables that a known query reads, as {@code SHOW larder.tables} shows it. */
public final class TableStatus {
  private final QueryCache cache;
  private final @Nullable CatalogVersion catalog;
  private final Map<String, Counts> tables = new TreeMap<>();
  private final Collection<PendingWrite> pending;

  private static final class Counts {
    final Weight weight = new Weight();
    long nearHits;
    long remoteHits;
    long misses;

    void add(ShapeStatistics counts) {
      nearHits += counts.of(Count.NEAR_HITS);
      remoteHits += counts.of(Count.REMOTE_HITS);
      misses += counts.misses();
    }
  }

  private TableStatus(QueryCache cache, @Nullable CatalogVersion catalog) {
    this.cache = cache;
    this.catalog = catalog;
    this.pending = cache.database().versions().pending();
  }

  /** Shows every shape that is cached to {@code visitor}, once with each table that it reads. */
  static void forEachTable(QueryCache cache, BiConsumer<String, ShapePlan> visitor) {
    for (ShapePlan shape : cache.plans().shapes()) {
      ShapePlan.Meaning meaning = shape.lastMeaning();
      if (meaning != null && meaning.bypass() == null) {
        meaning.statement().tables().forEach(table -> visitor.accept(table, shape));
      }
    }
  }

  /** Returns what a shape that is cached depends on, by table; nothing of one that is not. */
  static List<Dependence> dependences(QueryCache cache, ShapePlan shape) {
    ShapePlan.Meaning meaning = shape.lastMeaning();
    if (meaning == null || meaning.bypass() != null) {
      return List.of();
    }
    ReadPattern known = meaning.statement().keys().reads();
    ReadPattern reads = cache.isShared() ? known.withoutColumns() : known;
    return Dependence.of(reads, new TreeSet<>(meaning.statement().tables())).stream()
        .map(each -> isByKey(cache, each.table()) ? each : each.unexplained())
        .toList();
  }

  static boolean isByKey(QueryCache cache, String table) {
    return cache.config().tables().invalidation(table) == Invalidation.KEY;
  }

  /** Returns whether a table that is invalidated as a whole could be by key. */
  static boolean mayBeByKey(QueryCache cache, String table) {
    KeyTable keys = keys(cache.resolutions().catalog(), table);
    return keys != null && !isByKey(cache, table);
  }

  /** Returns the table with its schemes, or null where it has none. */
  private static @Nullable KeyTable keys(@Nullable CatalogVersion catalog, String table) {
    Long oid = catalog == null ? null : catalog.oidOf(table);
    KeyTable keys = catalog == null || oid == null ? null : catalog.keyTable(oid);
    return keys == null || keys.schemes().isEmpty() ? null : keys;
  }

  /** Returns the rows of {@code SHOW larder.tables}. Walks the store. */
  public static StatusTable tables(QueryCache cache) {
    return new TableStatus(cache, cache.resolutions().catalog()).table();
  }

  /**
   * Returns how many writes were published of each table that a known query reads, of the tables
   * that there are now: a query may have been looked up when another one had the name. There are
   * none while the catalog is being read.
   */
  public static Map<String, Long> invalidations(QueryCache cache) {
    TableStatus status = new TableStatus(cache, cache.database().catalog().current());
    Map<String, Long> publishes = new HashMap<>();
    forEachTable(
        cache,
        (table, shape) -> {
          TableTag tag = status.tag(table);
          if (tag != null) {
            publishes.put(MessageText.escaped(table), tag.publishes());
          }
        });
    return publishes;
  }

  private StatusTable table() {
    Map<Object, Set<String>> tablesByShape = new HashMap<>();
    forEachTable(
        cache,
        (table, shape) -> {
          counts(table).add(shape.statistics());
          tablesByShape.computeIfAbsent(shape.shape(), key -> new HashSet<>()).add(table);
        });
    cache.forEachEntry(
        (key, entry) ->
            tablesByShape
                .getOrDefault(key.shape(), Set.of())
                .forEach(table -> counts(table).weight.add(entry)));
    Map<TableTag, Integer> marks = marks();
    List<Row> rows =
        tables.entrySet().stream()
            .map(table -> row(table.getKey(), table.getValue(), marks))
            .toList();
    return StatusTable.of(row("", new Counts(), marks), rows);
  }

  private Counts counts(String table) {
    return tables.computeIfAbsent(table, name -> new Counts());
  }

  /** Returns how many in-flight writers of any JVM there are; null where nothing is shared. */
  private @Nullable Map<TableTag, Integer> marks() {
    RemoteCache remote = cache.sharedCache();
    if (remote == null) {
      return null;
    }
    List<TableTag> tags = new ArrayList<>();
    for (String table : tables.keySet()) {
      TableTag tag = tag(table);
      if (tag != null) {
        tags.add(tag);
      }
    }
    List<Integer> writers = remote.writersUnderWay(tags);
    Map<TableTag, Integer> marks = new HashMap<>();
    for (int i = 0; i < tags.size(); i++) {
      marks.put(tags.get(i), writers.get(i));
    }
    return marks;
  }

  private @Nullable TableTag tag(String table) {
    return tag(cache, catalog, table);
  }

  /** Returns the tag of {@code table}, {@code schema.table}, or null where there is none. */
  static @Nullable TableTag tag(QueryCache cache, @Nullable CatalogVersion catalog, String table) {
    Long oid = catalog == null ? null : catalog.oidOf(table);
    return oid == null ? null : cache.database().versions().tag(TableTag.Scope.RELATION, oid);
  }

  private Row row(String name, Counts counts, @Nullable Map<TableTag, Integer> marks) {
    TableTag tag = tag(name);
    Row row =
        new Row()
            .text("table_name", name)
            .number("entries", counts.weight.entries)
            .number("size_bytes", counts.weight.bytes)
            .number("hits", counts.nearHits + counts.remoteHits)
            .number("misses", counts.misses);
    addWrites(row, tag);
    RadarLink radar = cache.database().radar();
    long root = catalog == null || tag == null ? 0 : catalog.rootOf(tag.oid());
    row.number("foreign_rows", radar.foreignRows(root))
        .text("radar", radar.state(cache.config(), name, root))
        .text("schemes", schemes(name));
    if (cache.config().isFollowing()) {
      addFeed(row, name);
    }
    return marks == null
        ? row
        : row.number("near_hits", counts.nearHits)
            .number("remote_hits", counts.remoteHits)
            .number("shared_writers", marks.getOrDefault(tag, -1));
  }

  private void addFeed(Row row, String table) {
    FeedLink feed = cache.database().feed();
    boolean live = feed.status().state() == FeedStatus.State.LIVE;
    Coverage coverage = feed.followed().coverage();
    Coverage.Gap gap = coverage.uncovered().get(table);
    if (gap != null) {
      row.text("feed", gap.because()).text("feed_cure", gap.cure());
    } else if (!live || coverage.covered().contains(table)) {
      FeedTable.addCovered(feed.status(), row);
    } else {
      row.text("feed", "unknown").text("feed_cure", null);
    }
  }

  private static long publishes(@Nullable TableTag tag, WriteReach reach) {
    return tag == null ? 0 : tag.publishes(reach);
  }

  /**
   * Returns the schemes by which the rows of a table are told apart, or null where there are none.
   */
  private @Nullable String schemes(String table) {
    KeyTable keys = keys(catalog, table);
    return keys == null || !isByKey(cache, table) ? null : keys.schemeNames();
  }

  private void addWrites(Row row, @Nullable TableTag tag) {
    long now = System.nanoTime();
    long[] ages =
        pending.stream()
            .filter(
                write ->
                    write.writes().unknown()
                        || (tag != null && write.writes().tags().contains(tag)))
            .mapToLong(write -> now - write.announcedNanos())
            .toArray();
    long last = tag == null ? 0 : tag.publishedAtMillis();
    row.number("invalidations", tag == null ? 0 : tag.publishes())
        .number("writes_by_key", publishes(tag, WriteReach.KEY))
        .number("writes_by_unknown_key", publishes(tag, WriteReach.UNKNOWN_KEY))
        .number("writes_by_table", publishes(tag, WriteReach.TABLE))
        .moment("last_invalidated_at", last == 0 ? null : Instant.ofEpochMilli(last))
        .number("writers", ages.length)
        .number("oldest_writer_millis", Arrays.stream(ages).max().orElse(0) / 1_000_000);
  }
}
