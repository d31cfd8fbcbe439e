package dev.larder.jdbc.hit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.jdbc.AllocationCounter;
import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.TestDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What a hit of 100 rows and 10 columns allocates when every value is read by getObject: the same
 * on every machine, unlike the time that goes with it.
 */
@Tag("each-jdk")
final class WideHitAllocationTest {
  private static final int ROWS = 100;
  private static final int COLUMNS = 10;
  private static final int WARM_UP = 3_000;
  private static final int MEASURED = 500;

  /** The hit's own 400 bytes, and what leads from the replay to the decoded values. */
  private static final double MAX_BYTES = 600;

  private static final double AT_LEAST_LESS_THAN_DIRECT = 20;

  private final AllocationCounter threads = new AllocationCounter();
  private long sum;

  @ParameterizedTest
  @ValueSource(strings = {"i", "l", "n", "t", "u"})
  void aWideHitAllocatesNothingForItsValues(String column) throws SQLException {
    try (TestDatabase database = TestDatabase.create();
        Connection direct = database.connect()) {
      LarderProbe.run(
          direct,
          "CREATE TABLE wide (i int, l bigint, n numeric(12,2), t text, u uuid)",
          "INSERT INTO wide SELECT i, i * 10000000000, i * 1.25, 'text ' || i, md5(i::text)::uuid"
              + " FROM generate_series(1001, "
              + (1_000 + ROWS)
              + ") i");
      String sql = "SELECT " + (column + ", ").repeat(COLUMNS - 1) + column + " FROM wide";
      try (Connection larder = LarderProbe.connect(database)) {
        read(larder, sql, WARM_UP);
        read(direct, sql, WARM_UP / 10);
        long hitsBefore = LarderProbe.hits(larder);

        double hit = allocated(larder, sql);

        assertThat(LarderProbe.hits(larder) - hitsBefore).isEqualTo(MEASURED);
        assertThat(hit).isBetween(24.0, MAX_BYTES);
        assertThat(allocated(direct, sql)).isGreaterThan(hit * AT_LEAST_LESS_THAN_DIRECT);
        assertThat(sum).isNotZero();
      }
    }
  }

  private double allocated(Connection connection, String sql) throws SQLException {
    long before = threads.bytes();
    read(connection, sql, MEASURED);
    return (threads.bytes() - before) / (double) MEASURED;
  }

  private void read(Connection connection, String sql, int times) throws SQLException {
    for (int i = 0; i < times; i++) {
      try (PreparedStatement statement = connection.prepareStatement(sql);
          ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          for (int column = 1; column <= COLUMNS; column++) {
            sum += rows.getObject(column).hashCode();
          }
        }
      }
    }
  }
}
