package dev.larder.jdbc.pooler;

import static dev.larder.jdbc.LarderProbe.hits;
import static dev.larder.jdbc.LarderProbe.run;
import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.jdbc.PgBouncer;
import dev.larder.jdbc.TestDatabase;
import dev.larder.testing.NeedsProgram;
import dev.larder.testing.Program;
import dev.larder.testing.Waiting;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Results are cached behind a pooler, and follow what is written through it. */
@NeedsProgram(Program.PGBOUNCER)
@Tag("regression")
final class PooledReadsTest {
  private static final String READ = "SELECT v FROM t WHERE id = 1";
  private static final String OTHER = "SELECT id FROM other";

  private TestDatabase database;

  @BeforeEach
  void create() throws Exception {
    database = TestDatabase.create();
    database.execute("CREATE TABLE t (id int PRIMARY KEY, v int)", "INSERT INTO t VALUES (1, 10)");
  }

  @AfterEach
  void drop() throws Exception {
    database.close();
  }

  private static String ask(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      if (!statement.execute(sql)) {
        return "";
      }
      ResultSet rows = statement.getResultSet();
      StringBuilder text = new StringBuilder();
      while (rows.next()) {
        text.append(rows.getString(1)).append(' ');
      }
      return text.toString().trim();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"transaction", "session"})
  void aReadIsHit(String mode) throws Exception {
    try (PgBouncer pooler = PgBouncer.start(database, mode, 4);
        Connection one = pooler.connectThroughLarder("postgres");
        Connection two = pooler.connectThroughLarder("postgres")) {
      assertThat(ask(one, READ)).isEqualTo("10");
      long before = hits(one);
      assertThat(ask(one, READ)).isEqualTo("10");
      assertThat(ask(two, READ)).isEqualTo("10");
      assertThat(hits(one)).as(reasons(one)).isEqualTo(before + 2);
      run(two, "UPDATE t SET v = 11 WHERE id = 1");
      assertThat(ask(one, READ)).isEqualTo("11");
      assertThat(ask(two, READ)).isEqualTo("11");
      assertThat(hits(one)).isEqualTo(before + 3);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"transaction", "session"})
  void aReadInATransactionIsHit(String mode) throws Exception {
    try (PgBouncer pooler = PgBouncer.start(database, mode, 4);
        Connection one = pooler.connectThroughLarder("postgres")) {
      one.setAutoCommit(false);
      ask(one, READ);
      one.commit();
      long before = hits(one);
      assertThat(ask(one, READ)).isEqualTo("10");
      one.commit();
      assertThat(hits(one)).as(reasons(one)).isEqualTo(before + 1);
      run(one, "UPDATE t SET v = 12 WHERE id = 1");
      assertThat(ask(one, READ)).isEqualTo("12");
      one.rollback();
      assertThat(ask(one, READ)).isEqualTo("10");
      one.rollback();
    }
  }

  /** In session mode the client keeps what it sets: a setting, too, that nobody had asked for. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "SET app.tenant = 'a'",
        "SELECT set_config('app.tenant', 'a', false)",
        "BEGIN / SET app.tenant = 'a' / COMMIT",
        "BEGIN / SET app.tenant = 'a' / COMMIT AND CHAIN / COMMIT",
        "BEGIN / SELECT v FROM t WHERE id = 1 / SET app.tenant = 'a' / COMMIT AND CHAIN / ROLLBACK"
      })
  void aSettingOfTheClientsOwnIsItsOwn(String texts) throws Exception {
    database.execute(
        "ALTER TABLE t ENABLE ROW LEVEL SECURITY",
        "ALTER TABLE t FORCE ROW LEVEL SECURITY",
        "CREATE TABLE other AS SELECT 1 AS id",
        "CREATE POLICY p ON t" + " USING (coalesce(current_setting('app.tenant', true), '') = 'a')",
        "DO $$ BEGIN CREATE ROLE larder_one LOGIN; EXCEPTION WHEN duplicate_object THEN END $$",
        "GRANT SELECT ON t, other TO larder_one");
    String interval = "larder.pooler.interval=100ms";
    try (PgBouncer pooler = PgBouncer.start(database, "session", 4);
        Connection one = pooler.connectThroughLarder("larder_one", interval);
        Connection two = pooler.connectThroughLarder("larder_one", interval)) {
      ask(one, OTHER);
      awaitHit(two);
      for (String text : texts.split(" / ", -1)) {
        ask(one, text);
      }
      awaitHit(two);
      for (int i = 0; i < 10; i++) {
        assertThat(ask(one, READ)).isEqualTo("10");
        assertThat(ask(two, READ)).isEmpty();
        Waiting.pass(Duration.ofMillis(30));
      }
    }
  }

  private static void awaitHit(Connection connection) throws Exception {
    Waiting.until(
        "a hit",
        () -> {
          long before = hits(connection);
          assertThat(ask(connection, OTHER)).isEqualTo("1");
          return hits(connection) > before;
        });
  }

  /** With this setting, = NULL is IS NULL. */
  @Test
  void aWriteBesideASettingOfTheNeighboursIsSeen() throws Exception {
    database.execute("CREATE TABLE n (k int, w int)", "INSERT INTO n VALUES (NULL, 1), (2, 2)");
    String read = "SELECT w FROM n WHERE k IS NULL";
    try (PgBouncer pooler = PgBouncer.start(database, "transaction", 1);
        Connection one = pooler.connectThroughLarder("postgres");
        Connection rude = pooler.connect("postgres")) {
      ask(one, read);
      long before = hits(one);
      assertThat(ask(one, read)).isEqualTo("1");
      assertThat(hits(one)).isEqualTo(before + 1);
      run(rude, "SET transform_null_equals = on");
      run(one, "UPDATE n SET w = 9 WHERE k = NULL");
      run(rude, "RESET transform_null_equals");
      assertThat(ask(one, read)).isEqualTo("9");
    }
  }

  @Test
  void whatStatementModeWouldRefuseIsNotSent() throws Exception {
    try (PgBouncer pooler = PgBouncer.start(database, "statement", 4);
        Connection one =
            java.sql.DriverManager.getConnection(
                pooler.url("postgres").replace("jdbc:", "jdbc:larder:"))) {
      for (int i = 0; i < 5; i++) {
        assertThat(ask(one, READ)).isEqualTo("10");
      }
      assertThat(hits(one)).isZero();
    }
  }

  private static String reasons(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SHOW larder.queries")) {
      StringBuilder text = new StringBuilder();
      while (rows.next()) {
        text.append(rows.getString("query")).append(": ").append(rows.getString("bypass_reason"));
      }
      return text.toString();
    }
  }
}
