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
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * Transactions that say first which tenant they are for, and then read that tenant's rows, all of
 * them hits: the time of one through Larder over that by the driver alone, by how the tenant is
 * said and how much is read.
 */
public final class Tenants implements Experiment {
  private static final String NAME = "tenants";
  private static final String TIME = "time";
  private static final String LARDER = "Larder";
  private static final String SENT = "Larder, larder.holdBack=off";
  private static final String SETTING = "setting";
  private static final String READS = "reads";
  private static final List<Integer> COUNTS = List.of(1, 3, 10);
  private static final int TENANTS = 10;
  private static final int CONNECTIONS = 20;

  /** How often a round repeats a transaction. */
  private static final int TRANSACTIONS = 400;

  /** How often the connections are opened. */
  private static final int OPENINGS = 6;

  /** So many rounds come first, and do not count. */
  private static final int WARM_UP_ROUNDS = 5;

  /** Says for which tenant a transaction is. */
  private enum Setting {
    SET_CONFIG("set_config(?, ?, true)"),
    SET_LOCAL("SET LOCAL app.tenant"),
    SET("SET app.tenant"),
    SET_ROLE("SET LOCAL ROLE"),
    SET_PATH("SET LOCAL search_path");

    private final String label;

    Setting(String label) {
      this.label = label;
    }

    void set(Connection connection, int tenant) throws SQLException {
      switch (this) {
        case SET_CONFIG -> call(connection, "t" + tenant);
        case SET_LOCAL -> execute(connection, "SET LOCAL app.tenant = 't" + tenant + "'");
        case SET -> execute(connection, "SET app.tenant = 't" + tenant + "'");
        case SET_ROLE -> execute(connection, "SET LOCAL ROLE tenant_role");
        case SET_PATH -> execute(connection, "SET LOCAL search_path TO public, tenant_schema");
      }
    }

    private static void call(Connection connection, String tenant) throws SQLException {
      try (PreparedStatement statement =
          connection.prepareStatement("SELECT set_config(?, ?, true)")) {
        statement.setString(1, "app.tenant");
        statement.setString(2, tenant);
        statement.executeQuery().close();
      }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
      try (Statement statement = connection.createStatement()) {
        statement.execute(sql);
      }
    }
  }

  /** For the command. */
  public Tenants() {}

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Duration expected(Scale scale) {
    return Duration.ofSeconds(5L + steps(scale) * scale.of(3L, 6L));
  }

  @Override
  public int steps(Scale scale) {
    return Setting.values().length * COUNTS.size();
  }

  private static int rounds(Scale scale) {
    return scale.of(12, 24);
  }

  @Override
  public void run(Scale scale, Results results, Progress progress) throws Exception {
    try (Postgres postgres = new Postgres(CONNECTIONS)) {
      create(postgres);
      postgres.awaitCatalog();
      warmUp(postgres);
      for (Setting setting : Setting.values()) {
        for (int reads : COUNTS) {
          measure(postgres, setting, reads, rounds(scale), results);
          progress.step(NAME + ": " + setting.label + ", " + reads + " reads");
        }
      }
    }
  }

  private static void create(Postgres postgres) throws SQLException {
    postgres.execute(
        "CREATE ROLE app LOGIN",
        "CREATE ROLE tenant_role",
        "GRANT tenant_role TO app",
        "CREATE SCHEMA tenant_schema",
        "GRANT USAGE ON SCHEMA tenant_schema TO app",
        "CREATE TABLE document (id int PRIMARY KEY, tenant text, title text)",
        "INSERT INTO document SELECT i, 't' || i % 10, 'title ' || i FROM generate_series(1, 10000) i",
        "ALTER TABLE document ENABLE ROW LEVEL SECURITY",
        "CREATE POLICY own ON document USING (tenant = current_setting('app.tenant', true))",
        "GRANT SELECT ON document TO app, tenant_role",
        "VACUUM ANALYZE document");
  }

