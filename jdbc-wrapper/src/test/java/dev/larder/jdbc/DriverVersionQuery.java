package dev.larder.jdbc;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Properties;
import java.util.function.Function;
import org.postgresql.PGConnection;
import org.postgresql.PGRefCursorResultSet;
import org.postgresql.PGStatement;
import org.postgresql.jdbc.PgConnection;

/**
 * Runs a query through Larder, with whatever driver its class loader sees: takes a URL, returns why
 * it was not cached, whether it was a hit, its rows, whether the driver's interfaces work, and
 * whether there are hits again after its connection was unwrapped and closed. Public for
 * reflection.
 */
public final class DriverVersionQuery implements Function<String, List<String>> {
  private static final String QUERY = "SELECT id FROM item ORDER BY id LIMIT 1";

  /** For reflection. */
  public DriverVersionQuery() {}

  @Override
  public List<String> apply(String url) {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(DriverVersionQuery.class.getClassLoader());
    String larder = url.replace("jdbc:", "jdbc:larder:") + "&larder.writers=this-jvm";
    try (Connection connection = new LarderDriver().connect(larder, new Properties())) {
      LarderProbe.awaitCatalog(connection);
      boolean hit = false;
      for (int attempt = 0; attempt < 3 && !hit; attempt++) {
        hit = LarderProbe.isHit(connection, QUERY);
      }
      return List.of(
          reason(connection),
          hit ? "hit" : "no hit",
          "" + LarderProbe.rows(connection, QUERY),
          extensions(connection),
          hit ? afterUnwrapping(connection, larder) : "no hit");
    } catch (SQLException e) {
      throw new AssertionError(e);
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  /** Uses the driver's interfaces by casts; all that they name must be there. */
  @SuppressWarnings("deprecation") // The driver deprecates one of them.
  private static String extensions(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(QUERY)) {
      int pid = ((PGConnection) connection).getBackendPID();
      ((PGStatement) statement).setPrepareThreshold(1);
      assert ((PGRefCursorResultSet) rows).getRefCursor() == null;
      boolean linked = connection.getClass().getMethods().length > 80;
      boolean asked = LarderProbe.rows(connection, "SELECT pg_backend_pid()").contains("" + pid);
      return linked && asked ? "extensions" : "no extensions";
    }
  }

  /** Closes the driver's own connection behind Larder's back. */
  private static String afterUnwrapping(Connection connection, String url) throws SQLException {
    Connection larder = new LarderDriver().connect(url, new Properties());
    try (Connection driver = larder.unwrap(PgConnection.class)) {
      if (driver.isClosed() || LarderProbe.isHit(connection, QUERY)) {
        return "hit beside an unseen writer";
      }
    }
    long deadline = System.nanoTime() + 30_000_000_000L;
    while (!LarderProbe.isHit(connection, QUERY)) {
      if (System.nanoTime() > deadline) {
        return "no hit any more";
      }
    }
    return "hit again";
  }

  private static String reason(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SHOW larder.queries")) {
      while (row.next()) {
        if (row.getString("query").contains("FROM item")) {
          String reason = row.getString("bypass_reason");
          return reason == null ? "not bypassed" : reason;
        }
      }
    }
    return "not counted";
  }
}
