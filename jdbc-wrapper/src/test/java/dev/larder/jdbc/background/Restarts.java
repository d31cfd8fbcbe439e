package dev.larder.jdbc.background;

import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.TestDatabase;
import dev.larder.testing.Waiting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * An application that is started anew. A restart is another cache: one of the same name, whose
 * results are apart because it is of another size.
 */
final class Restarts {
  private static final AtomicInteger SIZES = new AtomicInteger(100_000);

  private final TestDatabase database;
  private final Path file;

  /**
   * Creates what starts the application.
   *
   * @param file where it notes its hot queries
   */
  Restarts(TestDatabase database, Path file) {
    this.database = database;
    this.file = file;
  }

  /** Creates a database with a table of fifty rows. */
  static TestDatabase createDatabase() throws SQLException {
    TestDatabase database = TestDatabase.create();
    database.execute(
        "CREATE TABLE v (id int PRIMARY KEY, b int8, t text, n numeric(12, 3), u uuid, ts timestamp,"
            + " tz timestamptz, d date, y bytea, f float8, o bool)",
        "INSERT INTO v SELECT i, i, 'text ' || i, i, '00000000-0000-0000-0000-000000000001',"
            + " '2024-02-29 12:00', '2024-02-29 12:00Z', '2024-02-29', '\\x00ff', i + 0.1, true"
            + " FROM generate_series(1, 50) i");
    return database;
  }

  /** Starts the application anew. */
  Connection start(String... options) throws SQLException {
    return started(database, options);
  }

  /** Starts it anew with another database. */
  Connection started(TestDatabase where, String... options) throws SQLException {
    List<String> all = new ArrayList<>(List.of(options));
    all.add("larder.maxEntries=" + SIZES.incrementAndGet());
    Properties properties = new Properties();
    properties.put("larder.writers", "this-jvm");
    properties.put("larder.warmup.file", file.toString());
    Connection connection =
        DriverManager.getConnection(where.larderUrl(all.toArray(String[]::new)), properties);
    LarderProbe.awaitCatalog(connection);
    return connection;
  }

  /** Ends it, and waits until it has noted its queries. */
  void end(Connection connection) throws SQLException, IOException {
    Object before = version();
    connection.close();
    awaitNoted(before);
  }

  /** Returns what is another once the queries are noted again. */
  Object version() throws IOException {
    return Files.exists(file) ? Files.getAttribute(file, "unix:ino") : "";
  }

  /** Waits until the queries are noted again. */
  void awaitNoted(Object before) throws IOException {
    Waiting.until("the queries were noted", () -> Files.exists(file) && !version().equals(before));
  }

  static void awaitAsked(Connection connection, int queries) throws SQLException {
    Waiting.until(
        "so many queries were asked again",
        () -> LarderProbe.count(connection, "warmup_asked") >= queries);
  }

  /** Waits until no application notes or asks anything. */
  static void awaitEnd() {
    Waiting.until(
        "the warm start has ended",
        () ->
            Thread.getAllStackTraces().keySet().stream()
                .noneMatch(thread -> thread.getName().equals("larder-warmup")));
  }

  static void point(Connection connection, int id) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("SELECT t FROM v WHERE id = ?")) {
      statement.setInt(1, id);
      statement.executeQuery().close();
    }
  }
}
