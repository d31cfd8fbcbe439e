package dev.larder.jdbc.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.catalog.CatalogChange;
import dev.larder.catalog.CatalogVersion;
import dev.larder.jdbc.TestDatabase;
import dev.larder.watch.DatabaseControls;
import dev.larder.watch.RadarSample;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** When the fingerprint of a catalog changes, and what reading it costs. */
@Tag("each-server")
class PostgresCatalogLoaderTest {
  private static TestDatabase database;
  private static PostgresCatalogLoader loader;

  @BeforeAll
  static void create() throws SQLException {
    database = TestDatabase.create();
    loader = new PostgresCatalogLoader(database::connect);
    database.execute(
        "CREATE TABLE a (id int PRIMARY KEY, b text)",
        "CREATE TABLE c (id int, a int)",
        "CREATE MATERIALIZED VIEW m AS SELECT 1 AS one",
        "CREATE VIEW v AS SELECT 1 AS one",
        "CREATE TYPE mood AS ENUM ('sad', 'ok')",
        "CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'",
        "CREATE TRIGGER t BEFORE INSERT ON a FOR EACH ROW EXECUTE FUNCTION f()",
        "CREATE POLICY p ON a USING (true)",
        "CREATE COLLATION l FROM \"C\"",
        "CREATE ROLE loader_one",
        "CREATE ROLE loader_two");
  }

