package dev.larder.benchmarks.cost;

import dev.larder.benchmarks.shapes.Crew;
import dev.larder.benchmarks.shapes.Postgres;
import dev.larder.benchmarks.shapes.Servers;
import dev.larder.benchmarks.shapes.Variant;
import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * Loads that a cache cannot help, with and without admission by profit. The driver alone, {@code
 * larder.admission=all}, {@code profit}, a cache that is switched off, and one that shares by
 * memcached take turns; a line is printed for each, with the medians of the throughput over the
 * driver's in the same round, and of the processor time of this JVM, and with the hit ratio of
 * these rounds. Run it with a load, threads and rounds: {@code miss 4 20}; and with some of the
 * variants, where not all are to take part. A transaction that is rolled back counts for nothing.
 */
public final class AdmissionLoads {
  private static final long TURN_NANOS = 300_000_000;

  /** Rounds of warm-up at least: twenty seconds for each. */
  private static final int LEAST_WARM_UP = 67;

  private static final int MOST_WARM_UP = 400;

  /** After so many rounds it is asked whether the compilers are still at work. */
  private static final int LOOK = 10;

  /** Which part of the time of these rounds compilers may take once all is warm. */
  private static final double QUIET = 0.01;

  private static final int WIDTH = 10;
  private static final int SHOWN_SHAPES = 8;

  private static final AtomicInteger NEXT = new AtomicInteger();

  private AdmissionLoads() {}

  private static final Map<String, Load> LOADS =
      Map.of(
          "miss", (connection, random) -> readNew(connection),
          "literals", (connection, random) -> readLiteral(connection),
          "shapes", (connection, random) -> readShape(connection),
          "ycsb", AdmissionLoads::mostlyRead,
          "wide", (connection, random) -> readMany(connection),
          "friendly", (connection, random) -> read(connection, random.nextInt(1, 1_000), 1_000));

  /** Runs a load. */
  public static void main(String[] arguments) throws Exception {
    Load load = LOADS.getOrDefault(arguments[0], TransactionLoads.all().get(arguments[0]));
    int threads = Integer.parseInt(arguments[1]);
    int rounds = Integer.parseInt(arguments[2]);
    if (load == null) {
      throw new IllegalArgumentException("There is no load " + arguments[0]);
    }
    try (Servers servers = new Servers()) {
      Postgres postgres = servers.postgres();
      postgres.createAccounts();
      TransactionTables.create(postgres, arguments[0]);
      postgres.awaitCatalog();
      servers.withLarderMemcached("shared");
      List<Variant> variants =
          Stream.concat(
                  servers.variants().stream(),
                  Stream.of(
                      larder(postgres, "all"),
                      larder(postgres, "profit"),
                      new Variant("off", () -> postgres.larder("off", "&larder.enabled=false"))))
              .toList();
      List<String> chosen = List.of(arguments).subList(3, arguments.length);
      List<Variant> taking =
          variants.stream()
              .filter(each -> chosen.isEmpty() || chosen.contains(each.label()))
              .toList();
      run(arguments[0] + " " + threads, load, taking, threads, rounds);
    }
  }

  private static Variant larder(Postgres postgres, String admission) {
    return new Variant(
        admission,
        () -> postgres.larder(admission, "&larder.maxBytes=16MB&larder.admission=" + admission));
  }

  /** A variant and what it was measured to take. */
  private record Runner(Variant variant, Crew crew, List<Double> ratios, List<Double> micros) {
    static Runner of(Variant variant, int threads) throws SQLException {
      return new Runner(variant, new Crew(variant, threads), new ArrayList<>(), new ArrayList<>());
    }

    /** Has a turn; returns how often a second the load ran. */
    double turn(Load load, boolean counts) throws Exception {
      long processor = processorNanos();
      Crew.Done done = crew.run((connection, thread) -> AdmissionLoads.turn(load, connection));
      if (counts) {
        micros.add((processorNanos() - processor) / 1e3 / done.operations());
      }
      return done.perSecond();
    }
  }

  private static void run(String title, Load load, List<Variant> variants, int threads, int rounds)
      throws Exception {
    List<Runner> runners = new ArrayList<>();
    for (Variant variant : variants) {
      runners.add(Runner.of(variant, threads));
    }
    warmUp(title, load, runners);
    List<Lookups> before = Lookups.of(variants);
    for (int round = 0; round < rounds; round++) {
      double[] rates = turns(load, runners, round, true);
      for (int i = 0; i < rates.length; i++) {
        runners.get(i).ratios.add(rates[i] / rates[0]);
      }
    }
    List<Lookups> after = Lookups.of(variants);
    for (int i = 0; i < runners.size(); i++) {
      report(title, runners.get(i), after.get(i).since(before.get(i)));
      runners.get(i).crew.close();
    }
  }

  /** Runs rounds until all code that they need is compiled, as it is in a server after a while. */
  private static void warmUp(String title, Load load, List<Runner> runners) throws Exception {
    CompilationMXBean compilers = ManagementFactory.getCompilationMXBean();
    long begun = System.nanoTime();
    long looked = begun;
    long compiled = compilers.getTotalCompilationTime();
    double busy = 1;
    int round = 0;
    while (round < LEAST_WARM_UP || (busy > QUIET && round < MOST_WARM_UP)) {
      turns(load, runners, round, false);
      if (++round % LOOK == 0) {
        long now = System.nanoTime();
        long total = compilers.getTotalCompilationTime();
        busy = (total - compiled) * 1e6 / (now - looked);
        looked = now;
        compiled = total;
      }
    }
    System.out.printf(
        "%-12s warm after %.0f s, compilers busy for %.3f of the time%n",
        title, (System.nanoTime() - begun) / 1e9, busy);
  }

