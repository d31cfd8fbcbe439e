package dev.larder.jdbc.statement;

import dev.larder.bypass.BypassReason;
import dev.larder.jdbc.postgresql.ReplayOptions;
import java.sql.ResultSet;
import org.jspecify.annotations.Nullable;

/**
 * What few statements have: options that differ from a new statement's, results beside the current
 * one, and a batch. Made with the first of these, since every hit makes a statement.
 */
final class StatementExtras {
  long maxRows;
  int maxFieldSize;
  int fetchSize;
  int fetchDirection;
  int type;
  int concurrency = ResultSet.CONCUR_READ_ONLY;
  boolean escapeProcessing = true;
  boolean closeOnCompletion;
  boolean returnsKeys;
  @Nullable OtherResults others;
  @Nullable StatementBatch batch;

  /**
   * Makes the delegate of a prepared statement, where that is not the driver's way without options.
   */
  CachingPreparedStatement.@Nullable StatementFactory factory;

  StatementExtras(ReplayOptions defaults) {
    this.maxFieldSize = defaults.maxFieldSize();
    this.fetchSize = defaults.fetchSize();
    this.fetchDirection = defaults.fetchDirection();
    this.type = defaults.type();
  }

  @Nullable BypassReason bypass() {
    if (concurrency != ResultSet.CONCUR_READ_ONLY) {
      return BypassReason.UPDATABLE;
    }
    return maxFieldSize > 0 || returnsKeys || closeOnCompletion
        ? BypassReason.STATEMENT_OPTION
        : null;
  }

  ReplayOptions replay() {
    return new ReplayOptions(type, maxFieldSize, fetchSize, fetchDirection);
  }
}
