package dev.larder.jdbc.statement;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What an execution leaves beside its current result: results that stay open, generated keys, and
 * an update count that is not the driver's. Made only where there is any. Not thread-safe.
 */
final class OtherResults {
  /** Stands for an update count where there is none. */
  static final int NO_COUNT = -1;

  private final List<CachingResultSet> kept = new ArrayList<>();
  private @Nullable CachingResultSet keys;
  private int count = NO_COUNT;

  /** Leaves {@code result} open until the next execution. */
  void keep(CachingResultSet result) {
    kept.add(result);
  }

  @Nullable CachingResultSet keys() {
    return keys;
  }

  void keys(CachingResultSet generated) {
    keys = generated;
  }

  int count() {
    return count;
  }

  void count(int answered) {
    count = answered;
  }

  /** Closes the results that were left open. */
  void closeKept() throws SQLException {
    for (CachingResultSet result : kept) {
      result.closeSilently();
    }
    kept.clear();
  }

  /** Closes what the driver closes besides the current result, where it runs the statement. */
  void close() throws SQLException {
    closeKept();
    CachingResultSet open = keys;
    keys = null;
    if (open != null) {
      open.closeSilently();
    }
  }
}
