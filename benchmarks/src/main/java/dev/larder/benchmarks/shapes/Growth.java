package dev.larder.benchmarks.shapes;

import dev.larder.benchmarks.suite.Experiment;
import dev.larder.benchmarks.suite.Figures;
import dev.larder.benchmarks.suite.LineFigure;
import dev.larder.benchmarks.suite.Progress;
import dev.larder.benchmarks.suite.Results;
import dev.larder.benchmarks.suite.Scale;
import dev.larder.local.LocalResultStores;
import dev.larder.result.CachedResult;
import dev.larder.result.RawRows;
import dev.larder.result.ResultColumns;
import dev.larder.sql.LexOptions;
import dev.larder.sql.SqlLexer;
import dev.larder.sql.StatementShape;
import dev.larder.store.CacheEntry;
import dev.larder.store.EntryOwner;
import dev.larder.store.QueryKey;
import dev.larder.store.ResultStore;
import dev.larder.store.SessionFingerprint;
import dev.larder.store.TableTag;
import dev.larder.store.TableVersions;
import dev.larder.store.VersionVector;
import dev.larder.store.WriteSet;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;

/**
 * What the store's and the versions' own part of a hit, a miss and an invalidation costs while one
 * thing grows: entries, tables, or tables a query. By the product's classes, without a driver; one
 * thread.
 */
public final class Growth implements Experiment {
  private static final String NAME = "growth";
  private static final String TIME = "time";
  private static final String ENTRIES = "entries";
  private static final String TABLES = "tables";
  private static final String TABLES_A_QUERY = "tablesAQuery";
  private static final int USUAL_ENTRIES = 10_000;
  private static final int USUAL_TABLES = 16;
  private static final int BYTES = 100;

  /** For the command. */
  public Growth() {}

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Duration expected(Scale scale) {
    return Duration.ofSeconds(steps(scale) * scale.of(3L, 9L));
  }

  @Override
  public int steps(Scale scale) {
    return entries(scale).size() + tables().size() + tablesAQuery().size();
  }

  private static List<Integer> entries(Scale scale) {
    return scale.of(
        List.of(1_000, 10_000, 100_000, 1_000_000),
        List.of(1_000, 10_000, 100_000, 1_000_000, 5_000_000));
  }

  private static List<Integer> tables() {
    return List.of(1, 10, 100, 1_000, 10_000);
  }

  private static List<Integer> tablesAQuery() {
    return List.of(1, 2, 5, 10, 20, 50);
  }

  @Override
  public void run(Scale scale, Results results, Progress progress) throws Exception {
    for (int entries : entries(scale)) {
      measure(ENTRIES, entries, new Population(entries, USUAL_TABLES, 1), scale, results);
      progress.step(NAME + ": " + entries + " entries");
    }
    for (int tables : tables()) {
      measure(TABLES, tables, new Population(USUAL_ENTRIES, tables, 1), scale, results);
      progress.step(NAME + ": " + tables + " tables");
    }
    for (int each : tablesAQuery()) {
      measure(TABLES_A_QUERY, each, new Population(USUAL_ENTRIES, each, each), scale, results);
      progress.step(NAME + ": " + each + " tables a query");
    }
  }

  private static void measure(
      String factor, int size, Population population, Scale scale, Results results)
      throws Exception {
    results.add(
        NAME,
        "heap",
        "weight",
        "B/entry",
        population.store.sizeBytes() / (double) population.entries,
        factor,
        size);
    new Turns(scale.of(50L, 150L))
        .add("hit", population::hits)
        .add("hit after a write", population::hitsAfterWrites)
        .add("miss and admission", population::misses)
        .add("invalidation", population::invalidations)
        .run(
            5,
            (task, nanos, processorNanos) ->
                results.add(
                    NAME, task, TIME, "ns", processorNanos / Population.BATCH, factor, size));
  }

  /** A store that is full of results, each of some of the tables. */
  private static final class Population {
    /** What one turn of the clock would be too short for. */
    static final int BATCH = 1_000;

    private static final Object[] NO_LITERALS = {};

    /** Tables that no result here has read, lest there soon be none to hit. */
    private static final long FIRST_WRITTEN = 1_000_000;

    final int entries;
    final ResultStore store = LocalResultStores.of(1L << 40, OptionalLong.empty());
    private final TableVersions versions = new TableVersions();
    private final List<TableTag> tags;
    private final List<WriteSet> writes;
    private final int tablesAQuery;
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
              CachedResult.of(new ResultColumns(List.of()), rows, false),
              captured,
              Long.MAX_VALUE,
              Nobody.COUNTS));
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
  }

  private enum Nobody implements EntryOwner {
    COUNTS;

    @Override
    public void admitted(long weightBytes) {}

    @Override
    public void evicted(long weightBytes) {}

    @Override
    public void expired(long weightBytes) {}

    @Override
    public void dropped(long weightBytes) {}
  }

  @Override
  public void draw(Results results, Figures figures) throws IOException {
    draw(results, figures, ENTRIES, "entries", true);
    draw(results, figures, TABLES, "tables", true);
    draw(results, figures, TABLES_A_QUERY, "tables a query", false);
  }

  private static void draw(
      Results results, Figures figures, String factor, String label, boolean decades)
      throws IOException {
    LineFigure figure =
        figures
            .lines(
                NAME + "-" + label.replace(' ', '-'),
                "Store and versions alone, by " + label,
                label,
                "ns of processor time")
            .decadesY();
    if (decades) {
      figure.decadesX();
    }
    for (String variant : results.variants(NAME)) {
      figure.line(variant, results.line(NAME, variant, TIME, factor, factors -> true));
    }
    figure.save();
  }
}
