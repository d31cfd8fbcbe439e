package dev.larder.jdbc.lazy;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.LazyDataSource;
import dev.larder.jdbc.TestDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random sequences of calls on a connection above the pool and on one of the pool's: rows, counts,
 * errors and SQLStates are the same.
 */
final class LazyDifferentialTest {
  private static final int SEQUENCES = Integer.getInteger("larder.lazy.sequences", 40);
  private static final int CALLS = 40;

  /** What a sequence begins with: calls that need no connection while the reads are hits. */
  private static final int[] FIRST = {0, 1, 2, 4, 5, 8, 11, 12, 15, 16, 17, 26, 28, 30};

  private static final int[] LEVELS = {
    Connection.TRANSACTION_READ_UNCOMMITTED,
    Connection.TRANSACTION_READ_COMMITTED,
    Connection.TRANSACTION_REPEATABLE_READ,
    Connection.TRANSACTION_SERIALIZABLE
  };

  /** One call, whose answer is a text. */
  @FunctionalInterface
  private interface Call {
    Object of(Side side) throws SQLException;
  }

  /** A database, a pool, and what the sequence has open there. */
  private static final class Side implements AutoCloseable {
    final TestDatabase database = TestDatabase.create();
    final HikariDataSource pool;
    final DataSource source;
    Connection connection;
    PreparedStatement prepared;
    Statement plain;
    ResultSet rows;
    Savepoint savepoint;

    Side(boolean lazy, @Nullable String level) throws SQLException {
      database.execute(
          "CREATE TABLE item (id int PRIMARY KEY, name text, price numeric(9, 2),"
              + " made timestamptz DEFAULT '2020-02-03 04:05:06+00')",
          "INSERT INTO item SELECT i, 'n' || i, i FROM generate_series(1, 5) i",
          "INSERT INTO item VALUES (6, NULL, NULL, NULL)");
      HikariConfig config = new HikariConfig();
      config.setJdbcUrl(
          database.larderUrl(
              "larder.writers=this-jvm", "larder.admission=all", "larder.lazyConnections=auto"));
      config.setMaximumPoolSize(1);
      config.setTransactionIsolation(level);
      pool = new HikariDataSource(config);
      source = lazy ? new LazyDataSource(pool) : pool;
      try (Connection first = source.getConnection()) {
        LarderProbe.awaitCatalog(first);
      }
    }

    void open() throws SQLException {
      connection = source.getConnection();
      plain = connection.createStatement();
      prepared = connection.prepareStatement("SELECT id, name, price, made FROM item WHERE id = ?");
      rows = null;
      savepoint = null;
    }

    void reopen() throws SQLException {
      connection.close();
      open();
    }

