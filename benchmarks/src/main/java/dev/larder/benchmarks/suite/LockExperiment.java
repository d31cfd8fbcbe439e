package dev.larder.benchmarks.suite;

import dev.larder.benchmarks.locks.LockStrategies;
import dev.larder.benchmarks.locks.Strategy;
import dev.larder.benchmarks.locks.Writes;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * {@link LockStrategies} by {@link CellPlan}. Each run of JMH is one JVM of one cell; the
 * strategies of a combination follow each other, and everything is gone through once for each fork,
 * so that a drift of the machine concerns all alike.
 */
final class LockExperiment implements Experiment {
  private static final String NAME = "locks";
  private static final String THROUGHPUT = "throughput";

  /** What a JVM of JMH needs to start, and to fill a cache, before it measures. */
  private static final long START_MILLIS = 2_300;

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public boolean forksItself() {
    return true;
  }

  @Override
  public int steps(Scale scale) {
    return CellPlan.of(scale).size() * scale.forks();
  }

  @Override
  public Duration expected(Scale scale) {
    return timeOfACell(scale).multipliedBy(steps(scale));
  }

  /** A JVM for each mode: throughput, and in {@code full} a sample of the times, too. */
  private static Duration timeOfACell(Scale scale) {
    long iterations = (long) warmUps(scale) + measurements(scale);
    return Duration.ofMillis(
        scale.of(1L, 2L) * (iterations * iterationMillis(scale) + START_MILLIS));
  }

  private static int warmUps(Scale scale) {
    return scale.of(1, 2);
  }

  private static int measurements(Scale scale) {
    return scale.of(2, 5);
  }

  private static long iterationMillis(Scale scale) {
    return scale.of(500L, 1_000L);
  }

  @Override
  public void run(Scale scale, Results results, Progress progress) throws RunnerException {
    for (int fork = 0; fork < scale.forks(); fork++) {
      for (CellPlan.Cell cell : CellPlan.of(scale)) {
        for (RunResult result : new Runner(options(scale, cell)).run()) {
          record(cell, result, results);
        }
        progress.step(NAME + ": " + cell.strategy() + " " + cell.writes() + " t=" + cell.threads());
      }
    }
  }

  private static Options options(Scale scale, CellPlan.Cell cell) {
    var options =
        new OptionsBuilder()
            .include(LockStrategies.class.getName() + ".access")
            .param("strategy", cell.strategy().name())
            .param("writes", cell.writes().name())
            .param("resultBytes", Integer.toString(cell.resultBytes()))
            .param("entries", Integer.toString(cell.entries()))
            .threads(cell.threads())
            .forks(1)
            .warmupIterations(warmUps(scale))
            .measurementIterations(measurements(scale))
            .warmupTime(TimeValue.milliseconds(iterationMillis(scale)))
            .measurementTime(TimeValue.milliseconds(iterationMillis(scale)))
            .addProfiler(GCProfiler.class)
            .jvmArgsPrepend("-Djmh.ignoreLock=true")
            .verbosity(VerboseMode.SILENT);
    return scale == Scale.QUICK ? options.mode(Mode.Throughput).build() : options.build();
  }

  private static void record(CellPlan.Cell cell, RunResult run, Results results) {
    Result<?> primary = run.getPrimaryResult();
    if (run.getParams().getMode() == Mode.Throughput) {
      add(cell, results, THROUGHPUT, "accesses/µs", primary.getScore());
      double hits = score(run, "hits");
      double looks = hits + score(run, "misses");
      if (looks > 0) {
        add(cell, results, "hit ratio", "1", hits / looks);
      }
      add(cell, results, "allocated", "B/access", score(run, "gc.alloc.rate.norm"));
    } else {
      for (double percentile : new double[] {50, 99, 99.9}) {
        double micros = primary.getStatistics().getPercentile(percentile);
        add(cell, results, "p" + percentile, "µs", micros);
      }
    }
  }

  private static double score(RunResult run, String name) {
    for (String key : run.getSecondaryResults().keySet()) {
      if (key.endsWith(name)) {
        return run.getSecondaryResults().get(key).getScore();
      }
    }
    return 0;
  }

  private static void add(
      CellPlan.Cell cell, Results results, String metric, String unit, double value) {
    results.add(
        NAME,
        cell.strategy().label(),
        metric,
        unit,
        value,
        "threads",
        cell.threads(),
        "writes",
        cell.writes(),
        "resultBytes",
        cell.resultBytes(),
        "entries",
        cell.entries());
  }

  @Override
  public void draw(Results results, Figures figures) throws IOException {
    for (Writes writes : Writes.values()) {
      for (String metric : List.of(THROUGHPUT, "p50.0", "p99.0", "p99.9")) {
        draw(results, figures, writes, metric);
      }
    }
  }

  private static void draw(Results results, Figures figures, Writes writes, String metric)
      throws IOException {
    boolean throughput = metric.equals(THROUGHPUT);
    String percentile = metric.replace(".0", "");
    Map<String, String> shape = shapeOf(results, writes);
    LineFigure figure =
        figures
            .lines(
                NAME + "-" + (throughput ? "" : percentile + "-") + slug(writes),
                "Look-ups, "
                    + writes.label()
                    + ", "
                    + shape.getOrDefault("entries", "")
                    + " entries of "
                    + shape.getOrDefault("resultBytes", "")
                    + " bytes",
                "threads",
                throughput
                    ? "accesses a microsecond"
                    : percentile.substring(1) + "th percentile of an access, µs")
            .doublingX()
            .decadesY();
    for (Strategy strategy : Strategy.values()) {
      figure.line(
          strategy.label(),
          results.line(
              NAME,
              strategy.label(),
              metric,
              "threads",
              factors ->
                  writes.name().equals(factors.get("writes"))
                      && shape.entrySet().stream()
                          .allMatch(f -> Objects.equals(factors.get(f.getKey()), f.getValue()))));
    }
    figure.save();
  }

  /** Returns the size and number of the results that the lines of a figure are about. */
  private static Map<String, String> shapeOf(Results results, Writes writes) {
    return results.samples().stream()
        .filter(sample -> sample.experiment().equals(NAME))
        .map(Sample::factors)
        .filter(factors -> writes.name().equals(factors.get("writes")))
        .findFirst()
        .map(
            factors ->
                Map.of(
                    "entries",
                    Objects.requireNonNull(factors.get("entries")),
                    "resultBytes",
                    Objects.requireNonNull(factors.get("resultBytes"))))
        .orElse(Map.of());
  }

  private static String slug(Writes writes) {
    return switch (writes) {
      case NONE -> "read-only";
      case SOME_A_SECOND -> "65-a-second";
      case ONE_PERCENT -> "1-percent";
      case TEN_PERCENT -> "10-percent";
    };
  }
}
