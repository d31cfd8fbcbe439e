package dev.larder.jdbc;

import dev.larder.engine.QueryCache;
import dev.larder.engine.ShapePlan;
import dev.larder.engine.ShapeStatistics;
import dev.larder.jdbc.statement.CachingConnection;
import dev.larder.resolve.ResolvedStatement;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Connections through Larder for tests, and what {@code SHOW larder.cache} says of them. */
public final class LarderProbe {
  private static final int FILL_ATTEMPTS = 5;

  private LarderProbe() {}

  /**
   * Opens a connection whose cache is declared to see every write, and waits until the catalog is
   * loaded.
   */
  public static Connection connect(TestDatabase database, String... parameters)
      throws SQLException {
    String[] all = new String[parameters.length + 1];
    all[0] = "larder.writers=this-jvm";
    System.arraycopy(parameters, 0, all, 1, parameters.length);
    Connection connection = DriverManager.getConnection(database.larderUrl(all));
    awaitCatalog(connection);
    return connection;
  }

  /** Waits until statements can be resolved. */
  public static void awaitCatalog(Connection connection) throws SQLException {
    if (!awaitCatalog(connection, Duration.ofSeconds(30))) {
      throw new AssertionError("the catalog was not loaded within 30 s");
    }
  }

  /** Waits until statements can be resolved; returns whether it came to that. */
  public static boolean awaitCatalog(Connection connection, Duration atMost) throws SQLException {
    return connection
        .unwrap(CachingConnection.class)
        .physical()
        .cache()
        .database()
        .catalog()
        .awaitLoaded(atMost);
  }

  /** Returns the number of the version of the catalog: it grows when that is found to differ. */
  public static long catalogVersion(Connection connection) throws SQLException {
    return connection
        .unwrap(CachingConnection.class)
        .physical()
        .cache()
        .database()
        .catalog()
        .version();
  }

  /** Returns a count of {@code SHOW larder.cache}. */
  public static long count(Connection connection, String column) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SHOW larder.cache")) {
      row.next();
      return row.getLong(column);
    }
  }

  /** Returns how many hits there were. */
  public static long hits(Connection connection) throws SQLException {
    return count(connection, "hits");
  }

  /** Returns how many hits there were of queries that rest on some rows of their tables. */
  public static long narrowedHits(Connection connection) throws SQLException {
    return narrowed(connection, ShapeStatistics::hits);
  }

  /** Returns how many hits and misses there were of such queries. */
  public static long narrowedLookups(Connection connection) throws SQLException {
    return narrowed(connection, ShapeStatistics::lookups);
  }

  private static long narrowed(Connection connection, ToLongFunction<ShapeStatistics> count)
      throws SQLException {
    QueryCache cache = connection.unwrap(CachingConnection.class).physical().cache();
    long sum = 0;
    for (Object each : (Collection<?>) call(call(cache, "plans"), "shapes")) {
      Object meaning = call(each, "lastMeaning");
      if (each instanceof ShapePlan shape
          && meaning != null
          && call(meaning, "statement") instanceof ResolvedStatement statement
          && !statement.keys().reads().isEmpty()) {
        sum += count.applyAsLong(shape.statistics());
      }
    }
    return sum;
  }

  private static Object call(Object object, String method) {
    try {
      Method called = object.getClass().getDeclaredMethod(method);
      called.setAccessible(true);
      return called.invoke(object);
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }

  /** Runs a statement. */
  public static void run(Connection connection, String... statements) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
      if (Stream.of(statements).anyMatch(TestDatabase::isDdl)) {
        TestDatabase.count(statement);
      }
    }
  }

  /** Returns the rows of a query as text, columns joined by a comma. */
  public static List<String> rows(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      return rows(result);
    }
  }

  /** Returns the rows of a result as text, columns joined by a comma. */
  public static List<String> rows(ResultSet result) throws SQLException {
    List<String> rows = new ArrayList<>();
    int columns = result.getMetaData().getColumnCount();
    while (result.next()) {
      List<String> values = new ArrayList<>();
      for (int i = 1; i <= columns; i++) {
        values.add(String.valueOf(result.getString(i)));
      }
      rows.add(String.join(",", values));
    }
    return rows;
  }

  /**
   * Returns whether running {@code sql} now is a hit; no comparison of the catalog is in its way.
   */
  public static boolean isHit(Connection connection, String sql) throws SQLException {
    if (connection instanceof CachingConnection) {
      awaitCatalog(connection, Duration.ofSeconds(1));
    }
    long before = hits(connection);
    rows(connection, sql);
    return hits(connection) > before;
  }

  /**
   * Runs {@code sql} until it is in the cache, and asserts that it comes to that. Once is not
   * always enough: the catalog may just be compared with the database.
   */
  public static void fill(Connection connection, String sql) throws SQLException {
    for (int attempt = 0; attempt < FILL_ATTEMPTS; attempt++) {
      rows(connection, sql);
      if (isHit(connection, sql)) {
        return;
      }
      awaitCatalog(connection);
    }
    throw new AssertionError("not cached: " + sql + " because " + reason(connection, sql));
  }

  /** Returns the last bypass reason of the shape that begins as {@code sql} does. */
  public static String reason(Connection connection, String sql) throws SQLException {
    StringBuilder reasons = new StringBuilder();
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SHOW larder.queries")) {
      while (row.next()) {
        reasons
            .append('[')
            .append(row.getString("query"))
            .append(": ")
            .append(row.getString("bypass_reason"))
            .append(", misses ")
            .append(row.getLong("misses"))
            .append(']');
      }
    }
    return reasons.toString();
  }

  private static final String FIRST_PARSES = "larder.firstParses";
  private static final @Nullable String USUAL_PARSES = System.getProperty(FIRST_PARSES);

  /**
   * Says how many new queries are parsed at once by a cache that is made from now on: of others the
   * words are looked at until they come again. Negative for as many as usual in tests, which is any
   * number.
   */
  public static void firstParses(int count) {
    if (count >= 0) {
      System.setProperty(FIRST_PARSES, Integer.toString(count));
    } else if (USUAL_PARSES == null) {
      System.clearProperty(FIRST_PARSES);
    } else {
      System.setProperty(FIRST_PARSES, USUAL_PARSES);
    }
  }

  /** Returns the reasons of all bypasses: a shape that came once is not remembered by itself. */
  public static String bypasses(Connection connection) throws SQLException {
    StringBuilder reasons = new StringBuilder();
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SHOW larder.bypasses")) {
      while (row.next()) {
        reasons.append('[').append(row.getString("bypass_reason")).append(']');
      }
    }
    return reasons.toString();
  }
}
