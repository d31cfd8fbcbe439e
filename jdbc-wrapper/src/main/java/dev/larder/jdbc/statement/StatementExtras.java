package dev.larder.jdbc.statement;

import dev.larder.bypass.BypassReason;
import dev.larder.jdbc.replay.ReplayOptions;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What few statements have: options that differ from a new statement's, results beside the current
 * one, and a batch. Made with the first of these, since every hit makes a statement.
 */
final class StatementExtras {
  /** Stands for an update count where there is none. */
  static final int NO_COUNT = -1;

  long maxRows;
  int maxFieldSize;
  int fetchSize;
  int fetchDirection;
  int type;
  int concurrency = ResultSet.CONCUR_READ_ONLY;
  boolean escapeProcessing = true;
  boolean closeOnCompletion;
  boolean returnsKeys;
  @Nullable StatementBatch batch;

  /** Results that stay open until the next execution. */
  final List<CachingResultSet> kept = new ArrayList<>();

  /** Generated keys of the last execution, which the driver closes with its next. */
  @Nullable CachingResultSet keys;

  /** An update count that is not the driver's. */
  int count = NO_COUNT;

  /** How long the present execution has waited for another. */
  int waitedSeconds;

  /**
   * Makes the delegate of a prepared statement, where that is not the driver's way without options.
   */
  CachingPreparedStatement.@Nullable StatementFactory factory;

  /** What the application has of it, where that is another object. */
  @Nullable Statement shownAs;

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

  /** Closes the results that were left open. */
  void closeKept() throws SQLException {
    for (CachingResultSet result : kept) {
      result.closeSilently();
    }
    kept.clear();
  }

  /** Closes what the driver closes besides the current result, where it runs the statement. */
  void closeOthers() throws SQLException {
    closeKept();
    CachingResultSet open = keys;
    keys = null;
    if (open != null) {
      open.closeSilently();
    }
  }

  ReplayOptions replay() {
    return new ReplayOptions(type, maxFieldSize, fetchSize, fetchDirection);
  }
}
