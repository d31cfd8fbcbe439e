package dev.larder.jdbc.script;

import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.TestDatabase;
import dev.larder.testing.Waiting;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Two databases with the same contents, one of them used through Larder. Between two scenarios the
 * rows are restored; each scenario has sessions of its own. Scenarios have a user, {@code
 * script_app}, who may become {@code script_one} and {@code script_two}, and owns everything.
 */
final class Stage implements AutoCloseable {
  private static final List<String> ROLES = List.of("script_app", "script_one", "script_two");

  /** {@code DEPENDENT_OBJECTS_STILL_EXIST}. */
  private static final String USED_BY_ANOTHER_STAGE = "2BP01";

  /** How many scenarios there are before sessions that are kept are opened anew. */
  private static final int SCENARIOS_OF_A_SESSION = 40;

  private static final String[] CONTENTS = {
    "CREATE TABLE t (id int PRIMARY KEY, v int)",
    "CREATE TABLE r (id int PRIMARY KEY, v int)",
    "CREATE TABLE parent (id int PRIMARY KEY)",
    "CREATE TABLE child (id int, parent int REFERENCES parent DEFERRABLE INITIALLY DEFERRED)",
    // Rows that the session's settings choose.
    "CREATE TABLE doc (id int PRIMARY KEY, tenant text, v text)",
    "CREATE POLICY p ON doc USING (tenant = current_setting('app.tenant', true))",
    "CREATE TABLE opened (id int PRIMARY KEY, tenant text)",
    "CREATE POLICY p ON opened USING (current_setting('app.tenant', true) IS NULL"
        + " OR tenant = current_setting('app.tenant', true))",
    "CREATE TABLE owned (id int PRIMARY KEY, owner text)",
    "CREATE POLICY p ON owned USING (owner = current_user)",
    "ALTER TABLE doc ENABLE ROW LEVEL SECURITY",
    "ALTER TABLE doc FORCE ROW LEVEL SECURITY",
    "ALTER TABLE opened ENABLE ROW LEVEL SECURITY",
    "ALTER TABLE opened FORCE ROW LEVEL SECURITY",
    "ALTER TABLE owned ENABLE ROW LEVEL SECURITY",
    "ALTER TABLE owned FORCE ROW LEVEL SECURITY",
    "CREATE TABLE event (at timestamptz)",
    "CREATE SEQUENCE numbers",
    "CREATE SCHEMA s1",
    "CREATE SCHEMA s2",
    "CREATE TABLE x (v text)",
    "CREATE TABLE s1.x (v text)",
    "CREATE TABLE s2.x (v text)",
    "CREATE VIEW session AS SELECT current_user AS role, session_user AS login,"
        + " current_setting('app.tenant', true) AS tenant,"
        + " current_setting('search_path') AS path, current_setting('TimeZone') AS zone,"
        + " current_schemas(true)::text AS schemas",
    "CREATE FUNCTION become(name text) RETURNS text LANGUAGE plpgsql AS"
        + " $$ BEGIN PERFORM set_config('app.tenant', name, false); RETURN name; END $$",
    "CREATE FUNCTION become_here(name text) RETURNS text LANGUAGE plpgsql AS"
        + " $$ BEGIN PERFORM set_config('app.tenant', name, true); RETURN name; END $$",
    "CREATE FUNCTION become_and_fail(name text) RETURNS text LANGUAGE plpgsql AS"
        + " $$ BEGIN PERFORM set_config('app.tenant', name, false); RAISE 'no'; END $$",
    "GRANT ALL ON ALL TABLES IN SCHEMA public, s1, s2 TO script_one, script_two",
    "GRANT USAGE ON SCHEMA s1, s2 TO script_one, script_two"
  };

  /** The rows of each table; a table stands behind those that it refers to. */
  private static final Map<String, String> ROWS = new LinkedHashMap<>();