  /** Lets each have a turn, another one first each time; returns how often a second it ran. */
  private static double[] turns(Load load, List<Runner> runners, int round, boolean counts)
      throws Exception {
    double[] rates = new double[runners.size()];
    for (int i = 0; i < rates.length; i++) {
      int at = (i + round) % rates.length;
      rates[at] = runners.get(at).turn(load, counts);
    }
    return rates;
  }

  private static void report(String title, Runner runner, String lookups) throws SQLException {
    System.out.printf(
        "%-12s %-17s ratio %.3f  processor of the JVM %.2f µs  %s%n",
        title, runner.variant.label(), median(runner.ratios), median(runner.micros), lookups);
    if (!runner.variant.label().equals(Servers.DIRECT)) {
      show(runner.variant);
    }
  }

  /** How often a cache was asked, since it is there. */
  private record Lookups(long hits, long misses) {
    static List<Lookups> of(List<Variant> variants) throws SQLException {
      List<Lookups> all = new ArrayList<>();
      for (Variant variant : variants) {
        all.add(variant.label().equals(Servers.DIRECT) ? new Lookups(0, 0) : of(variant));
      }
      return all;
    }

    private static Lookups of(Variant variant) throws SQLException {
      try (Connection connection = variant.source().connect()) {
        return new Lookups(
            Postgres.count(connection, "hits"), Postgres.count(connection, "misses"));
      }
    }

    String since(Lookups before) {
      long asked = hits + misses - before.hits - before.misses;
      return asked == 0
          ? "no look-up"
          : String.format("hit ratio %.4f of %,d", (hits - before.hits) / (double) asked, asked);
    }
  }

  private static void show(Variant variant) throws SQLException {
    try (Connection connection = variant.source().connect();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SHOW larder.queries")) {
      for (int i = 0; i < SHOWN_SHAPES && row.next(); i++) {
        StringBuilder line = new StringBuilder("    ");
        for (String column :
            List.of(
                "query",
                "calls",
                "hits",
                "misses",
                "bypasses",
                "entries",
                "size_bytes",
                "mean_database_micros",
                "admission",
                "profit_micros_per_second",
                "profit_because")) {
          line.append(column).append(' ').append(row.getString(column)).append("; ");
        }
        System.out.println(line);
      }
    }
  }

  private static long turn(Load load, Connection connection) throws SQLException {
    SplittableRandom random = new SplittableRandom();
    long end = System.nanoTime() + TURN_NANOS;
    long count = 0;
    while (System.nanoTime() < end) {
      try {
        load.run(connection, random);
        count++;
      } catch (SQLException e) {
        Transaction.rollBack(connection, e);
      }
    }
    return count;
  }

  private static void readNew(Connection connection) throws SQLException {
    int next = NEXT.incrementAndGet();
    read(connection, next % Postgres.ACCOUNTS + 1, 1_000 + next / Postgres.ACCOUNTS);
  }

  private static void read(Connection connection, int aid, int bid) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("SELECT abalance FROM account WHERE aid = ? AND bid < ?")) {
      statement.setInt(1, aid);
      statement.setInt(2, bid);
      try (ResultSet row = statement.executeQuery()) {
        only(row);
      }
    }
  }

  /** Reads a hundred rows that nobody has read together. */
  private static void readMany(Connection connection) throws SQLException {
    int next = NEXT.incrementAndGet();
    String sql = "SELECT abalance, filler FROM account WHERE aid BETWEEN ? AND ? AND bid < ?";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      int aid = next % (Postgres.ACCOUNTS - 100) + 1;
      statement.setInt(1, aid);
      statement.setInt(2, aid + 99);
      statement.setInt(3, 1_000 + next / Postgres.ACCOUNTS);
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          rows.getInt(1);
        }
      }
    }
  }

  private static void only(ResultSet row) throws SQLException {
    if (!row.next() || row.getInt(1) < 0) {
      throw new SQLException("There is no row.");
    }
  }

  private static void readLiteral(Connection connection) throws SQLException {
    int next = NEXT.incrementAndGet();
    int aid = next % Postgres.ACCOUNTS + 1;
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT abalance FROM account WHERE aid = " + aid + " AND bid <> -" + next)) {
      only(row);
    }
  }

  private static void readShape(Connection connection) throws SQLException {
    int next = NEXT.incrementAndGet();
    String sql = "SELECT abalance AS c" + next + " FROM account WHERE aid = ?";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setInt(1, next % Postgres.ACCOUNTS + 1);
      try (ResultSet row = statement.executeQuery()) {
        only(row);
      }
    }
  }

  private static void mostlyRead(Connection connection, SplittableRandom random)
      throws SQLException {
    int aid = random.nextInt(Postgres.ACCOUNTS) + 1;
    if (random.nextInt(20) > 0) {
      read(connection, aid, 1_000 + random.nextInt(WIDTH));
      return;
    }
    try (PreparedStatement statement =
        connection.prepareStatement("UPDATE account SET abalance = ? WHERE aid = ?")) {
      statement.setInt(1, aid);
      statement.setInt(2, aid);
      statement.executeUpdate();
    }
  }

  private static double median(List<Double> values) {
    return values.stream().sorted().toList().get(values.size() / 2);
  }

  private static long processorNanos() {
    return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }
}
