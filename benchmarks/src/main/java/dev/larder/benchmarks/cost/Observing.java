package dev.larder.benchmarks.cost;

import dev.larder.benchmarks.shapes.Crew;
import dev.larder.benchmarks.shapes.Postgres;
import dev.larder.benchmarks.shapes.ProcessorHalves;
import dev.larder.benchmarks.shapes.Servers;
import dev.larder.benchmarks.shapes.Variant;
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
import java.util.ArrayList;
import java.util.List;

/**
 * What {@code larder.mode=observe} adds to mixes of statements, in percent of the driver alone, on
 * a real server over loopback. Both have tables of their own, or what one writes would seem wrong
 * to the other. First by one thread, which waits for the server most of the time; then by twice as
 * many as there are processors, each with a connection, which keep all processors busy together
 * with the server; and by as many that have {@linkplain ProcessorHalves half of the processors},
 * and the server the other half.
 */
public final class Observing implements Experiment {
  private static final String NAME = "observe";
  private static final String CLOCK = "by the clock";
  private static final String PROCESSOR = "processor time of the thread";
  private static final String THROUGHPUT = "throughput of several threads";
  private static final String APART = "throughput, server on processors of its own";
  private static final String MIX = "mix";
  private static final String OBSERVED = "observed";
  private static final String DIRECT = "direct";
  private static final int FEW = 1_000;
  private static final int THREADS = 2 * Runtime.getRuntime().availableProcessors();
  private static final long TURN_NANOS = 50_000_000;
  private static final int PARTS = 10;

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
    return Duration.ofSeconds(20 + steps(scale) * scale.of(7L, 35L));
  }

  @Override
  public int steps(Scale scale) {
    return 3 * MIXES.size();
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
        measureTogether(postgres, mix, scale, results, progress);
      }
    }
  }

  private static void measure(Postgres postgres, Mix mix, int pairs, Results results)
      throws Exception {
    try (Connection direct = postgres.direct();
        Connection observed = observed(postgres, mix)) {
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

  private static Connection observed(Postgres postgres, Mix mix) throws SQLException {
    return postgres.larder(NAME + mix.name, "&larder.mode=observe&currentSchema=" + OBSERVED);
  }

  private static Connection direct(Postgres postgres) throws SQLException {
    Connection direct = postgres.direct();
    direct.setSchema(DIRECT);
    return direct;
  }

  private static void measureTogether(
      Postgres postgres, Mix mix, Scale scale, Results results, Progress progress)
      throws Exception {
    try (Connection witness = observed(postgres, mix);
        Crew without = new Crew(new Variant(DIRECT, () -> direct(postgres)), THREADS);
        Crew with = new Crew(new Variant(OBSERVED, () -> observed(postgres, mix)), THREADS)) {
      Both both = new Both(mix, without, with);
      // The compiler shares the processors, and has more to do for Larder.
      both.run(scale.of(40, 240));
      both.measure(scale.of(50, 300), THROUGHPUT, results);
      progress.step(NAME + ": " + mix.name + ", several threads");
      if (ProcessorHalves.arePossible()) {
        ProcessorHalves.during(
            postgres.process(),
            () -> {
              both.run(scale.of(10, 40));
              both.measure(scale.of(50, 300), APART, results);
            });
      }
      progress.step(NAME + ": " + mix.name + ", processors apart");
      check(witness);
    }
  }

  /** Several threads without and with Larder, which run by turns. */
  private static final class Both {
    private final Mix mix;
    private final Crew without;
    private final Crew with;
    private final StatementMix[] direct = new StatementMix[THREADS];
    private final StatementMix[] observed = new StatementMix[THREADS];
    private int turns;

    Both(Mix mix, Crew without, Crew with) {
      this.mix = mix;
      this.without = without;
      this.with = with;
    }

    /** Runs pairs of turns; returns by how many percent each did more without. */
    List<Double> run(int pairs) throws Exception {
      List<Double> percents = new ArrayList<>();
      for (int i = 0; i < pairs; i++) {
        boolean first = turns++ % 2 == 0;
        double one = first ? turn(without, direct, mix) : turn(with, observed, mix);
        double other = first ? turn(with, observed, mix) : turn(without, direct, mix);
        percents.add(100 * ((first ? one / other : other / one) - 1));
      }
      return percents;
    }

    void measure(int pairs, String variant, Results results) throws Exception {
      for (int part = 0; part < PARTS; part++) {
        double percent = Spread.of(run(pairs / PARTS)).median();
        results.add(NAME, variant, "added", "%", percent, MIX, mix.name);
      }
    }
  }

  /** Returns how many statements a second all threads have run together. */
  private static double turn(Crew crew, StatementMix[] mixes, Mix mix) throws Exception {
    Crew.Done done =
        crew.run(
            (connection, thread) -> {
              StatementMix own = mixes[thread];
              if (own == null) {
                own = new StatementMix(connection, mix.pages, thread);
                mixes[thread] = own;
              }
              long end = System.nanoTime() + TURN_NANOS;
              long count = 0;
              long sum = 0;
              do {
                sum += own.next();
                count++;
              } while (System.nanoTime() - end < 0);
              return sum == Long.MIN_VALUE ? 0 : count;
            });
    return done.perSecond();
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
    for (String variant : List.of(CLOCK, APART, THROUGHPUT, PROCESSOR)) {
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