  static {
    ROWS.put("t", "(1, 10), (2, 20), (3, 30)");
    ROWS.put("r", "(1, 10), (2, 20)");
    ROWS.put("doc", "(1, 't1', 'a'), (2, 't1', 'b'), (3, 't2', 'c'), (4, '', 'd')");
    ROWS.put("opened", "(1, 't1'), (2, 't2'), (3, '')");
    ROWS.put("owned", "(1, 'script_app'), (2, 'script_one'), (3, 'script_two')");
    ROWS.put("event", "('2020-01-01 12:00:00+00')");
    ROWS.put("x", "('public')");
    ROWS.put("s1.x", "('s1')");
    ROWS.put("s2.x", "('s2')");
  }

  private static final List<String> REFERRING =
      List.of("DELETE FROM child", "DELETE FROM parent", "INSERT INTO parent VALUES (1)");

  private final TestDatabase bare = TestDatabase.create();
  private final TestDatabase cached = TestDatabase.create();
  private final Connection restorer;
  private final Connection restorerOfBare;
  private final Way way;
  private final Map<String, DataSource> sources = new HashMap<>();
  private int played;
  private final Map<Object, Connection> kept = new HashMap<>();
  private @Nullable Scenario last;

  Stage(Way way) throws SQLException {
    this.way = way;
    for (String role : ROLES) {
      if (bare.queryString("SELECT to_regrole('" + role + "')") == null) {
        bare.execute("CREATE ROLE " + role + " LOGIN");
      }
    }
    bare.execute("GRANT script_one, script_two TO script_app");
    for (TestDatabase database : List.of(bare, cached)) {
      database.execute(
          "GRANT ALL ON DATABASE " + database.name() + " TO script_app",
          "GRANT ALL ON SCHEMA public TO script_app",
          "ALTER DATABASE " + database.name() + " SET lock_timeout = '5s'");
      try (Connection app = connect(database, false, List.of())) {
        LarderProbe.run(app, CONTENTS);
      }
    }
    restorer = DriverManager.getConnection(way.url(cached, "postgres", List.of()));
    restorerOfBare = bare.connect();
    LarderProbe.awaitCatalog(restorer);
  }

  /**
   * Restores the rows of the tables that the last scenario may have written. They are truncated
   * only after what may be no write of rows: each TRUNCATE changes the catalog, which is then read
   * again.
   */
  private void restore() throws SQLException {
    List<String> statements = new ArrayList<>();
    if (last == null || last.mayDefine()) {
      statements.add("TRUNCATE parent, child, " + String.join(", ", ROWS.keySet()));
      statements.add("INSERT INTO parent VALUES (1)");
      ROWS.forEach((table, rows) -> statements.add("INSERT INTO " + table + " VALUES " + rows));
    } else {
      for (Map.Entry<String, String> each : ROWS.entrySet()) {
        if (last.mayWrite(each.getKey())) {
          statements.add("DELETE FROM " + each.getKey());
          statements.add("INSERT INTO " + each.getKey() + " VALUES " + each.getValue());
        }
      }
      if (last.mayWrite("parent") || last.mayWrite("child")) {
        statements.addAll(REFERRING);
      }
    }
    if (!statements.isEmpty()) {
      LarderProbe.run(restorerOfBare, String.join("; ", statements));
      LarderProbe.run(restorer, statements.toArray(String[]::new));
      LarderProbe.awaitCatalog(restorer);
    }
  }

  /** What one scenario came to. */
  record Outcome(List<String> bare, List<String> larder, List<String> faults, long hits) {}

  /** Returns a count of {@code SHOW larder.cache}. */
  long count(String column) throws SQLException {
    return LarderProbe.count(restorer, column);
  }

