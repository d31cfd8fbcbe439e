package dev.larder.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.testing.Waiting;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;

class TestDatabaseTest {
  @Test
  void databasesAreApart() throws SQLException {
    try (TestDatabase one = TestDatabase.create();
        TestDatabase other = TestDatabase.create()) {
      one.execute("CREATE TABLE t (a int)", "INSERT INTO t VALUES (1)");
      assertThat(one.queryString("SELECT a FROM t")).isEqualTo("1");
      assertThat(other.queryString("SELECT to_regclass('t') IS NULL")).isEqualTo("t");
      assertThat(one.port()).isEqualTo(other.port());
    }
  }

  @Test
  void aDatabaseWithSessionsAndPreparedTransactionsIsDropped() throws SQLException {
    TestDatabase database = TestDatabase.create();
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      statement.execute("CREATE TABLE t (a int)");
      statement.execute("PREPARE TRANSACTION 'left behind'");
      statement.execute("SELECT 1");
      database.close();
      assertThatThrownBy(() -> statement.execute("SELECT 1")).isInstanceOf(SQLException.class);
    }
    Waiting.until("the database is gone", () -> isGone(database));
  }

  private static boolean isGone(TestDatabase database) {
    try (Connection connection = database.connect()) {
      return connection.isClosed();
    } catch (SQLException e) {
      return e.getMessage().contains(database.name());
    }
  }

  @Test
  void theServerHasRoomForManyConnectionsAndPreparedTransactions() throws SQLException {
    try (TestDatabase database = TestDatabase.create()) {
      assertThat(database.queryString("SHOW max_connections")).isEqualTo("300");
      assertThat(database.queryString("SHOW max_prepared_transactions")).isEqualTo("20");
      assertThat(database.queryString("SHOW fsync")).isEqualTo("off");
      assertThat(database.queryString("SELECT count(*) FROM pg_class WHERE relname = 'x'"))
          .isEqualTo("0");
    }
  }
}
