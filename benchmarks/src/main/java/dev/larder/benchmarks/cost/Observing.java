package dev.larder.benchmarks.cost;

import dev.larder.benchmarks.shapes.Postgres;
import dev.larder.benchmarks.shapes.Servers;
import dev.larder.benchmarks.suite.BarFigure;
import dev.larder.benchmarks.suite.Experiment;
import dev.larder.benchmarks.suite.Figures;
import dev.larder.benchmarks.suite.Progress;
import dev.larder.benchmarks.suite.Results;
import dev.larder.benchmarks.suite.Scale;
import dev.larder.benchmarks.suite.Spread;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/**
 * What {@code larder.mode=observe} adds to mixes of statements, in percent of the driver alone, on
 * a real server over loopback. Both have tables of their own, or what one writes would seem wrong
 * to the other. One thread, one connection each.
 */
public final class Observing implements Experiment {
  private static final String NAME = "observe";
  private static final String CLOCK = "by the clock";
  private static final String PROCESSOR = "processor time of the thread";
  private static final String MIX = "mix";
  private static final String OBSERVED = "observed";
  private static final String DIRECT = "direct";
  private static final int FEW = 1_000;

  private static final List<Mix> MIXES = List.of(new Mix("look-ups", 0), new Mix("shop", 25));

  /**
   * A mix of statements.
   *
   * @param pages how many of a hundred read a page
   */
  private record Mix(String name, int pages) {}

  /** For the command. */
  public Observing() {}

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Duration expected(Scale scale) {
    return Duration.ofSeconds(20 + steps(scale) * scale.of(6L, 24L));
  }

  @Override
  public int steps(Scale scale) {
    return MIXES.size();
  }

  @Override
  public void run(Scale scale, Results results, Progress progress) throws Exception {
    try (Servers servers = new Servers()) {
      Postgres postgres = servers.postgres();
      for (String schema : List.of(DIRECT, OBSERVED)) {
        postgres.execute(StatementMix.tables(schema).toArray(String[]::new));
      }
      postgres.awaitCatalog();
      for (Mix mix : MIXES) {
        measure(postgres, mix, scale.of(200, 1_000), results);
        progress.step(NAME + ": " + mix.name);
      }
    }
  }

  private static void measure(Postgres postgres, Mix mix, int pairs, Results results)
      throws Exception {
    try (Connection direct = postgres.direct();
        Connection observed =
            postgres.larder(NAME + mix.name, "&larder.mode=observe&currentSchema=" + OBSERVED)) {
      direct.setSchema(DIRECT);
      StatementMix without = new StatementMix(direct, mix.pages, 1);
      StatementMix with = new StatementMix(observed, mix.pages, 1);
      new Pairs(without::next, with::next)
          .run(
              pairs,
              (percent, processorPercent) -> {
                results.add(NAME, CLOCK, "added", "%", percent, MIX, mix.name);
                results.add(NAME, PROCESSOR, "added", "%", processorPercent, MIX, mix.name);
              });
      check(observed);
    }
  }

  private static void check(Connection observed) throws SQLException {
    long hits = Postgres.count(observed, "hits");
    long misses = Postgres.count(observed, "misses");
    long wrong = Postgres.count(observed, "wrong_hits");
    if (wrong > 0 || hits < FEW || misses < FEW) {
      throw new SQLException(
          hits + " hits, " + wrong + " of them wrong, and " + misses + " misses");
    }
  }

  @Override
  public void draw(Results results, Figures figures) throws IOException {
    BarFigure figure =
        figures
            .bars(
                NAME,
                "What larder.mode=observe adds, over pgjdbc alone",
                "percent; thin lines: half the distance of the quartiles")
            .linear();
    for (String variant : List.of(CLOCK, PROCESSOR)) {
      for (Mix mix : MIXES) {
        List<Double> percents =
            results.values(NAME, variant, "added", MIX, mix.name).stream().sorted().toList();
        if (!percents.isEmpty()) {
          figure.bar(variant, mix.name, Spread.quartiles(percents));
        }
      }
    }
    figure.save();
  }
}
