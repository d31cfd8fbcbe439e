package dev.larder.benchmarks.shapes;

import dev.larder.benchmarks.suite.Experiment;
import dev.larder.benchmarks.suite.Figures;
import dev.larder.benchmarks.suite.LineFigure;
import dev.larder.benchmarks.suite.Progress;
import dev.larder.benchmarks.suite.Results;
import dev.larder.benchmarks.suite.Results.Point;
import dev.larder.benchmarks.suite.Scale;
import dev.larder.benchmarks.suite.Spread;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.Stream;

/**
 * A load that changes twice, over time: point look-ups of keys that never come again, then of a
 * thousand keys, then of new keys again. Without a cache, with all admitted, and with admission by
 * profit, one after the other.
 */
public final class LoadChanges implements Experiment {
  private static final String NAME = "load-changes";
  private static final String RATE = "throughput";
  private static final String SECONDS = "seconds";
  private static final String PHASE = "phase";
  private static final String ALL = Servers.LARDER_ALL;
  private static final String PROFIT = "Larder, larder.admission=profit";
  private static final int CONNECTIONS = 20;
  private static final int THREADS = 4;
  private static final int FEW_KEYS = 1_000;
  private static final int WARM_UP_SECONDS = 1;

  private static final int ABOVE_ALL_BRANCHES = 1_000;

  /** A slot is the time of which the throughput is one reading. */
  private static final int SLOTS_A_SECOND = 4;

  private static final long SLOT_NANOS = TimeUnit.SECONDS.toNanos(1) / SLOTS_A_SECOND;

  /** After so many look-ups a thread looks at the clock: a hit takes hardly longer than that. */
  private static final int GLANCE = 16;

  private static final String LOOKUP = "SELECT abalance FROM account WHERE aid = ? AND bid < ?";

  /** Another shape, so that the one that is measured is new to the caches. */
  private static final String WARM_UP = "SELECT aid FROM account WHERE aid = ? AND bid < ?";

  private static final AtomicInteger NEXT = new AtomicInteger();

  /** What is looked up for a while. */
  private enum Phase {
    NEW("new keys", 6, 15),
    FEW("1,000 keys", 8, 20),
    NEW_AGAIN("new keys again", 8, 20);

    private final String label;
    private final int quickSeconds;
    private final int fullSeconds;

    Phase(String label, int quickSeconds, int fullSeconds) {
      this.label = label;
      this.quickSeconds = quickSeconds;
      this.fullSeconds = fullSeconds;
    }

    int seconds(Scale scale) {
      return scale.of(quickSeconds, fullSeconds);
    }

    /** Returns what is to be looked up next; keys that never come again are counted up. */
    int next(SplittableRandom random) {
      return this == FEW ? random.nextInt(FEW_KEYS) : NEXT.incrementAndGet();
    }
  }

  /** For the command. */
  public LoadChanges() {}

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Duration expected(Scale scale) {
    int seconds = Stream.of(Phase.values()).mapToInt(phase -> phase.seconds(scale)).sum();
    return Duration.ofSeconds(10L + (long) steps(scale) * seconds);
  }

  /** A step for each of the three ways to the server. */
  @Override
  public int steps(Scale scale) {
    return 3;
  }

  @Override
  public void run(Scale scale, Results results, Progress progress) throws Exception {
    List<Phase> slots =
        Stream.of(Phase.values()).flatMap(phase -> slots(phase, phase.seconds(scale))).toList();
    List<Phase> warmUp =
        Stream.of(Phase.NEW, Phase.FEW).flatMap(phase -> slots(phase, WARM_UP_SECONDS)).toList();
    try (Servers servers = new Servers(CONNECTIONS)) {
      Postgres postgres = servers.postgres();
      postgres.createAccounts();
      postgres.awaitCatalog();
      List<Variant> variants =
          List.of(
              new Variant(Servers.DIRECT, postgres::direct),
              new Variant(ALL, () -> larder(postgres, "all")),
              new Variant(PROFIT, () -> larder(postgres, "profit")));
      for (Variant variant : variants) {
        lookUp(variant, WARM_UP, warmUp);
      }
      for (Variant variant : variants) {
        add(results, variant, slots, lookUp(variant, LOOKUP, slots));
        progress.step(NAME + ": " + variant.label());
      }
    }
  }

