package dev.larder.jdbc.statement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.jdbc.TestDatabase;
import dev.larder.jdbc.connection.BackgroundConnection;
import dev.larder.jdbc.connection.PhysicalConnection;
import dev.larder.jdbc.wrap.LarderConnections;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

final class BackgroundConnectionTest {
  private static TestDatabase database;

  @BeforeAll
  static void createTable() throws SQLException {
    database = TestDatabase.create();
    database.execute(
        "CREATE TABLE item (id int PRIMARY KEY, name text)",
        "INSERT INTO item SELECT i, 'item ' || i FROM generate_series(1, 100) i");
  }

  @AfterAll
  static void dropDatabase() throws SQLException {
    database.close();
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
      assertThatThrownBy(
              () -> LarderProbe.run(background.connection(), "DELETE FROM item WHERE id = 3"))
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("read-only transaction");
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
