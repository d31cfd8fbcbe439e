package dev.larder.jdbc.session;

import dev.larder.jdbc.TestDatabase;
import dev.larder.jdbc.postgresql.SessionFacts;
import dev.larder.sql.SessionCommand;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Random programs for {@link ScopesRun}, and a database for them. */
final class ScopePrograms implements AutoCloseable {
  private static final String PREPARE = "PREPARE TRANSACTION 'scopes'";

  /** Settings, in a transaction and outside of it. */
  private static final List<String> SETTINGS =
      List.of(
          "SET app.a = 'x'",
          "SET app.a = 'y'",
          "SET LOCAL app.a = 'x'",
          "SET LOCAL app.a = 'z'",
          "SET SESSION app.b = 'x'",
          "SET LOCAL app.b = 'y'",
          "RESET app.a",
          "SET app.a TO DEFAULT",
          "SET LOCAL app.a TO DEFAULT",
          "SET app.a = 'x', 'y'",
          "SET TIME ZONE 'Asia/Tokyo'",
          "SET LOCAL TIME ZONE 'Europe/Berlin'",
          "SET search_path TO s1",
          "SET LOCAL search_path TO s2",
          "SET search_path TO s1, s2",
          "SET datestyle = 'ISO, DMY'",
          "SET LOCAL intervalstyle = 'iso_8601'",
          "RESET ALL",
          "SELECT set_config('app.a', 'v', true)",
          "SELECT set_config('app.b', 'v', false)",
          "SELECT set_config('App.a', '007', true), set_config('app.b', 'w', true)",
          "SELECT pg_catalog.set_config('TimeZone', 'Asia/Tokyo', true) AS zone",
          "SELECT set_config('search_path', 's1', true)",
          "SELECT set_config('search_path', 's1, s2', false)",
          "SELECT set_config('app.a', 'v' || 'w', true)",
          "SELECT set_config('no prefix', 'v', true)",
          "SELECT set_config('app.b', 'v', false)::int");

  private static final List<String> ROLES =
      List.of(
          "SET ROLE scopes_one",
          "SET LOCAL ROLE scopes_two",
          "SET ROLE NONE",
          "RESET ROLE",
          "SET SESSION AUTHORIZATION scopes_one",
          "SET LOCAL SESSION AUTHORIZATION scopes_two",
          "RESET SESSION AUTHORIZATION");

  private static final List<String> LEVELS =
      List.of(
          "SET default_transaction_isolation = 'repeatable read'",
          "SET LOCAL default_transaction_isolation = 'serializable'",
          "RESET default_transaction_isolation",
          "SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL READ COMMITTED",
          "SET SESSION CHARACTERISTICS AS TRANSACTION READ WRITE",
          "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ",
          "SET TRANSACTION ISOLATION LEVEL SERIALIZABLE, READ WRITE",
          "SET transaction_isolation = 'read committed'",
          "BEGIN ISOLATION LEVEL REPEATABLE READ",
          "START TRANSACTION ISOLATION LEVEL READ COMMITTED");

  private static final List<String> TRANSACTIONS =
      List.of(
          "BEGIN",
          "BEGIN",
          "COMMIT",
          "END",
          "ROLLBACK",
          "COMMIT AND CHAIN",
          "ROLLBACK AND CHAIN",
          "SAVEPOINT a",
          "SAVEPOINT a",
          "SAVEPOINT b",
          "RELEASE a",
          "RELEASE b",
          "ROLLBACK TO a",
          "ROLLBACK TO b",
          "ROLLBACK TO SAVEPOINT A",
          "SAVEPOINT U&\"a\"",
          "SELECT 1",
          "SELECT 1/0",
          "INSERT INTO child VALUES (7)",
          "SET CONSTRAINTS ALL IMMEDIATE",
          "PREPARE TRANSACTION 'scopes'");