  private static Connection larder(Postgres postgres, String admission) throws SQLException {
    return postgres.larder(admission, "&larder.maxBytes=64MB&larder.admission=" + admission);
  }

  private static Stream<Phase> slots(Phase phase, int seconds) {
    return Stream.generate(() -> phase).limit((long) seconds * SLOTS_A_SECOND);
  }

  /** Lets all threads look up, slot by slot; returns how often they did in each. */
  private static AtomicLongArray lookUp(Variant variant, String sql, List<Phase> slots)
      throws Exception {
    AtomicLongArray done = new AtomicLongArray(slots.size());
    try (Crew crew = new Crew(variant, THREADS)) {
      long began = System.nanoTime();
      crew.run((connection, thread) -> lookUp(connection, sql, slots, began, done));
    }
    return done;
  }

  private static long lookUp(
      Connection connection, String sql, List<Phase> slots, long began, AtomicLongArray done)
      throws SQLException {
    SplittableRandom random = new SplittableRandom();
    long count = 0;
    for (int slot = 0;
        slot < slots.size();
        slot = (int) ((System.nanoTime() - began) / SLOT_NANOS)) {
      for (int i = 0; i < GLANCE; i++) {
        lookUp(connection, sql, slots.get(slot).next(random));
      }
      done.addAndGet(slot, GLANCE);
      count += GLANCE;
    }
    return count;
  }

  private static void lookUp(Connection connection, String sql, int key) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setInt(1, key % Postgres.ACCOUNTS + 1);
      statement.setInt(2, ABOVE_ALL_BRANCHES + key / Postgres.ACCOUNTS);
      try (ResultSet row = statement.executeQuery()) {
        if (!row.next() || row.getInt(1) <= 0) {
          throw new SQLException("There is no row.");
        }
      }
    }
  }

  private static void add(
      Results results, Variant variant, List<Phase> slots, AtomicLongArray done) {
    for (int slot = 0; slot < slots.size(); slot++) {
      results.add(
          NAME,
          variant.label(),
          RATE,
          "1/s",
          (double) done.get(slot) * SLOTS_A_SECOND,
          SECONDS,
          (slot + 0.5) / SLOTS_A_SECOND,
          PHASE,
          slots.get(slot).label);
    }
  }

  @Override
  public void draw(Results results, Figures figures) throws IOException {
    LineFigure figure =
        figures
            .lines(
                NAME,
                "A load that changes: point look-ups by " + THREADS + " threads",
                SECONDS,
                "look-ups a second")
            .fromZeroX()
            .decadesY()
            .withoutMarkers();
    for (String variant : results.variants(NAME)) {
      figure.line(variant, medians(results.line(NAME, variant, RATE, SECONDS, all -> true)));
    }
    for (Phase phase : Phase.values()) {
      List<Point> points =
          results.line(
              NAME, Servers.DIRECT, RATE, SECONDS, at -> phase.label.equals(at.get(PHASE)));
      if (!points.isEmpty()) {
        double half = 0.5 / SLOTS_A_SECOND;
        figure.scene(
            phase.label, points.get(0).x() - half, points.get(points.size() - 1).x() + half);
      }
    }
    figure.save();
  }

  /** An axis of decades has no place for a slot in which nothing was done. */
  private static List<Point> medians(List<Point> line) {
    return line.stream()
        .filter(point -> point.y().median() > 0)
        .map(point -> new Point(point.x(), Spread.of(List.of(point.y().median()))))
        .toList();
  }
}