    @Override
    public void close() throws SQLException {
      pool.close();
      database.close();
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void sequencesOfCallsAnswerAlike(long seed) throws SQLException {
    try (Side eager = new Side(false, null);
        Side lazy = new Side(true, null)) {
      compare(new Random(seed), SEQUENCES, eager, lazy);
      assertThat(unpooledHits(lazy)).as(state(lazy)).isGreaterThan(SEQUENCES / 4);
      assertThat(unpooledHits(eager)).isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "TRANSACTION_READ_UNCOMMITTED",
        "TRANSACTION_REPEATABLE_READ",
        "TRANSACTION_SERIALIZABLE"
      })
  void sequencesAnswerAlikeWhereThePoolHasAnotherLevel(String level) throws SQLException {
    try (Side eager = new Side(false, level);
        Side lazy = new Side(true, level)) {
      compare(new Random(4), SEQUENCES / 2, eager, lazy);
      boolean isOfEachStatement = level.endsWith("UNCOMMITTED");
      assertThat(unpooledHits(lazy) > 0).as(state(lazy)).isEqualTo(isOfEachStatement);
    }
  }

  private static void compare(Random random, int sequences, Side eager, Side lazy)
      throws SQLException {
    for (int sequence = 0; sequence < sequences; sequence++) {
      eager.open();
      lazy.open();
      List<String> history = new ArrayList<>();
      for (int call = 0; call < CALLS; call++) {
        step(random, eager, lazy, history);
      }
      eager.connection.close();
      lazy.connection.close();
    }
  }

  @Test
  void aDifferenceWouldBeSeen() {
    assertThat(answer(side -> "one", null)).isNotEqualTo(answer(side -> "two", null));
    assertThat(answer(LazyDifferentialTest::failing, null)).isEqualTo("57014: no");
  }

  private static Object failing(Side side) throws SQLException {
    throw new SQLException("no", "57014");
  }

  private static long unpooledHits(Side side) throws SQLException {
    try (Connection connection = side.pool.getConnection()) {
      return LarderProbe.count(connection, "unpooled_hits");
    }
  }

  private static String state(Side side) throws SQLException {
    try (Connection connection = side.pool.getConnection()) {
      return LarderProbe.rows(connection, "SHOW larder.cache")
          + " "
          + LarderProbe.rows(connection, "SHOW larder.bypasses");
    }
  }

  private static void step(Random random, Side eager, Side lazy, List<String> history) {
    int number = history.size() < 8 ? FIRST[random.nextInt(FIRST.length)] : random.nextInt(40);
    int value = random.nextInt(8);
    Call call = number < 22 ? reading(number, value) : changing(number, value);
    String expected = answer(call, eager);
    history.add(number + "(" + value + ") " + expected);
    assertThat(answer(call, lazy)).as("after %s", history).isEqualTo(expected);
  }

  private static String answer(Call call, Side side) {
    try {
      return String.valueOf(call.of(side));
    } catch (SQLException e) {
      return e.getSQLState() + ": " + e.getMessage();
    }
  }

  private static Call reading(int number, int value) {
    return switch (number) {
      case 0, 1, 2, 3 -> side -> find(side, value);
      case 4, 5, 6 -> side -> rows(side, "SELECT name, made FROM item WHERE id = " + value);
      case 7 -> side -> rows(side, "SELECT count(*), sum(price) FROM item");
      case 8 -> side -> execute(side, "SELECT price FROM item ORDER BY id");
      case 9 -> side -> side.plain.getUpdateCount();
      case 10 -> side -> side.plain.getMoreResults();
      case 11 -> side -> side.rows == null ? "none" : side.rows.next();
      case 12 -> side -> side.rows == null ? "none" : side.rows.getString(1);
      case 13 -> side -> side.rows == null ? "none" : described(side.rows);
      case 14 -> side -> side.rows == null || side.rows.isClosed();
      case 15 -> side -> side.connection.getAutoCommit();
      case 16 -> side -> side.connection.isReadOnly();
      case 17 -> side -> side.connection.getTransactionIsolation();
      case 18 -> side -> side.plain.getWarnings();
      case 19 -> side -> findNull(side);
      case 20 -> side -> rows(side, "SELECT nothing FROM item");
      default -> side -> side.prepared.getMetaData().getColumnCount();
    };
  }

  private static Call changing(int number, int value) {
    return switch (number) {
      case 22, 23 ->
          side -> side.plain.executeUpdate("UPDATE item SET price = price + 1 WHERE id = " + value);
      case 24 -> side -> side.plain.executeUpdate("INSERT INTO item VALUES (" + value + ", 'new')");
      case 25 -> side -> side.plain.execute("DELETE FROM item WHERE id = 7");
      case 26, 27 -> nothing(side -> side.connection.setAutoCommit(value % 2 == 0));
      case 28 -> nothing(side -> side.connection.commit());
      case 29 -> nothing(side -> side.connection.rollback());
      case 30 -> nothing(side -> side.connection.setReadOnly(value > 5));
      case 31 -> nothing(side -> side.connection.setTransactionIsolation(LEVELS[value % 4]));
      case 32 -> nothing(side -> side.plain.setMaxRows(value - 1));
      case 33 -> nothing(side -> side.plain.setFetchSize(value - 1));
      case 34 -> nothing(side -> side.savepoint = side.connection.setSavepoint());
      case 35 -> side -> side.savepoint == null ? "none" : rolledBack(side);
      case 36 -> nothing(side -> side.plain.setQueryTimeout(value - 1));
      case 37 -> nothing(side -> side.plain.close());
      case 38 -> nothing(side -> side.prepared.setString(value, "x"));
      default -> nothing(Side::reopen);
    };
  }

  private static String rolledBack(Side side) throws SQLException {
    side.connection.rollback(side.savepoint);
    return "done";
  }

  /** A call that answers nothing. */
  @FunctionalInterface
  private interface Action {
    void on(Side side) throws SQLException;
  }

  private static Call nothing(Action action) {
    return side -> {
      action.on(side);
      return "done";
    };
  }

  private static String find(Side side, int id) throws SQLException {
    side.prepared.setInt(1, id);
    side.rows = side.prepared.executeQuery();
    return first(side.rows);
  }

  private static String findNull(Side side) throws SQLException {
    side.prepared.setNull(1, Types.INTEGER);
    side.rows = side.prepared.executeQuery();
    return first(side.rows);
  }

  private static String first(ResultSet rows) throws SQLException {
    return rows.next()
        ? rows.getInt("id")
            + rows.getString(2)
            + rows.wasNull()
            + rows.getBigDecimal(3)
            + rows.getTimestamp(4)
            + rows.getObject("made")
        : "no row";
  }

  private static String rows(Side side, String sql) throws SQLException {
    try (ResultSet rows = side.plain.executeQuery(sql)) {
      return LarderProbe.rows(rows).toString();
    }
  }

  private static Object execute(Side side, String sql) throws SQLException {
    boolean isResult = side.plain.execute(sql);
    side.rows = side.plain.getResultSet();
    return isResult + " " + side.rows.getFetchSize();
  }

  private static String described(ResultSet rows) throws SQLException {
    StringBuilder all = new StringBuilder();
    for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
      all.append(rows.getMetaData().getColumnLabel(i))
          .append(rows.getMetaData().getColumnTypeName(i))
          .append(rows.getMetaData().getColumnType(i))
          .append(rows.getMetaData().getPrecision(i))
          .append(rows.getMetaData().isNullable(i));
    }
    return all.toString();
  }
}
