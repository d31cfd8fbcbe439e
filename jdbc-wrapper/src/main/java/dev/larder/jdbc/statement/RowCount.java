package dev.larder.jdbc.statement;

import dev.larder.jdbc.postgresql.PostgresResults;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** How many rows a statement has written, by what the driver has answered. Stateless. */
final class RowCount {
  private RowCount() {}

  /** Returns the number; negative where the answer does not tell. Disturbs nothing. */
  static long of(CachingStatement statement, @Nullable Object answer) throws SQLException {
    if (answer instanceof Number count) {
      return count.longValue();
    } else if (answer instanceof int[] counts) {
      long sum = 0;
      for (int count : counts) {
        sum = add(sum, count);
      }
      return sum;
    } else if (answer instanceof long[] counts) {
      long sum = 0;
      for (long count : counts) {
        sum = add(sum, count);
      }
      return sum;
    } else if (answer instanceof ResultSet returned) {
      return PostgresResults.rowCount(returned);
    } else if (answer instanceof Boolean isResult) {
      ResultSet returned = isResult ? statement.delegateResult() : null;
      return returned == null ? statement.delegateCount() : PostgresResults.rowCount(returned);
    }
    return -1;
  }

  private static long add(long sum, long count) {
    return sum < 0 || count < 0 ? -1 : sum + count;
  }
}
