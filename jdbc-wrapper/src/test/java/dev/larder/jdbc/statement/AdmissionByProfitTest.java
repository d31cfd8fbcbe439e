package dev.larder.jdbc.statement;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.bypass.BypassReason;
import dev.larder.engine.Lookup;
import dev.larder.engine.QueryCache;
import dev.larder.engine.ShapePlan;
import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.TestDatabase;
import dev.larder.lexer.LexOptions;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Queries that do not pay are left alone, and admitted again once they do. On the real clock. */
@Tag("gate")
final class AdmissionByProfitTest {
  private static final String SQL = "SELECT name FROM item WHERE id = ? AND name <> ?";
  private static final int ITEMS = 100;
  private static final int MEASURED = 5_000;
  private static final long NOTICED_NANOS = 10_000_000_000L;

  @AutoClose private TestDatabase database;
  private int number;

  @BeforeEach
  void create() throws SQLException {
    database = TestDatabase.create();
    database.execute(
        "CREATE TABLE item (id int PRIMARY KEY, name text)",
        "INSERT INTO item SELECT i, 'item ' || i FROM generate_series(0, 99) i");
  }

  private void read(Connection connection, int key) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(SQL)) {
      int id = key % ITEMS;
      statement.setInt(1, id);
      statement.setString(2, "other " + key / ITEMS);
      try (ResultSet row = statement.executeQuery()) {
        assertThat(row.next()).isTrue();
        assertThat(row.getString(1)).isEqualTo("item " + id);
      }
    }
  }

  private void read(Connection connection, int times, IntUnaryOperator keys) throws SQLException {
    for (int i = 0; i < times; i++) {
      read(connection, keys.applyAsInt(++number));
    }
  }

  /** Reads until the state is another; it must be so in time. */
  private void readUntil(Connection connection, String state, IntUnaryOperator keys)
      throws SQLException {
    long start = System.nanoTime();
    do {
      read(connection, 200, keys);
      assertThat(System.nanoTime() - start).as("until " + state).isLessThan(NOTICED_NANOS);
    } while (!state.equals(column(connection, "admission")));
  }

  private static String column(Connection connection, String name) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SHOW larder.queries")) {
      while (row.next()) {
        if (row.getString("query").equals(SQL)) {
          return row.getString(name);
        }
      }
      return null;
    }
  }

  @Test
  void whatNeverHitsIsLeftAloneUntilItDoes() throws SQLException {
    IntUnaryOperator allNew = i -> i;
    IntUnaryOperator few = i -> i % 50;
    try (Connection connection = LarderProbe.connect(database)) {
      readUntil(connection, "probed", allNew);
      long before = LarderProbe.count(connection, "bypasses");
      read(connection, MEASURED, allNew);
      assertThat(LarderProbe.count(connection, "bypasses") - before)
          .isBetween(MEASURED * 9L / 10, MEASURED - 1L);
      assertThat(column(connection, "profit_micros_per_second")).startsWith("-");
      assertThat(column(connection, "profit_because")).contains(" 0 were hits;");

      readUntil(connection, "admitted", few);
      long hits = LarderProbe.hits(connection);
      read(connection, MEASURED, few);
      assertThat(LarderProbe.hits(connection) - hits).isBetween(MEASURED - 50L, (long) MEASURED);
    }
  }

  /** Of a query that is left alone most are bypasses: its misses would hardly ever be timed. */
  @Test
  void aLookupThatDoesNotPayLeavesItsTurnToBeTimedToTheNext() throws SQLException {
    try (Connection connection = LarderProbe.connect(database)) {
      QueryCache cache = connection.unwrap(CachingConnection.class).physical().cache();
      ShapePlan shape = cache.plan(SQL, LexOptions.PREPARED).shape();
      MissCost cost = new MissCost(cache.admissions(), false);
      cost.missed(shape, 1_000, 1_000);
      cost.missed(shape, 1_000, 1_000);
      assertThat(cost.isDue).isTrue();
      cost.lookedUp(shape, new Lookup.Bypass(BypassReason.NO_PROFIT), 1_000);
      assertThat(cost.isDue).isTrue();
      cost.lookedUp(shape, new Lookup.Bypass(BypassReason.FUNCTION), 1_000);
      assertThat(cost.isDue).isFalse();
      cost.lookedUp(shape, new Lookup.Bypass(BypassReason.NO_PROFIT), 1_000);
      assertThat(cost.isDue).isFalse();
    }
  }

  @Test
  void allIsLookedUpWhereThatIsAskedFor() throws SQLException {
    try (Connection connection = LarderProbe.connect(database, "larder.admission=all")) {
      long end = System.nanoTime() + 6_000_000_000L;
      while (System.nanoTime() < end) {
        read(connection, 200, i -> i);
      }
      assertThat(LarderProbe.count(connection, "misses")).isEqualTo(number);
      assertThat(column(connection, "admission")).isNull();
    }
  }
}
