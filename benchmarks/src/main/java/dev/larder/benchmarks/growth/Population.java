package dev.larder.benchmarks.growth;

import dev.larder.lexer.LexOptions;
import dev.larder.lexer.SqlLexer;
import dev.larder.lexer.StatementShape;
import dev.larder.local.LocalResultStore;
import dev.larder.result.CachedResult;
import dev.larder.result.RawRows;
import dev.larder.result.ResultColumns;
import dev.larder.store.CacheEntry;
import dev.larder.store.EntryOwner;
import dev.larder.store.QueryKey;
import dev.larder.store.ResultStore;
import dev.larder.store.SessionFingerprint;
import dev.larder.store.TableTag;
import dev.larder.store.TableVersions;
import dev.larder.store.VersionVector;
import dev.larder.store.WriteSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;

/**
 * The product's store, full of results of one short value, each of some of the tables, and its
 * versions. For one thread.
 */
final class Population {
  /** What one turn of the clock would be too short for. */
  static final int BATCH = 1_000;

  private static final Object[] NO_LITERALS = {};
  private static final int BYTES = 16;

  /** Tables that no result here has read, lest there soon be none to hit. */
  private static final long FIRST_WRITTEN = 1_000_000;

  private final int entries;
  private final ResultStore store = LocalResultStore.of(1L << 40, OptionalLong.empty());
  private final TableVersions versions = new TableVersions();
  private final List<TableTag> tags;
  private final List<WriteSet> writes;
  private final int tablesAQuery;
  private final ResultColumns columns = new ResultColumns(List.of());
  private final StatementShape shape =
      SqlLexer.lex("SELECT a FROM t WHERE id = ?", LexOptions.PREPARED).shape();
  private final SessionFingerprint session =
      new SessionFingerprint("", "u", "u", List.of(), new TreeMap<>()).intern();

  Population(int entries, int tables, int tablesAQuery) {
    this.entries = entries;
    this.tablesAQuery = tablesAQuery;
    tags =
        IntStream.range(0, tables)
            .mapToObj(i -> versions.tag(TableTag.Scope.RELATION, i + 1L))
            .toList();
    writes =
        IntStream.range(0, tables)
            .mapToObj(i -> versions.tag(TableTag.Scope.RELATION, FIRST_WRITTEN + i))
            .map(tag -> new WriteSet(List.of(tag), false))
            .toList();
    for (int id = 0; id < entries; id++) {
      put(id);
    }
  }

  /** Returns what the store says that an entry weighs. */
  double weightBytes() {
    return store.sizeBytes() / (double) entries;
  }

  private QueryKey key(int id) {
    return new QueryKey(shape, session, NO_LITERALS, new Object[] {id}, 0);
  }

  private void put(int id) {
    int first = id % (tags.size() - tablesAQuery + 1);
    VersionVector captured = versions.capture(tags.subList(first, first + tablesAQuery));
    if (captured == null) {
      throw new IllegalStateException("Nothing is being written.");
    }
    RawRows rows = new RawRows(new byte[1][1][BYTES]);
    store.put(
        key(id),
        new CacheEntry(
            CachedResult.of(columns, rows, false), captured, Long.MAX_VALUE, Nobody.COUNTS));
  }

  private int someId() {
    return ThreadLocalRandom.current().nextInt(entries);
  }

  long hits() {
    for (int i = 0; i < BATCH; i++) {
      hit();
    }
    return BATCH;
  }

  /** The epoch has moved since any of these entries was hit. */
  long hitsAfterWrites() {
    for (int i = 0; i < BATCH; i++) {
      versions.publish(versions.announce(writes.get(0)));
      hit();
    }
    return BATCH;
  }

  private void hit() {
    CacheEntry entry = store.get(key(someId()));
    if (entry == null || !versions.isCurrent(entry)) {
      throw new IllegalStateException("There is nothing to hit.");
    }
  }

  long misses() {
    for (int i = 0; i < BATCH; i++) {
      put(someId());
    }
    return BATCH;
  }

  long invalidations() {
    for (int i = 0; i < BATCH; i++) {
      int table = ThreadLocalRandom.current().nextInt(writes.size());
      versions.publish(versions.announce(writes.get(table)));
    }
    return BATCH;
  }

  private enum Nobody implements EntryOwner {
    COUNTS;

    @Override
    public void count(Event event, long weightBytes) {}
  }
}
