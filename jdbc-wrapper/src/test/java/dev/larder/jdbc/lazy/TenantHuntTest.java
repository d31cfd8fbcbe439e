package dev.larder.jdbc.lazy;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.LazyDataSource;
import dev.larder.jdbc.TestDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Random programs that set tenants, roles and search paths on four connections of a small pool: of
 * the driver, of Larder, and of Larder with a data source above the pool. All read the same rows.
 * {@code -Dlarder.tenant.programs} says how many.
 */
@Tag("each-server")
final class TenantHuntTest {
  private static final int PROGRAMS = Integer.getInteger("larder.tenant.programs", 30);
  private static final int STEPS = 60;
  private static final int CONNECTIONS = 4;
  private static final String[] TENANTS = {"t1", "t2", "t3"};

  private static final String[] READS = {
    "SELECT id, v FROM doc ORDER BY id",
    "SELECT count(*), min(tenant) FROM doc",
    "SELECT v FROM doc WHERE id = 4",
    "SELECT id FROM owned ORDER BY id",
    "SELECT v FROM x",
    "SELECT d.id, o.id FROM doc d, owned o ORDER BY 1, 2",
    "SELECT nullif(current_setting('app.tenant', true), '')",
    "SELECT current_user, current_schemas(false)::text",
  };

  /** So many of them read tables. */
  private static final int TABLES = 6;

  private static final String[] SETS = {
    "SET LOCAL app.tenant = '%s'",
    "SET LOCAL app.tenant TO '%s'",
    "SET LOCAL app.tenant = '%s'",
    "select set_config('app.tenant', '%s', true)",
    "select set_config('app.tenant', '%s', true)",
    "SET LOCAL app.other = '%s'",
    "SET app.tenant = '%s'",
    "select set_config('app.tenant', '%s', false)",
    "SELECT become('%s')",
    "SELECT become_here('%s')",
    "SELECT become_and_fail('%s')",
  };

  private static final String[] OTHERS = {
    "SET LOCAL ROLE hunt_one",
    "SET ROLE hunt_two",
    "RESET ROLE",
    "SET LOCAL search_path = s1, public",
    "SET search_path = s2, public",
    "RESET search_path",
    "RESET app.tenant",
    "SET LOCAL app.tenant TO DEFAULT",
    "RESET ALL",
    "DISCARD ALL",
    "SELECT 1/0",
    "SAVEPOINT a",
    "ROLLBACK TO a",
    "RELEASE a",
    "BEGIN",
    "COMMIT",
    "ROLLBACK",
    "COMMIT AND CHAIN",
    "COMMIT; BEGIN",
    "UPDATE doc SET v = v + 1 WHERE id = 1",
    "UPDATE doc SET v = v + 1",
    "DELETE FROM doc WHERE id > 6",
    "INSERT INTO doc SELECT 1 + max(id), current_setting('app.tenant', true), 0 FROM public.doc",
  };

  private static Side bare;
  private static final List<Side> CACHED = new ArrayList<>();
  private static long reads;

  /** A database, and where its connections come from. */
  private static final class Side implements AutoCloseable {
    final TestDatabase database = TestDatabase.create();
    final HikariDataSource pool;
    final DataSource source;
    final Connection[] connections = new Connection[CONNECTIONS];

    Side(boolean larder, boolean lazy) throws SQLException {
      database.execute(
          "ALTER DATABASE " + database.name() + " OWNER TO hunt_app",
          "ALTER DATABASE " + database.name() + " SET lock_timeout = '5s'",
          "GRANT ALL ON SCHEMA public TO hunt_app");
      String url =
          (larder
                  ? database.larderUrl(
                      "larder.writers=this-jvm",
                      "larder.admission=all",
                      "larder.lazyConnections=auto")
                  : database.url())
              .replace("user=postgres", "user=hunt_app");
      HikariConfig config = new HikariConfig();
      config.setJdbcUrl(url);
      config.setMaximumPoolSize(CONNECTIONS);
      pool = new HikariDataSource(config);
      source = lazy ? new LazyDataSource(pool) : pool;
      try (Connection connection = source.getConnection()) {
        LarderProbe.run(connection, contents());
        if (larder) {
          LarderProbe.awaitCatalog(connection);
        }
      }
    }

