package dev.larder.benchmarks.cost;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.benchmarks.shapes.Servers;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("gate")
class TransactionTest {
  private final SplittableRandom random = new SplittableRandom(1);
  private Servers servers;
  private Connection connection;

  @BeforeEach
  void connect() throws IOException, SQLException {
    servers = new Servers();
    connection = servers.postgres().direct();
  }

  @AfterEach
  void close() throws IOException, SQLException {
    connection.close();
    servers.close();
  }

  @Test
  void eachLoadRunsOnItsTablesAndCommits() throws SQLException {
    for (Map.Entry<String, Load> load : TransactionLoads.all().entrySet()) {
      TransactionTables.create(servers.postgres(), load.getKey());
      for (int i = 0; i < 50; i++) {
        load.getValue().run(connection, random);
      }
    }

    try (Connection other = servers.postgres().direct()) {
      assertThat(count(other, "purchase WHERE id > " + TransactionTables.MANY)).isBetween(10L, 50L);
      assertThat(count(other, "flight WHERE seats_left < 150")).isBetween(10L, 50L);
      assertThat(count(other, "checking WHERE balance <> 100")).isGreaterThan(10);
      assertThat(count(other, "trust WHERE degree = 0")).isGreaterThan(0);
    }
  }

  @Test
  void whatADeadlockHasBrokenOffIsRolledBackAndAnythingElseIsThrown() throws SQLException {
    Transaction.of(each -> each.write("INSERT INTO probe VALUES (?)", 1)).run(connection, random);
    try (Statement statement = connection.createStatement()) {
      statement.execute("INSERT INTO probe VALUES (2)");
    }

    Transaction.rollBack(connection, new SQLException("deadlock detected", "40P01"));

    assertThat(count(connection, "probe")).isEqualTo(1);
    SQLException other = new SQLException("no such table", "42P01");
    assertThatThrownBy(() -> Transaction.rollBack(connection, other)).isSameAs(other);
  }

  @Test
  void aNewKeyComesAgainOnlyWhenAllOthersHaveCome() throws SQLException {
    Set<Integer> keys = new HashSet<>();
    Load load =
        Transaction.of(
            each -> {
              for (int i = 0; i < TransactionTables.MANY; i++) {
                keys.add(each.newKey());
              }
            });
    load.run(connection, random);

    assertThat(keys).hasSize(TransactionTables.MANY);
    assertThat(keys).allMatch(key -> key >= 1 && key <= TransactionTables.MANY);
  }

  private static long count(Connection connection, String what) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT count(*) FROM " + what)) {
      row.next();
      return row.getLong(1);
    }
  }
}
