package dev.larder.jdbc.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.TestDatabase;
import dev.larder.jdbc.connection.BackgroundConnection;
import dev.larder.jdbc.connection.PhysicalConnection;
import dev.larder.jdbc.statement.CachingConnection;
import dev.larder.jdbc.wrap.LarderConnections;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Objects;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

final class BackgroundConnectionTest {
  @AutoClose private static TestDatabase database;

  @BeforeAll
  static void createTable() throws SQLException {
    database = TestDatabase.create();
    database.execute(
        "CREATE TABLE item (id int PRIMARY KEY, name text)",
        "INSERT INTO item SELECT i, 'item ' || i FROM generate_series(1, 100) i");
  }

  private static PhysicalConnection physical(Connection connection) throws SQLException {
    return connection.unwrap(CachingConnection.class).physical();
  }

  private static BackgroundConnection background(Connection connection) throws SQLException {
    return Objects.requireNonNull(physical(connection).further().background()).open();
  }

  @Test
  void whatItMissesIsAHitOfTheApplicationAndNoMissOfIts() throws SQLException {
    try (Connection connection = LarderProbe.connect(database, "larder.name=hit");
        BackgroundConnection background = background(connection)) {
      assertThat(background.physical().settings()).isEqualTo(physical(connection).settings());

      LarderProbe.fill(background.connection(), "SELECT name FROM item WHERE id = 1");
      long misses = LarderProbe.count(connection, "misses");
      long hits = LarderProbe.hits(connection);
      LarderProbe.run(connection, "SELECT name FROM item WHERE id = 1");

      assertThat(LarderProbe.hits(connection)).isEqualTo(hits + 1);
      assertThat(LarderProbe.count(connection, "admissions")).isPositive();
      assertThat(misses).isZero();
    }
  }

  @Test
  void itIsAsGoodAfterAWriteOfTheApplicationAsAnyOther() throws SQLException {
    try (Connection connection = LarderProbe.connect(database, "larder.name=written");
        BackgroundConnection background = background(connection)) {
      String sql = "SELECT name FROM item WHERE id = 2";
      LarderProbe.fill(background.connection(), sql);
      LarderProbe.run(connection, "UPDATE item SET name = 'new' WHERE id = 2");

      try (Statement statement = connection.createStatement()) {
        assertThat(LarderProbe.rows(statement.executeQuery(sql)).toString()).contains("new");
      }
    }
  }

  @Test
  void theServerRefusesItsWrites() throws SQLException {
    try (Connection connection = LarderProbe.connect(database);
        BackgroundConnection background = background(connection)) {
      String sql = "DELETE FROM item WHERE id = 3";
      try (Statement statement = background.connection().createStatement()) {
        assertThatThrownBy(() -> statement.executeUpdate(sql))
            .isInstanceOf(SQLException.class)
            .hasMessageContaining("read-only transaction");
      }
    }
  }

  /** It has settings that others have not, and that are part of no key unless a query asks. */
  @Test
  void whatItsOwnSettingsSayIsNoHitOfTheApplication() throws SQLException {
    try (Connection connection = LarderProbe.connect(database, "larder.name=settings");
        Connection bare = database.connect();
        BackgroundConnection background = background(connection)) {
      for (String setting :
          new String[] {
            "statement_timeout",
            "lock_timeout",
            "default_transaction_read_only",
            "transaction_read_only"
          }) {
        String sql = "SELECT current_setting('" + setting + "') FROM item WHERE id = 4";
        for (int i = 0; i < 2; i++) {
          try (Statement statement = background.connection().createStatement()) {
            statement.executeQuery(sql).close();
          } catch (SQLException e) {
            assertThat(e.getSQLState()).isEqualTo(BackgroundConnection.REFUSED);
          }
        }
        assertThat(LarderProbe.rows(connection, sql)).isEqualTo(LarderProbe.rows(bare, sql));
      }
    }
  }

  @Test
  void itSendsNoQueryThatIsNoMiss() throws SQLException {
    try (Connection connection = LarderProbe.connect(database);
        BackgroundConnection background = background(connection)) {
      for (String sql :
          new String[] {
            "DELETE FROM item WHERE id = 3",
            "SELECT pg_sleep(100)",
            "SELECT 1; SELECT 2",
            "SET x.y = 1"
          }) {
        assertThatThrownBy(() -> LarderProbe.run(background.connection(), sql))
            .as(sql)
            .isInstanceOfSatisfying(
                SQLException.class,
                e -> assertThat(e.getSQLState()).isEqualTo(BackgroundConnection.REFUSED));
      }
      assertThat(database.queryString("SELECT count(*) FROM item")).isEqualTo("100");
    }
  }

  @Test
  void itIsNotWantedOnceTheApplicationHasClosedItsOwn() throws SQLException {
    Connection connection = LarderProbe.connect(database, "larder.name=closed");
    try (BackgroundConnection background = background(connection)) {
      assertThat(background.isWanted()).isTrue();
      connection.close();
      assertThat(background.isWanted()).isFalse();
    }
  }

  @Test
  void itIsNotWantedOnceTheServerHasNoSlotLeft() throws SQLException {
    try (Connection connection = LarderProbe.connect(database, "larder.name=room");
        BackgroundConnection background = background(connection)) {
      assertThat(LarderConnections.makeRoom()).isTrue();
      assertThat(background.isWanted()).isFalse();
    }
  }

  @Test
  void itOpensNoOther() throws SQLException {
    try (Connection connection = LarderProbe.connect(database);
        BackgroundConnection background = background(connection)) {
      assertThat(background.physical().further().background()).isNull();
    }
  }
}