    private static String[] contents() {
      return new String[] {
        "CREATE TABLE doc (id int PRIMARY KEY, tenant text, v int)",
        "INSERT INTO doc SELECT i, 't' || 1 + i % 3, i FROM generate_series(1, 6) i",
        "CREATE POLICY p ON doc USING (tenant = current_setting('app.tenant', true))",
        "ALTER TABLE doc ENABLE ROW LEVEL SECURITY",
        "ALTER TABLE doc FORCE ROW LEVEL SECURITY",
        "CREATE TABLE owned (id int PRIMARY KEY, owner text)",
        "INSERT INTO owned VALUES (1, 'hunt_app'), (2, 'hunt_one'), (3, 'hunt_two')",
        "CREATE POLICY p ON owned USING (owner = current_user)",
        "ALTER TABLE owned ENABLE ROW LEVEL SECURITY",
        "ALTER TABLE owned FORCE ROW LEVEL SECURITY",
        "CREATE SCHEMA s1",
        "CREATE SCHEMA s2",
        "CREATE TABLE x AS SELECT 'public' AS v",
        "CREATE TABLE s1.x AS SELECT 's1' AS v",
        "CREATE TABLE s2.x AS SELECT 's2' AS v",
        "CREATE FUNCTION become(name text) RETURNS text LANGUAGE plpgsql AS"
            + " $$ BEGIN PERFORM set_config('app.tenant', name, false); RETURN name; END $$",
        "CREATE FUNCTION become_here(name text) RETURNS text LANGUAGE plpgsql AS"
            + " $$ BEGIN RETURN set_config('app.tenant', name, true); END $$",
        "CREATE FUNCTION become_and_fail(name text) RETURNS text LANGUAGE plpgsql AS"
            + " $$ BEGIN PERFORM set_config('app.tenant', name, true); RAISE 'no'; END $$",
        "GRANT ALL ON ALL TABLES IN SCHEMA public, s1, s2 TO hunt_one, hunt_two",
        "GRANT USAGE ON SCHEMA s1, s2 TO hunt_one, hunt_two",
      };
    }

    String run(Step step) throws SQLException {
      Connection connection = connections[step.connection];
      try {
        return step.run(connection);
      } catch (SQLException e) {
        return "error " + e.getSQLState();
      }
    }

    long count(String column) throws SQLException {
      try (Connection connection = source.getConnection()) {
        return LarderProbe.count(connection, column);
      }
    }

    @Override
    public void close() throws SQLException {
      pool.close();
      if (source instanceof LazyDataSource above) {
        above.close();
      }
      database.execute(
          "ALTER DATABASE " + database.name() + " OWNER TO postgres",
          "DROP OWNED BY hunt_app, hunt_one, hunt_two CASCADE");
      database.close();
    }
  }

  /** How a text is sent. */
  private enum Means {
    PLAIN,
    QUERY,
    PREPARED,
    CALL
  }

  /** One step of a program on one of the connections. */
  private record Step(int connection, Means means, String text) {
    String run(Connection on) throws SQLException {
      if (means == Means.CALL) {
        switch (text) {
          case "commit" -> on.commit();
          case "rollback" -> on.rollback();
          case "autocommit" -> on.setAutoCommit(true);
          default -> on.setAutoCommit(false);
        }
        return String.valueOf(on.getAutoCommit());
      }
      if (means == Means.PREPARED) {
        int quoted = text.indexOf("', '");
        boolean call = text.startsWith("select set_config") && quoted > 0;
        try (PreparedStatement statement =
            on.prepareStatement(call ? text.replaceAll("'t\\d'", "?") : text)) {
          if (call) {
            statement.setString(1, text.substring(quoted + 4, quoted + 6));
          }
          return statement.execute() ? rows(statement.getResultSet()) : "none";
        }
      }
      try (Statement statement = on.createStatement()) {
        return means == Means.QUERY
            ? rows(statement.executeQuery(text))
            : statement.execute(text)
                ? rows(statement.getResultSet())
                : String.valueOf(statement.getUpdateCount());
      }
    }

    boolean locksRows() {
      return text.startsWith("UPDATE") || text.startsWith("DELETE") || text.startsWith("INSERT");
    }

    /** Returns whether the session may keep what this sets, which the pool then hands out. */
    boolean staysSet() {
      return text.startsWith("SET ") && !text.startsWith("SET LOCAL")
          || text.contains("false)")
          || text.contains("become(");
    }

    private static String rows(ResultSet rows) throws SQLException {
      StringBuilder all = new StringBuilder();
      int columns = rows.getMetaData().getColumnCount();
      while (rows.next()) {
        for (int i = 1; i <= columns; i++) {
          all.append(rows.getString(i)).append(i < columns ? ',' : ' ');
        }
      }
      return all.toString();
    }
  }

  @BeforeAll
  static void create() throws SQLException {
    try (TestDatabase roles = TestDatabase.create()) {
      roles.execute(
          "CREATE ROLE hunt_app LOGIN",
          "CREATE ROLE hunt_one",
          "CREATE ROLE hunt_two",
          "GRANT hunt_one, hunt_two TO hunt_app");
    }
    bare = new Side(false, false);
    CACHED.add(new Side(true, false));
    CACHED.add(new Side(true, true));
  }

