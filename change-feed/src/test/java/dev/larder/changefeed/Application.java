package dev.larder.changefeed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.log.CacheLog;
import dev.larder.testing.Waiting;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A connection through Larder that follows the writes of others, as an application has it. */
record Application(Connection connection) implements AutoCloseable {
  static final String OPTIONS = "&larder.writers=any&larder.feed=wal&larder.admission=all";

  /** Opens one by the driver's URL. */
  static Application open(String url, String options) throws SQLException {
    return new Application(
        DriverManager.getConnection(
            url.replaceFirst("^jdbc:", "jdbc:larder:") + OPTIONS + options));
  }

  /** Returns how often there was a trouble so far. */
  static long count(String code) {
    return CacheLog.counts().getOrDefault(code, 0L);
  }

  /** Returns a column of {@code SHOW larder.feed}; empty for null. */
  String feed(String column) throws SQLException {
    return Objects.requireNonNullElse(row("SHOW larder.feed").get(column), "");
  }

  /** Returns the first row. */
  Map<String, @Nullable String> row(String sql, Object... parameters) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < parameters.length; i++) {
        statement.setObject(i + 1, parameters[i]);
      }
      Map<String, @Nullable String> values = new HashMap<>();
      try (ResultSet row = statement.executeQuery()) {
        if (row.next()) {
          for (int i = 1; i <= row.getMetaData().getColumnCount(); i++) {
            values.put(row.getMetaData().getColumnLabel(i), row.getString(i));
          }
        }
      }
      return values;
    }
  }

  /** Returns the name of an item. */
  @Nullable String name(int id) throws SQLException {
    return row("SELECT name FROM item WHERE id = ?", id).get("name");
  }

  void write(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  long hits() throws SQLException {
    return Long.parseLong(Objects.requireNonNull(row("SHOW larder.cache").get("hits")));
  }

  /** Asks until the answer was a hit. */
  void awaitHit(String sql, Object... parameters) throws SQLException {
    long before = hits();
    Waiting.until(
        "a hit of " + sql,
        () -> {
          row(sql, parameters);
          return hits() > before;
        });
  }

  void awaitLive() throws SQLException {
    Waiting.until(Duration.ofSeconds(30), this::told, () -> "live".equals(feed("state")));
  }

  /** Waits until there was a trouble once more, and nothing is followed because of it. */
  void awaitLost(String code, long before) throws SQLException {
    Waiting.until(
        Duration.ofSeconds(30),
        () -> code + ", but " + told() + ' ' + CacheLog.counts(),
        () -> count(code) > before && "lost".equals(feed("state")));
  }

  private String told() {
    try {
      return row("SHOW larder.feed").toString();
    } catch (SQLException e) {
      return e.toString();
    }
  }

  /** Shows that what somebody else commits is seen, and that results are used between. */
  void assertFollows(FeedServer server, String database) throws SQLException {
    for (int i = 1; i <= 3; i++) {
      awaitHit("SELECT name FROM item WHERE id = ?", 1);
      String name = "n" + System.nanoTime();
      server.execute(database, "UPDATE item SET name = '" + name + "' WHERE id = 1");
      Waiting.until("the new row", () -> name.equals(name(1)));
    }
  }

  /** Shows that rows are right where nothing is followed, and that no error reaches anybody. */
  void assertWorksWithout(FeedServer server, String database) throws SQLException {
    String own = "o" + System.nanoTime();
    write("UPDATE item SET name = '" + own + "' WHERE id = 1");
    assertThat(name(1)).isEqualTo(own);
    String others = "p" + System.nanoTime();
    long written = System.nanoTime();
    server.execute(database, "UPDATE item SET name = '" + others + "' WHERE id = 1");
    Waiting.until("the new row", () -> others.equals(name(1)));
    assertThat(Duration.ofNanos(System.nanoTime() - written)).isLessThan(Duration.ofSeconds(2));
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