  @AfterAll
  static void drop() throws SQLException {
    loader.release();
    database.execute("DROP OWNED BY loader_one, loader_two", "DROP ROLE loader_one, loader_two");
    database.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "CREATE TABLE x (id int)",
        "ALTER TABLE a ADD COLUMN d int",
        "ALTER TABLE c ALTER COLUMN a TYPE bigint",
        "ALTER TABLE a RENAME COLUMN b TO bb",
        "ALTER TABLE a DROP COLUMN b",
        "ALTER TABLE c RENAME TO cc",
        "ALTER TABLE a SET SCHEMA information_schema",
        "ALTER TABLE c ADD FOREIGN KEY (a) REFERENCES a ON DELETE CASCADE",
        "ALTER TABLE a DISABLE TRIGGER t",
        "ALTER TABLE a ENABLE ROW LEVEL SECURITY",
        "ALTER POLICY p ON a USING (false)",
        "DROP POLICY p ON a",
        "CREATE OR REPLACE VIEW v AS SELECT 2 AS one",
        "CREATE RULE r AS ON DELETE TO c DO INSTEAD NOTHING",
        "CREATE OR REPLACE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN OLD;"
            + " END'",
        "ALTER FUNCTION f() SECURITY DEFINER",
        "ALTER FUNCTION lower(text) STABLE",
        "CREATE SCHEMA s",
        "CREATE DOMAIN d AS int",
        "CREATE OPERATOR === (LEFTARG = int, RIGHTARG = int, FUNCTION = int4eq)",
        "CREATE CAST (int AS mood) WITH INOUT",
        "ALTER TYPE mood RENAME VALUE 'sad' TO 'glad'",
        "GRANT SELECT ON a TO loader_one",
        "GRANT USAGE ON SCHEMA public TO loader_one",
        "GRANT loader_one TO loader_two",
        "ALTER ROLE loader_one BYPASSRLS",
        "ALTER ROLE loader_one SET timezone = 'UTC'",
        "ALTER TEXT SEARCH CONFIGURATION english DROP MAPPING FOR word",
        "DROP COLLATION l; CREATE COLLATION l FROM \"POSIX\""
      })
  void whatChangesTheMeaningOfStatementsChangesTheFingerprint(String ddl) throws SQLException {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      PostgresCatalogLoader inside = new PostgresCatalogLoader(() -> held(connection));
      CatalogVersion before = inside.load();
      statement.execute("SET LOCAL search_path = public");
      statement.execute(ddl);
      CatalogVersion after = inside.load();
      connection.rollback();

      assertThat(after.fingerprint()).isNotEqualTo(before.fingerprint());
      assertThat(after.sameContent(before)).isFalse();
    }
  }

  /** The connection as one whose transaction the loader cannot end. */
  private static Connection held(Connection connection) {
    return (Connection)
        java.lang.reflect.Proxy.newProxyInstance(
            PostgresCatalogLoaderTest.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "commit",
                      "close",
                      "setAutoCommit",
                      "setReadOnly",
                      "setTransactionIsolation" ->
                      null;
                  default -> method.invoke(connection, arguments);
                });
  }

  @Test
  void maintenanceAndWritesChangeNothing() throws SQLException {
    database.execute("INSERT INTO a VALUES (1)");
    CatalogVersion before = loader.load();
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement()) {
      for (String sql :
          new String[] {
            "INSERT INTO a SELECT i FROM generate_series(2, 1000) i",
            "ANALYZE",
            "VACUUM a",
            "VACUUM pg_class",
            "CREATE TEMPORARY TABLE mine (id serial PRIMARY KEY, b text DEFAULT 'x' CHECK (b >"
                + " ''))",
            "CREATE TEMPORARY VIEW ours AS SELECT * FROM mine"
          }) {
        statement.execute(sql);
        assertThat(loader.fingerprint()).as(sql).isEqualTo(before.fingerprint());
      }
      CatalogVersion after = loader.load();
      assertThat(after.sameContent(before)).isTrue();
    }
  }

  @Test
  void aRowThatWasReplacedIsNoticedAndMeansTheSame() throws SQLException {
    for (String sql : new String[] {"VACUUM FULL a", "TRUNCATE c", "REFRESH MATERIALIZED VIEW m"}) {
      CatalogVersion before = loader.load();
      database.execute(sql);
      assertThat(loader.fingerprint()).as(sql).isNotEqualTo(before.fingerprint());
      CatalogChange change = CatalogChange.ofRows(before, before.stamps(), loader.stamps());
      assertThat(change).as(sql).isNotNull();
      assertThat(change.everything()).as(sql).isFalse();
      assertThat(change.relations()).as(sql).hasSize(1);
    }
  }

  @Test
  void transactionsThatCommitOutOfOrderAreSeen() throws SQLException {
    try (Connection early = database.connect();
        Statement statement = early.createStatement()) {
      early.setAutoCommit(false);
      statement.execute("CREATE TABLE early (id int)");
      database.execute("CREATE TABLE late (id int)");
      String before = loader.fingerprint();
      early.commit();
      assertThat(loader.fingerprint()).isNotEqualTo(before);
    }
    String before = loader.fingerprint();
    database.execute("SELECT pg_reload_conf()");
    String after = loader.fingerprint();
    for (int i = 0; i < 10_000 && after.equals(before); i++) {
      after = loader.fingerprint();
    }
    assertThat(after).as("the configuration was read again").isNotEqualTo(before);
  }

  @Test
  void connectionIsOpenedWhenNeededAndAgainAfterTrouble() throws SQLException {
    AtomicInteger opened = new AtomicInteger();
    Connection[] last = new Connection[1];
    PostgresCatalogLoader lazy =
        new PostgresCatalogLoader(
            () -> {
              opened.incrementAndGet();
              last[0] = database.connect();
              return last[0];
            });
    assertThat(opened).hasValue(0);
    lazy.load();
    lazy.fingerprint();
    assertThat(opened).hasValue(1);
    last[0].close();
    assertThatThrownBy(lazy::fingerprint).isInstanceOf(SQLException.class);
    assertThat(lazy.fingerprint()).isNotEmpty();
    assertThat(opened).hasValue(2);
    lazy.release();
    assertThat(last[0].isClosed()).isTrue();
  }

  @Test
  void filesOfTablesThatAreNewAreNotThoseOfTablesThatWereEmptied() throws SQLException {
    try (TestDatabase own = TestDatabase.create()) {
      PostgresCatalogLoader sampling = new PostgresCatalogLoader(own::connect);
      own.execute(
          "CREATE TABLE parts (id int) PARTITION BY RANGE (id)",
          "CREATE TABLE part PARTITION OF parts FOR VALUES FROM (0) TO (10)",
          "INSERT INTO parts VALUES (1)");
      long parts = Objects.requireNonNull(sampling.load().oidOf("public.parts"));
      assertThat(blank(sampling, parts)).isEmpty();
      own.execute("CREATE TABLE spare PARTITION OF parts FOR VALUES FROM (10) TO (20)");
      assertThat(blank(sampling, parts)).isEmpty();

      own.execute("TRUNCATE part");
      Set<Long> emptied = blank(sampling, parts);
      assertThat(emptied).hasSize(1);
      own.execute("VACUUM FULL spare");
      assertThat(blank(sampling, parts)).isEqualTo(emptied);
      own.execute("TRUNCATE parts");
      assertThat(blank(sampling, parts)).hasSize(2).doesNotContainAnyElementsOf(emptied);
      sampling.release();
    }
  }

  private static Set<Long> blank(PostgresCatalogLoader sampling, long table) throws SQLException {
    RadarSample sample = sampling.sample("", "larder-radar-test", List.of(table));
    return Objects.requireNonNull(sample).tables().get(0).blank();
  }

  @Test
  @Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void connectionThatNothingComesFromIsGivenUp() throws Exception {
    List<String> processes = new ArrayList<>();
    PostgresCatalogLoader impatient =
        new PostgresCatalogLoader(
            () -> {
              Connection connection = database.connect();
              processes.add(processOf(connection));
              return connection;
            },
            process -> false,
            Duration.ofSeconds(2));
    DatabaseControls controls = impatient.controls();
    signal("-STOP", processes.get(0));
    try {
      assertThatThrownBy(impatient::controls).isInstanceOf(SQLException.class);
      assertThat(impatient.controls()).isEqualTo(controls);
      assertThat(processes).hasSize(2);
    } finally {
      signal("-CONT", processes.get(0));
      impatient.release();
    }
  }

  private static String processOf(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT pg_backend_pid()")) {
      row.next();
      return row.getString(1);
    }
  }

  private static void signal(String signal, String process) throws Exception {
    Process kill = new ProcessBuilder("kill", signal, process).start();
    assertThat(kill.waitFor()).isZero();
  }

  @Test
  @Tag("gate")
  void tenThousandTablesAreReadInSeconds() throws SQLException {
    try (TestDatabase large = TestDatabase.create()) {
      // A transaction takes a lock for each table, of which the server holds some thousand.
      for (int i = 0; i < 20; i++) {
        large.execute(
            "DO $$ BEGIN FOR i IN 1..500 LOOP EXECUTE format('CREATE TABLE t_%s_"
                + i
                + " (a int, b text, c date DEFAULT now(), d int, e int)', i); END LOOP; END $$");
      }
      PostgresCatalogLoader loader = new PostgresCatalogLoader(large::connect);
      loader.load();
      assertIsOnceFasterThan(Duration.ofSeconds(6), loader::load);
      assertIsOnceFasterThan(Duration.ofSeconds(1), loader::fingerprint);
      loader.release();
    }
  }

  private interface Call {
    Object run() throws SQLException;
  }

  /** Tries for a minute: a machine that does other work may be slow for some time. */
  private static void assertIsOnceFasterThan(Duration limit, Call call) throws SQLException {
    long begun = System.nanoTime();
    Duration took;
    do {
      long start = System.nanoTime();
      call.run();
      took = Duration.ofNanos(System.nanoTime() - start);
    } while (took.compareTo(limit) >= 0 && System.nanoTime() - begun < TimeUnit.MINUTES.toNanos(1));
    assertThat(took).isLessThan(limit);
  }
}
