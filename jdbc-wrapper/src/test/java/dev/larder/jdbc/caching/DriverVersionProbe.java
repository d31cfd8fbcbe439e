package dev.larder.jdbc.caching;

import dev.larder.jdbc.postgresql.MatrixTable;
import dev.larder.jdbc.postgresql.PostgresResults;
import dev.larder.jdbc.postgresql.ReplayOptions;
import dev.larder.jdbc.postgresql.ReplayStatements;
import dev.larder.jdbc.postgresql.ResultSetComparison;
import dev.larder.result.CachedResult;
import dev.larder.result.ResultLimits;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
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
    String reason = PostgresResults.unsupportedReason();
    if (reason != null) {
      return List.of("unsupported", reason);
    }
    try (Connection filling = new org.postgresql.Driver().connect(url, new Properties());
        Connection replaying = new org.postgresql.Driver().connect(url, new Properties());
        PreparedStatement fill = filling.prepareStatement(MatrixTable.QUERY);
        PreparedStatement live = replaying.prepareStatement(MatrixTable.QUERY)) {
      fill.executeQuery().close();
      live.executeQuery().close();
      ResultSet filled = fill.executeQuery();
      CachedResult cached = PostgresResults.capture(filled, ResultLimits.NONE);
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
          String.join("\n", report.differences()));
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }
}
