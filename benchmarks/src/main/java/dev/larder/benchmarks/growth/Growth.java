package dev.larder.benchmarks.growth;

import dev.larder.benchmarks.shapes.Turns;
import dev.larder.benchmarks.shapes.UsedHeap;
import dev.larder.benchmarks.suite.Experiment;
import dev.larder.benchmarks.suite.Figures;
import dev.larder.benchmarks.suite.LineFigure;
import dev.larder.benchmarks.suite.Machine;
import dev.larder.benchmarks.suite.Progress;
import dev.larder.benchmarks.suite.Results;
import dev.larder.benchmarks.suite.Scale;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/**
 * What the store's and the versions' own part of a hit, a miss and an invalidation costs, and what
 * an entry occupies on the heap, while one thing grows: entries, tables, or tables a query. By the
 * product's classes, without a driver; one thread. Numbers of entries that do not fit the heap are
 * left out, and the figure says so.
 */
public final class Growth implements Experiment {
  private static final String NAME = "growth";
  private static final String TIME = "time";
  private static final String HEAP = "heap";
  private static final String LEFT_OUT = "left out";
  private static final String ENTRIES = "entries";
  private static final String TABLES = "tables";
  private static final String TABLES_A_QUERY = "tablesAQuery";
  private static final int USUAL_ENTRIES = 10_000;
  private static final int USUAL_TABLES = 16;
  private static final int MANY_ENTRIES = 10_000_000;
  private static final int MANY_SECONDS = 90;

  /** More than an entry occupies, so that the collector has room. */
  private static final long ROOM_FOR_AN_ENTRY = 600;

  /** For the command. */
  public Growth() {}

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Duration expected(Scale scale) {
    return Duration.ofSeconds(steps(scale) * scale.of(3L, 9L) + scale.of(0, MANY_SECONDS));
  }

  @Override
  public int steps(Scale scale) {
    return entries(scale).size() + tables().size() + tablesAQuery().size();
  }

  @Override
  public long heapBytes(Scale scale) {
    long enough = scale.of(USUAL_ENTRIES * 100, MANY_ENTRIES) * ROOM_FOR_AN_ENTRY * 5 / 4;
    return Math.min(Math.max(enough, 1L << 30), Machine.memoryBytes() / 2);
  }

  private static List<Integer> entries(Scale scale) {
    return scale.of(
        List.of(1_000, 10_000, 100_000, 1_000_000),
        List.of(1_000, 10_000, 100_000, 1_000_000, MANY_ENTRIES));
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
      if (entries * ROOM_FOR_AN_ENTRY > Runtime.getRuntime().maxMemory()) {
        double missing = entries * ROOM_FOR_AN_ENTRY;
        results.add(NAME, ENTRIES, LEFT_OUT, "B of heap needed", missing, ENTRIES, entries);
        progress.step(NAME + ": " + entries + " entries left out, too little heap");
      } else {
        measure(ENTRIES, entries, entries, USUAL_TABLES, 1, scale, results);
        progress.step(NAME + ": " + entries + " entries");
      }
    }
    for (int tables : tables()) {
      measure(TABLES, tables, USUAL_ENTRIES, tables, 1, scale, results);
      progress.step(NAME + ": " + tables + " tables");
    }
    for (int each : tablesAQuery()) {
      measure(TABLES_A_QUERY, each, USUAL_ENTRIES, each, each, scale, results);
      progress.step(NAME + ": " + each + " tables a query");
    }
  }

  private static void measure(
      String factor,
      int size,
      int entries,
      int tables,
      int tablesAQuery,
      Scale scale,
      Results results)
      throws Exception {
    long before = UsedHeap.bytes();
    Population population = new Population(entries, tables, tablesAQuery);
    double each = (UsedHeap.bytes() - before) / (double) entries;
    results.add(NAME, "on the heap", HEAP, "B/entry", each, factor, size);
    results.add(NAME, "as counted", HEAP, "B/entry", population.weightBytes(), factor, size);
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

  @Override
  public void draw(Results results, Figures figures) throws IOException {
    draw(results, figures, ENTRIES, "entries", true);
    draw(results, figures, TABLES, "tables", true);
    draw(results, figures, TABLES_A_QUERY, "tables a query", false);
  }

  private static void draw(
      Results results, Figures figures, String factor, String label, boolean decades)
      throws IOException {
    String name = "-" + label.replace(' ', '-');
    String axis = label + leftOut(results, factor);
    LineFigure times =
        figures
            .lines(
                NAME + name, "Store and versions alone, by " + label, axis, "ns of processor time")
            .decadesY();
    LineFigure heap =
        figures.lines(
            HEAP + name, "Heap of an entry of 16 bytes, by " + label, axis, "bytes an entry");
    if (decades) {
      times.decadesX();
      heap.decadesX();
    }
    for (String variant : results.variants(NAME)) {
      times.line(variant, results.line(NAME, variant, TIME, factor, factors -> true));
      heap.line(variant, results.line(NAME, variant, HEAP, factor, factors -> true));
    }
    times.save();
    heap.save();
  }

  private static String leftOut(Results results, String factor) {
    StringBuilder text = new StringBuilder();
    for (Results.Point point : results.line(NAME, factor, LEFT_OUT, factor, factors -> true)) {
      text.append(
          String.format("; %,d need %.0f GB of heap", (long) point.x(), point.y().median() / 1e9));
    }
    return text.toString();
  }
}
