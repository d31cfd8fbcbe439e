package dev.larder.jdbc.statement;

import dev.larder.jdbc.postgresql.PostgresSession;
import dev.larder.jdbc.replay.MatrixTable;
import dev.larder.jdbc.replay.PostgresResults;
import dev.larder.jdbc.replay.ReplayOptions;
import dev.larder.jdbc.replay.ReplayStatements;
import dev.larder.jdbc.replay.ResultSetComparison;
import dev.larder.result.CachedResult;
import dev.larder.result.ResultLimits;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Properties;
import java.util.function.Function;

/**
 * Compares replayed results with live ones, with whatever driver its class loader sees: takes a
 * URL, returns the driver's version and the differences. Public for reflection.
 */
public final class DriverVersionProbe implements Function<String, List<String>> {
  /** For reflection. */
  public DriverVersionProbe() {}

  @Override
  public List<String> apply(String url) {
    try (Connection checked = new org.postgresql.Driver().connect(url, new Properties())) {
      String reason = PostgresResults.unsupportedReason(checked);
      if (reason != null) {
        return List.of("unsupported", reason);
      }
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
    return compared(url);
  }

  private static List<String> compared(String url) {
    try (Connection filling = new org.postgresql.Driver().connect(url, new Properties());
        Connection replaying = new org.postgresql.Driver().connect(url, new Properties());
        PreparedStatement fill = filling.prepareStatement(MatrixTable.QUERY);
        PreparedStatement live = replaying.prepareStatement(MatrixTable.QUERY)) {
      fill.executeQuery().close();
      live.executeQuery().close();
      ResultSet filled = fill.executeQuery();
      CachedResult cached = PostgresResults.capture(filled, ResultLimits.NONE, null);
      if (cached == null) {
        return List.of("unsupported", "not captured");
      }
      ResultSet replayed = new ReplayStatements(replaying).replay(cached, ReplayOptions.DEFAULT);
      ResultSetComparison.Report report =
          ResultSetComparison.compare(
              live.executeQuery(), new CachingResultSet(replayed, new RecordingOwner(live), true));
      return List.of(
          filling.getMetaData().getDriverVersion(),
          String.valueOf(report.answers()),
          String.join("\n", report.differences()) + closedness(replaying));
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  /** Ends the connection's server process, and returns what is not found out about that. */
  private static String closedness(Connection connection) throws SQLException {
    PostgresSession session = new PostgresSession(connection);
    String before = session.isFoundClosed() ? "an open connection is found closed" : "";
    try (Statement statement = connection.createStatement()) {
      statement.execute("SELECT pg_terminate_backend(pg_backend_pid())");
      return "a server process survives";
    } catch (SQLException e) {
      return before + (session.isFoundClosed() ? "" : "a closed connection is found open");
    }
  }
}
