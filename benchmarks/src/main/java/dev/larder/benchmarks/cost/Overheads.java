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
 * What the product adds, in percent, to what it cannot answer: reads that miss, queries that are
 * never cached, writes, transactions, and anything while it is switched off. On a real server over
 * loopback, which has no disk to wait for: anything slower makes the percentages smaller. One
 * thread, one connection each.
 */
public final class Overheads implements Experiment {
  private static final String NAME = "cost";
  private static final String CLOCK = "by the clock";
  private static final String PROCESSOR = "processor time of the thread";
  private static final String CASE = "case";

  /** So small that every miss evicts; and misses are what is measured. */
  private static final String SMALL = "&larder.maxBytes=1MB&larder.admission=all";

  /** After a pause longer than the catalog is trusted for, which a busy machine may make. */
  private static final double MOST_OTHERS = 0.02;

  /** Something to run on either connection. */
  private record Case(String name, Action action, boolean switchedOff) {}

  private interface Action {
    long run(Statements statements) throws SQLException;
  }

  /** More than are used, and so few that all runs together have different ones. */
  private static final int KEYS_OF_A_RUN = 20_000_000;

  private int keys;

  /** For the command. */
  public Overheads() {}

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Duration expected(Scale scale) {
    return Duration.ofSeconds(25 + steps(scale) * scale.of(5L, 14L));
  }

  @Override
  public int steps(Scale scale) {
    return cases().size();
  }

  private static List<Case> cases() {
    return List.of(
        new Case("miss", Statements::readNew, false),
        new Case("bypass", Statements::readTheClock, false),
        new Case("write", Statements::write, false),
        new Case("transaction of 3", Statements::transaction, false),
        new Case("off: read", Statements::readNew, true),
        new Case("off: write", Statements::write, true),
        new Case("off: transaction", Statements::transaction, true));
  }

  @Override
  public void run(Scale scale, Results results, Progress progress) throws Exception {
    try (Servers servers = new Servers()) {
      Postgres postgres = servers.postgres();
      postgres.createAccounts();
      postgres.awaitCatalog();
      for (Case one : cases()) {
        // All before any is measured, or the first would pay for what the others share.
        run(postgres, one, 0, new Results());
      }
      for (Case one : cases()) {
        run(postgres, one, scale.of(100, 500), results);
        progress.step(NAME + ": " + one.name);
      }
    }
  }

  private void run(Postgres postgres, Case one, int pairs, Results results) throws Exception {
    String parameters = one.switchedOff ? "&larder.enabled=false" : SMALL;
    try (Connection direct = postgres.direct();
        Connection larder = postgres.larder(NAME + one.switchedOff, parameters)) {
      measure(one, direct, larder, pairs, results);
    }
  }

  private int nextKey() {
    keys += KEYS_OF_A_RUN;
    return keys;
  }

  private void measure(Case one, Connection direct, Connection larder, int pairs, Results results)
      throws Exception {
    Statements without = new Statements(direct, nextKey());
    Statements with = new Statements(larder, nextKey());
    long missesBefore = Postgres.count(larder, "misses");
    long bypassesBefore = Postgres.count(larder, "bypasses");
    new Pairs(() -> one.action.run(without), () -> one.action.run(with))
        .run(
            pairs,
            (percent, processorPercent) -> {
              results.add(NAME, CLOCK, "added", "%", percent, CASE, one.name);
              results.add(NAME, PROCESSOR, "added", "%", processorPercent, CASE, one.name);
            });
    long misses = Postgres.count(larder, "misses") - missesBefore;
    long bypasses = Postgres.count(larder, "bypasses") - bypassesBefore;
    boolean expected =
        one.switchedOff
            ? misses == 0 && bypasses >= with.reads()
            : misses >= with.misses() * (1 - MOST_OTHERS)
                && misses <= with.misses()
                && bypasses >= with.reads() - with.misses();
    if (!expected) {
      throw new SQLException(
          String.format(
              "%s: %d misses and %d bypasses of %d reads",
              one.name, misses, bypasses, with.reads()));
    }
  }

  @Override
  public void draw(Results results, Figures figures) throws IOException {
    BarFigure figure =
        figures
            .bars(
                NAME,
                "What Larder adds where it cannot answer, over pgjdbc alone",
                "percent; thin lines: half the distance of the quartiles")
            .linear();
    for (String variant : List.of(CLOCK, PROCESSOR)) {
      for (Case one : cases()) {
        List<Double> percents =
            results.values(NAME, variant, "added", CASE, one.name).stream().sorted().toList();
        if (!percents.isEmpty()) {
          figure.bar(variant, one.name, Spread.quartiles(percents));
        }
      }
    }
    figure.save();
  }
}
