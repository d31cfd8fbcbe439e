package dev.larder.jdbc.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.jdbc.TestDatabase;
import dev.larder.jdbc.postgresql.SessionFacts;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

/**
 * The rules of settings and of isolation levels, against the server: whatever is known after any
 * sequence of statements is what the server says. {@code -Djqwik.tries.default} says how many
 * sequences.
 */
class SettingScopesTest {
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

  private static TestDatabase database;
  private static SearchPaths paths;
  private static int compared;
  private static int known;

  @BeforeContainer
  static void create() throws SQLException {
    database = TestDatabase.create();
    database.execute(
        "CREATE SCHEMA s1",
        "CREATE SCHEMA s2",
        "CREATE TABLE parent (id int PRIMARY KEY)",
        "CREATE TABLE child (id int REFERENCES parent DEFERRABLE INITIALLY DEFERRED)",
        "CREATE ROLE scopes_one SUPERUSER",
        "CREATE ROLE scopes_two SUPERUSER");
    paths = new SearchPaths();
    try (Connection connection = connect(false)) {
      for (String role : List.of("postgres", "scopes_one", "scopes_two")) {
        learn(connection, role, "s1");
        learn(connection, role, "s2");
      }
    }
  }

  private static void learn(Connection connection, String role, String path) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("SET ROLE " + role + "; SET search_path TO " + path);
    }
    SessionFacts facts = new ScopesRun(connection, paths).facts();
    paths.learn(
        new SearchPaths.Setting(path, role),
        new SearchPaths.Meaning(path, facts.searchPath()),
        ScopesRun.CATALOG);
  }

  @AfterContainer
  static void drop() throws SQLException {
    database.execute("DROP ROLE scopes_one", "DROP ROLE scopes_two");
    database.close();
    System.out.println("proof: states of sessions compared with the server=" + compared);
    System.out.println("proof: states of sessions known among these=" + known);
    assertThat(known * 3).as("known of %d", compared).isGreaterThan(compared);
  }

  private static Connection connect(boolean autosave) throws SQLException {
    return DriverManager.getConnection(database.url() + (autosave ? "&autosave=always" : ""));
  }

  @Property
  void whatIsKnownIsWhatTheServerSays(
      @ForAll("programs") List<String> program, @ForAll boolean autosave) throws SQLException {
    try (Connection connection = connect(autosave)) {
      ScopesRun run = new ScopesRun(connection, paths);
      run.run(program);
      compared += run.compared;
      known += run.known;
    } finally {
      for (String gid : prepared()) {
        database.execute("ROLLBACK PREPARED '" + gid + "'");
      }
    }
  }

  private static List<String> prepared() throws SQLException {
    String count = database.queryString("SELECT count(*) FROM pg_prepared_xacts");
    return count.equals("0") ? List.of() : List.of("scopes");
  }

  @Provide
  Arbitrary<List<String>> programs() {
    return Arbitraries.frequencyOf(
            net.jqwik.api.Tuple.of(6, Arbitraries.of(SETTINGS)),
            net.jqwik.api.Tuple.of(1, Arbitraries.of(ROLES)),
            net.jqwik.api.Tuple.of(3, Arbitraries.of(LEVELS)),
            net.jqwik.api.Tuple.of(8, Arbitraries.of(TRANSACTIONS)),
            net.jqwik.api.Tuple.of(1, Arbitraries.of(TEXTS)),
            net.jqwik.api.Tuple.of(4, Arbitraries.of(ScopesRun.ASK)))
        .list()
        .ofMinSize(4)
        .ofMaxSize(25)
        .map(program -> Stream.concat(Stream.of("BEGIN"), program.stream()).toList())
        .map(ArrayList::new);
  }
}
