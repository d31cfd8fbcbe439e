package dev.larder.jdbc.statement;

import dev.larder.bypass.BypassReason;
import dev.larder.engine.Lookup;
import dev.larder.engine.Plan;
import dev.larder.jdbc.connection.PhysicalConnection;
import dev.larder.jdbc.format.ResultFormats;
import dev.larder.jdbc.replay.PostgresResults;
import dev.larder.log.CacheLog;
import dev.larder.result.CachedResult;
import dev.larder.result.ResultLimits;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Captures the rows of live results. Confined to the thread that uses the connection. */
final class ResultCapture {
  private final PhysicalConnection physical;
  private final ResultLimits limits;
  private final FormatOfResults formats;

  ResultCapture(PhysicalConnection physical, ResultLimits limits, FormatOfResults formats) {
    this.physical = physical;
    this.limits = limits;
    this.formats = formats;
  }

  /** Captures the rows of a live result, where they may be kept. */
  Captured of(CachingStatement statement, Plan plan, Lookup.Miss miss, @Nullable ResultSet live) {
    try {
      if (live == null
          || !miss.isAdmissible()
          || !physical.overlap().wasAlone(statement.turn)
          || !statement.wasSentWith(miss.key().binds())
          || PostgresResults.maxRows(live) != (miss.key().options() & ~ResultFormats.BINARY)
          || !physical.state().parsed().mayKeep(miss.resolution().statement())) {
        return Captured.NOTHING;
      }
      if (statement.hasWarnings()) {
        return Captured.refused(BypassReason.WARNINGS);
      }
      CachedResult rows = PostgresResults.capture(live, limits, plan.shape().lastColumns());
      if (rows == null) {
        return Captured.refused(PostgresResults.refusal(live));
      }
      return formats.isAsForetold(statement, plan, miss, rows.columns())
          ? new Captured(rows, null)
          : Captured.NOTHING;
    } catch (SQLException | RuntimeException e) {
      CacheLog.trouble(CacheLog.Trouble.INTERNAL, "capturing a result", e);
      return Captured.NOTHING;
    }
  }
}