  /**
   * The three take turns, and each begins a transaction with the tenant of the round. They are
   * opened anew several times, in another order each time: a round trip takes twice as long if the
   * server's process is on the other core.
   */
  private static void measure(
      Postgres postgres, Setting setting, int reads, int rounds, Results results)
      throws SQLException {
    List<String> variants = new ArrayList<>(List.of(Servers.DIRECT, SENT, LARDER));
    Random random = new Random(1);
    for (int opening = 0; opening < OPENINGS; opening++) {
      Collections.shuffle(variants, random);
      try (Connection first = open(postgres, variants.get(0));
          Connection second = open(postgres, variants.get(1));
          Connection third = open(postgres, variants.get(2))) {
        List<Connection> connections = List.of(first, second, third);
        warmUp(connections, setting, reads);
        Connection larder = connections.get(variants.indexOf(LARDER));
        long hits = hits(larder);
        for (int i = 0; i < rounds / OPENINGS; i++) {
          for (int k = 0; k < variants.size(); k++) {
            double micros = micros(connections.get(k), setting, reads);
            add(results, variants.get(k), micros, setting, reads);
          }
        }
        long expected = (long) (rounds / OPENINGS) * TRANSACTIONS * reads;
        long found = hits(larder) - hits;
        if (found < expected * 99 / 100) {
          throw new SQLException(found + " hits, but " + expected + " reads, " + setting.label);
        }
      }
    }
  }

  private static Connection open(Postgres postgres, String variant) throws SQLException {
    String held = variant.equals(SENT) ? "&larder.holdBack=off" : "";
    return as(
        variant.equals(Servers.DIRECT)
            ? postgres.direct()
            : postgres.larder(NAME, "&larder.admission=all" + held));
  }

  /** Else the first is measured while the JVM still compiles. */
  private static void warmUp(Postgres postgres) throws SQLException {
    try (Connection direct = open(postgres, Servers.DIRECT);
        Connection larder = open(postgres, LARDER)) {
      for (int i = 0; i < OPENINGS; i++) {
        warmUp(List.of(direct, larder), Setting.SET_CONFIG, 1);
      }
    }
  }

  private static void warmUp(List<Connection> connections, Setting setting, int reads)
      throws SQLException {
    for (int i = 0; i < WARM_UP_ROUNDS; i++) {
      for (Connection connection : connections) {
        double unused = micros(connection, setting, reads);
      }
    }
  }

  private static long hits(Connection connection) throws SQLException {
    long hits = Postgres.count(connection, "hits");
    connection.rollback();
    return hits;
  }

  /** Makes it a session of a role that policies are for. */
  private static Connection as(Connection connection) throws SQLException {
    Setting.execute(connection, "SET SESSION AUTHORIZATION app");
    connection.setAutoCommit(false);
    return connection;
  }

  private static void add(
      Results results, String variant, double micros, Setting setting, int reads) {
    results.add(NAME, variant, TIME, "µs", micros, SETTING, setting.label, READS, reads);
  }

  /** Returns how long a transaction takes. */
  private static double micros(Connection connection, Setting setting, int reads)
      throws SQLException {
    long start = System.nanoTime();
    for (int i = 0; i < TRANSACTIONS; i++) {
      setting.set(connection, i % TENANTS);
      for (int j = 0; j < reads; j++) {
        read(connection, i % TENANTS + TENANTS * j + 1);
      }
      connection.commit();
    }
    return (System.nanoTime() - start) / 1_000.0 / TRANSACTIONS;
  }

  private static void read(Connection connection, int id) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("SELECT title FROM document WHERE id = ?")) {
      statement.setInt(1, id);
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          rows.getString(1);
        }
      }
    }
  }

  @Override
  public void draw(Results results, Figures figures) throws IOException {
    LineFigure figure =
        figures
            .lines(
                NAME,
                "Transactions of a tenant, all reads are hits",
                "reads in a transaction",
                "time with Larder over time by the driver alone")
            .fromZeroX()
            .decadesY();
    for (Setting setting : Setting.values()) {
      figure.line(
          setting.label,
          ratios(line(results, Servers.DIRECT, setting), line(results, LARDER, setting)));
    }
    figure.save();
  }

  private static List<Point> line(Results results, String variant, Setting setting) {
    return results.line(
        NAME, variant, TIME, READS, factors -> setting.label.equals(factors.get(SETTING)));
  }

  private static List<Point> ratios(List<Point> direct, List<Point> larder) {
    List<Point> ratios = new ArrayList<>();
    for (int i = 0; i < Math.min(direct.size(), larder.size()); i++) {
      double ratio = larder.get(i).y().median() / direct.get(i).y().median();
      ratios.add(new Point(direct.get(i).x(), Spread.of(List.of(ratio))));
    }
    return ratios;
  }
}