  /** Runs a scenario on both databases, with more parameters of the driver's URL than it names. */
  Outcome play(Scenario scenario, String... more) throws SQLException {
    List<String> options = new ArrayList<>(scenario.options());
    options.addAll(List.of(more));
    restore();
    last = scenario;
    if (++played % SCENARIOS_OF_A_SESSION == 0) {
      for (Connection connection : kept.values()) {
        connection.close();
      }
    }
    List<String> faults = new ArrayList<>();
    List<String> expected = play(scenario, bare, false, options, faults);
    long before = LarderProbe.hits(restorer);
    List<String> seen = play(scenario, cached, true, options, faults);
    long hits = LarderProbe.hits(restorer) - before;
    if (!expected.equals(seen)) {
      faults.add("larder differs from the driver");
    }
    return new Outcome(expected, seen, faults, hits);
  }

  private List<String> play(
      Scenario scenario,
      TestDatabase database,
      boolean larder,
      List<String> options,
      List<String> faults)
      throws SQLException {
    List<String> trace = new ArrayList<>();
    Map<Character, Player> players = new HashMap<>();
    try {
      for (Step step : scenario.steps()) {
        Player player = players.get(step.session());
        if (player == null) {
          Connection connection = session(step.session(), database, larder, options);
          player = new Player(connection, larder, !way.isLazy());
          players.put(step.session(), player);
        }
        if (step.kind() == Step.Kind.HIT) {
          LarderProbe.awaitCatalog(restorer);
        }
        long before = step.kind() == Step.Kind.HIT ? player.hits() : 0;
        trace.add(step + "  ->  " + player.run(step));
        if (larder && step.kind() == Step.Kind.HIT && player.hits() == before) {
          faults.add("no hit: " + step);
        }
      }
      return trace;
    } finally {
      for (Player player : players.values()) {
        if (way.keepsSessions()) {
          player.giveBack();
        } else {
          player.close();
        }
      }
      end(database, scenario.mayDefine());
    }
  }

  /** Waits until the server has ended the sessions, and ends what they may have prepared. */
  private void end(TestDatabase database, boolean mayPrepare) throws SQLException {
    Connection by = database == bare ? restorerOfBare : restorer;
    String ofThis = " = '" + database.name() + "'";
    if (mayPrepare) {
      for (String gid :
          LarderProbe.rows(by, "SELECT gid FROM pg_prepared_xacts WHERE database" + ofThis)) {
        LarderProbe.run(by, "ROLLBACK PREPARED '" + gid + "'");
      }
    }
    String left =
        "SELECT pid FROM pg_stat_activity WHERE usename = 'script_app'"
            + " AND xact_start IS NOT NULL AND datname"
            + ofThis;
    Waiting.until("no transaction is open", () -> LarderProbe.rows(by, left).isEmpty());
  }

  private Connection session(char name, TestDatabase database, boolean larder, List<String> options)
      throws SQLException {
    if (!way.keepsSessions()) {
      return connect(database, larder, options);
    }
    Object key = List.of(name, larder, options);
    Connection open = kept.get(key);
    if (open == null || open.isClosed()) {
      open = connect(database, larder, options);
      kept.put(key, open);
    }
    return open;
  }

  private Connection connect(TestDatabase database, boolean larder, List<String> options)
      throws SQLException {
    if (larder) {
      String url = way.url(database, "script_app", options);
      return sources.computeIfAbsent(url, way::source).getConnection();
    }
    String all = options.isEmpty() ? "" : '&' + String.join("&", options);
    return DriverManager.getConnection(
        database.url().replace("user=postgres", "user=script_app") + all);
  }

  @Override
  public void close() throws SQLException {
    for (Connection connection : kept.values()) {
      connection.close();
    }
    restorer.close();
    restorerOfBare.close();
    for (TestDatabase database : List.of(bare, cached)) {
      database.execute("DROP OWNED BY " + String.join(", ", ROLES) + " CASCADE");
    }
    cached.close();
    bare.close();
    try (TestDatabase last = TestDatabase.create()) {
      for (String role : ROLES) {
        last.execute("DROP ROLE " + role);
      }
    } catch (SQLException e) {
      if (!USED_BY_ANOTHER_STAGE.equals(e.getSQLState())) {
        throw e;
      }
    }
  }
}
