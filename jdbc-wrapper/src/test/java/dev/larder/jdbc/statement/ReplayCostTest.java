package dev.larder.jdbc.statement;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.jdbc.AllocationCounter;
import dev.larder.jdbc.TestDatabase;
import dev.larder.jdbc.replay.PostgresResults;
import dev.larder.jdbc.replay.ReplayOptions;
import dev.larder.jdbc.replay.ReplayStatements;
import dev.larder.result.CachedResult;
import dev.larder.result.ResultLimits;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a hit allocates to hand its result out. */
@Tag("gate")
class ReplayCostTest {
  private static final int WARM_UP = 200_000;
  private static final int MEASURED = 100_000;

  /** The driver's result set is 192 bytes on JDK 17, Larder's wrapper 24. */
  private static final long MAX_BYTES = 224;

  private static final ResultSetOwner NOBODY =
      new ResultSetOwner() {
        @Override
        public Statement statement() {
          throw new IllegalStateException("not asked for");
        }

        @Override
        public CachingConnection owningConnection() {
          throw new IllegalStateException("not asked for");
        }
      };

  private final AllocationCounter threads = new AllocationCounter();

  @Test
  void replayAllocatesTheResultSetAndItsWrapperOnly() throws SQLException {
    try (TestDatabase database = TestDatabase.create();
        Connection connection = database.connect();
        Statement statement = connection.createStatement()) {
      Reader one = new Reader(connection, capture(statement, 1));
      Reader hundred = new Reader(connection, capture(statement, 100));
      one.read(WARM_UP);
      hundred.read(WARM_UP / 10);

      assertThat(allocated(one, MEASURED)).isBetween(24.0, (double) MAX_BYTES);
      assertThat(allocated(hundred, MEASURED / 10)).isBetween(24.0, (double) MAX_BYTES);
    }
  }

  private double allocated(Reader reader, int times) throws SQLException {
    long before = threads.bytes();
    reader.read(times);
    return (threads.bytes() - before) / (double) times;
  }

  private static CachedResult capture(Statement statement, int rows) throws SQLException {
    try (ResultSet live =
        statement.executeQuery(
            "SELECT i AS id, i + 1 AS balance, i::text AS name FROM generate_series(1, "
                + rows
                + ") i")) {
      CachedResult result = PostgresResults.capture(live, ResultLimits.NONE, null);
      assertThat(result).isNotNull();
      return result;
    }
  }

  /** Replays one result and reads an integer of every row by its label. */
  private static final class Reader {
    private final ReplayStatements replays;
    private final CachedResult cached;
    private long sum;

    Reader(Connection connection, CachedResult cached) throws SQLException {
      this.replays = new ReplayStatements(connection);
      this.cached = cached;
    }

    void read(int times) throws SQLException {
      for (int i = 0; i < times; i++) {
        CachingResultSet result =
            new CachingResultSet(replays.replay(cached, ReplayOptions.DEFAULT), NOBODY, true);
        while (result.next()) {
          sum += result.getInt("balance");
        }
        result.close();
      }
      assertThat(sum).isPositive();
    }
  }
}
