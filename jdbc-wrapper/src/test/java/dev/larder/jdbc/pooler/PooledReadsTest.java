package dev.larder.jdbc.pooler;

import static dev.larder.jdbc.LarderProbe.hits;
import static dev.larder.jdbc.LarderProbe.run;
import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.jdbc.PgBouncer;
import dev.larder.jdbc.TestDatabase;
import dev.larder.testing.NeedsProgram;
import dev.larder.testing.Program;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Results are cached behind a pooler, and follow what is written through it. */
@NeedsProgram(Program.PGBOUNCER)
final class PooledReadsTest {
  private static final String READ = "SELECT v FROM t WHERE id = 1";

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
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
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
