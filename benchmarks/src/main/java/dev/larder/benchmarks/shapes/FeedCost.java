package dev.larder.benchmarks.shapes;

import dev.larder.benchmarks.suite.Experiment;
import dev.larder.benchmarks.suite.Figures;
import dev.larder.benchmarks.suite.Progress;
import dev.larder.benchmarks.suite.Results;
import dev.larder.benchmarks.suite.Scale;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyDual;

/**
 * What change feeds cost the server: the processor time of the processes that send the log, while a
 * {@link Shop} is written at a steady rate. Each feed has one such process, whoever reads it; here
 * somebody reads it who only counts.
 */
public final class FeedCost implements Experiment {
  private static final String NAME = "feed-cost";
  private static final String SENDING = "processes that send the log";
  private static final String FEEDS = "feeds";
  private static final int RATE = 1_000;
  private static final int CONNECTIONS = 100;
  private static final int TICKS_A_SECOND = 100; // Of /proc, on every Linux that Java runs on.
  private static final List<Integer> COUNTS = List.of(1, 4, 8);

  /** For the command. */
  public FeedCost() {}

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Duration expected(Scale scale) {
    return Duration.ofSeconds(10L + steps(scale) * scale.of(4L, 12L));
  }

  @Override
  public int steps(Scale scale) {
    return counts(scale).size();
  }

  private static List<Integer> counts(Scale scale) {
    return scale.of(List.of(1, 4), COUNTS);
  }

  @Override
  public void run(Scale scale, Results results, Progress progress) throws Exception {
    try (Servers servers = Servers.withLogicalLog(CONNECTIONS)) {
      Postgres postgres = servers.postgres();
      Shop.create(postgres);
      postgres.execute("CREATE PUBLICATION larder FOR ALL TABLES");
      for (int feeds : counts(scale)) {
        double micros = microsOfOne(postgres, feeds, scale.of(3, 10));
        results.add(NAME, SENDING, "processor", "µs", micros, FEEDS, feeds);
        progress.step(NAME + ": " + feeds + " feeds");
      }
    }
  }

  /** Returns the processor time for one transaction in one process. */
  private static double microsOfOne(Postgres postgres, int feeds, int seconds) throws Exception {
    List<Follower> followers = new ArrayList<>();
    Variant direct = new Variant(Servers.DIRECT, postgres::direct);
    try (SteadyWrites writes = new SteadyWrites(direct, RATE, Shop::write);
        Connection asking = postgres.direct()) {
      for (int i = 0; i < feeds; i++) {
        followers.add(new Follower(postgres, i));
      }
      TimeUnit.SECONDS.sleep(1);
      long begun = writes.done();
      double before = processorSeconds(asking);
      TimeUnit.SECONDS.sleep(seconds);
      double spent = processorSeconds(asking) - before;
      long transactions = writes.done() - begun;
      writes.check();
      return spent * 1e6 / transactions / feeds;
    } finally {
      for (Follower each : followers) {
        each.close();
      }
    }
  }

  /** Returns how long the processes that send the log have run, in sum. */
  private static double processorSeconds(Connection asking) throws SQLException, IOException {
    double ticks = 0;
    try (Statement statement = asking.createStatement();
        ResultSet rows = statement.executeQuery("SELECT pid FROM pg_stat_replication")) {
      while (rows.next()) {
        String stat = Files.readString(Path.of("/proc/" + rows.getLong(1) + "/stat"));
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        ticks += Long.parseLong(fields[11]) + Long.parseLong(fields[12]);
      }
    }
    return ticks / TICKS_A_SECOND;
  }

  /** Reads the log, and forgets it. */
  private static final class Follower {
    private final Connection connection;
    private final Thread thread;

    Follower(Postgres postgres, int number) throws SQLException {
      connection =
          DriverManager.getConnection(
              postgres.url()
                  + "&replication=database&assumeMinServerVersion=10&preferQueryMode=simple");
      try (Statement statement = connection.createStatement()) {
        statement.execute("CREATE_REPLICATION_SLOT cost_" + number + " TEMPORARY LOGICAL pgoutput");
      }
      CopyDual log =
          connection
              .unwrap(PGConnection.class)
              .getCopyAPI()
              .copyDual(
                  "START_REPLICATION SLOT cost_"
                      + number
                      + " LOGICAL 0/0 (proto_version '2', streaming 'on', publication_names"
                      + " 'larder')");
      thread = new Thread(() -> read(log));
      thread.start();
    }

    private static void read(CopyDual log) {
      try {
        while (log.readFromCopy() != null) {
          // Only that it comes matters.
        }
      } catch (SQLException e) {
        // It was closed.
      }
    }

    void close() throws Exception {
      connection.abort(Runnable::run);
      thread.join();
    }
  }

  @Override
  public void draw(Results results, Figures figures) throws IOException {
    figures
        .lines(
            NAME,
            "What a change feed costs the server, at " + RATE + " transactions a second",
            "feeds",
            "µs of processor a transaction and feed")
        .fromZeroX()
        .line(SENDING, results.line(NAME, SENDING, "processor", FEEDS, factors -> true))
        .save();
  }
}