  private static final List<String> TEXTS =
      List.of(
          "ROLLBACK; SET app.a = 'y'",
          "BEGIN; SET LOCAL app.a = 'y'",
          "SET app.a = 'x'; SET LOCAL app.b = 'y'",
          "SET LOCAL app.a = 'x'; SELECT 1/0",
          "SAVEPOINT a; SET app.b = 'z'",
          "SAVEPOINT a; SELECT 1/0",
          "ROLLBACK TO a; SET app.a = 'z'",
          "COMMIT; BEGIN ISOLATION LEVEL REPEATABLE READ",
          "COMMIT; BEGIN",
          ScopesRun.QUERY + "SET app.a = 'w'",
          ScopesRun.QUERY + "BEGIN",
          ScopesRun.QUERY + "SAVEPOINT b",
          ScopesRun.QUERY + "ROLLBACK TO a",
          ScopesRun.QUERY + "ROLLBACK",
          ScopesRun.QUERY + "COMMIT",
          ScopesRun.QUERY + "RELEASE a");

  /** Each list as often as it is here. */
  static final List<List<String>> ALL =
      List.of(
          SETTINGS,
          SETTINGS,
          SETTINGS,
          ROLES,
          LEVELS,
          LEVELS,
          TRANSACTIONS,
          TRANSACTIONS,
          TRANSACTIONS,
          TRANSACTIONS,
          TEXTS,
          List.of(ScopesRun.ASK),
          List.of(ScopesRun.ASK));

  private final TestDatabase database = TestDatabase.create();
  private final SearchPaths paths = new SearchPaths();

  /** How often settings were compared, and how often they were known. */
  int compared;

  int known;

  ScopePrograms() throws SQLException {
    database.execute(
        "CREATE SCHEMA s1",
        "CREATE SCHEMA s2",
        "CREATE TABLE parent (id int PRIMARY KEY)",
        "CREATE TABLE child (id int REFERENCES parent DEFERRABLE INITIALLY DEFERRED)",
        "CREATE ROLE scopes_one SUPERUSER",
        "CREATE ROLE scopes_two SUPERUSER");
    try (Connection connection = connect(false)) {
      for (String role : List.of("postgres", "scopes_one", "scopes_two")) {
        for (String path : List.of("s1", "s2", "s1, s2", "\"$user\", public")) {
          learn(connection, role, path);
        }
      }
    }
  }

  private void learn(Connection connection, String role, String path) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("SET ROLE " + role + "; SET search_path TO " + path);
    }
    SessionFacts facts = new ScopesRun(connection, paths).facts();
    List<String> schemas = facts.searchPath();
    if (schemas != null) {
      SearchPaths.Meaning meaning = new SearchPaths.Meaning(path, schemas);
      paths.learn(
          new SearchPaths.Setting(path, SessionCommand.Form.TEXT, role),
          meaning,
          ScopesRun.CATALOG);
      if (path.indexOf(',') < 0) {
        paths.learn(
            new SearchPaths.Setting(path, SessionCommand.Form.SINGLE, role),
            meaning,
            ScopesRun.CATALOG);
      }
    }
  }

  private Connection connect(boolean autosave) throws SQLException {
    return DriverManager.getConnection(database.url() + (autosave ? "&autosave=always" : ""));
  }

  /** Returns a program of up to 25 texts. */
  static List<String> random(Random random) {
    List<String> program = new ArrayList<>(List.of("BEGIN"));
    for (int i = 4 + random.nextInt(21); i > 0; i--) {
      List<String> texts = ALL.get(random.nextInt(ALL.size()));
      program.add(texts.get(random.nextInt(texts.size())));
    }
    return program;
  }

  /** Runs a program in a session of its own; an assertion fails where what is known is wrong. */
  void run(List<String> program, boolean autosave) throws SQLException {
    try (Connection connection = connect(autosave)) {
      ScopesRun run = new ScopesRun(connection, paths);
      run.run(program);
      compared += run.compared;
      known += run.known;
    } finally {
      if (program.contains(PREPARE)
          && !database.queryString("SELECT count(*) FROM pg_prepared_xacts").equals("0")) {
        database.execute("ROLLBACK PREPARED 'scopes'");
      }
    }
  }

  @Override
  public void close() throws SQLException {
    database.execute("DROP ROLE scopes_one", "DROP ROLE scopes_two");
    database.close();
  }
}