  @AfterAll
  static void drop() throws SQLException {
    System.out.println("proof: reads by tenants compared=" + reads);
    System.out.println("proof: hits by tenants=" + CACHED.get(0).count("hits"));
    System.out.println("proof: hits by tenants above the pool=" + CACHED.get(1).count("hits"));
    System.out.println(
        "proof: hits by tenants without a connection=" + CACHED.get(1).count("unpooled_hits"));
    System.out.println(
        "proof: tenants held back above the pool=" + CACHED.get(1).count("held_back"));
    bare.close();
    for (Side side : CACHED) {
      side.close();
    }
    try (TestDatabase roles = TestDatabase.create()) {
      roles.execute("DROP ROLE hunt_app, hunt_one, hunt_two");
    }
  }

  /**
   * Transactions that set their tenant and read, and steps of any kind: in most programs few, so
   * that the connections of a pool stay alike.
   */
  private static List<Step> program(Random random) {
    List<Step> steps = new ArrayList<>();
    int wild = random.nextInt(4) == 0 ? 2 : 100;
    while (steps.size() < STEPS) {
      int connection = random.nextInt(CONNECTIONS);
      if (random.nextInt(wild) > 0) {
        steps.add(new Step(connection, Means.CALL, "transaction"));
        steps.add(set(random, connection, 6));
        for (int i = random.nextInt(4); i >= 0; i--) {
          steps.add(read(random, connection));
        }
        if (random.nextInt(wild) < 2) {
          steps.add(other(random, connection));
          steps.add(read(random, connection));
        }
        steps.add(new Step(connection, Means.CALL, random.nextInt(4) == 0 ? "rollback" : "commit"));
      } else {
        steps.add(
            switch (random.nextInt(8)) {
              case 0, 1 -> set(random, connection, SETS.length);
              case 2, 3 -> other(random, connection);
              case 4 -> new Step(connection, Means.CALL, "autocommit");
              default -> read(random, connection);
            });
        if (steps.get(steps.size() - 1).locksRows()) {
          steps.add(new Step(connection, Means.PLAIN, "COMMIT")); // Else another would wait for it.
        }
      }
    }
    return steps;
  }

  private static Step read(Random random, int connection) {
    return new Step(
        connection,
        random.nextBoolean() ? Means.QUERY : Means.PREPARED,
        READS[random.nextInt(random.nextInt(8) == 0 ? READS.length : TABLES)]);
  }

  private static Step set(Random random, int connection, int among) {
    String tenant = TENANTS[random.nextInt(TENANTS.length)];
    return new Step(
        connection,
        random.nextBoolean() ? Means.PLAIN : Means.PREPARED,
        SETS[random.nextInt(among)].formatted(tenant));
  }

  private static Step other(Random random, int connection) {
    return new Step(
        connection,
        random.nextInt(4) > 0 ? Means.PLAIN : Means.PREPARED,
        OTHERS[random.nextInt(OTHERS.length)]);
  }

  @Test
  void nobodyReadsRowsOfAnotherTenant() throws SQLException {
    long seed = Long.getLong("larder.tenant.seed", System.nanoTime());
    for (int i = 0; i < PROGRAMS; i++) {
      long own = seed + i * 0x9E3779B97F4A7C15L; // Of seeds in a row, the first numbers are alike.
      run(program(new Random(own)), own);
      if (i % 1_000 == 999) {
        System.out.printf("tenants: %,d programs, %,d reads%n", i + 1, reads);
      }
    }
    assertThat(CACHED.get(0).count("hits")).isGreaterThan(PROGRAMS);
    assertThat(CACHED.get(1).count("unpooled_hits")).isGreaterThan(PROGRAMS);
  }

  private static void run(List<Step> program, long seed) throws SQLException {
    for (Side side : sides()) {
      for (int i = 0; i < CONNECTIONS; i++) {
        side.connections[i] = side.source.getConnection();
      }
    }
    for (int i = 0; i < program.size(); i++) {
      Step step = program.get(i);
      String answer = bare.run(step);
      for (Side side : CACHED) {
        if (step.means != Means.CALL) {
          reads++;
        }
        assertThat(side.run(step))
            .as("seed %d: %s, side %d", seed, program.subList(0, i + 1), CACHED.indexOf(side))
            .isEqualTo(answer);
      }
    }
    for (Side side : sides()) {
      for (Connection connection : side.connections) {
        close(connection, program);
      }
    }
  }

  private static List<Side> sides() {
    return List.of(bare, CACHED.get(0), CACHED.get(1));
  }

  /** As an application leaves a connection that it may have set something on. */
  private static void close(Connection connection, List<Step> program) throws SQLException {
    connection.setAutoCommit(false);
    connection.rollback();
    connection.setAutoCommit(true);
    if (program.stream().anyMatch(Step::staysSet)) {
      LarderProbe.run(connection, "RESET ROLE", "DISCARD ALL");
    }
    connection.close();
  }
}
