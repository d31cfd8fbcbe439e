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
import org.junit.jupiter.api.Test;

/** What a whole hit allocates: prepare, bind, execute, next, get by label, close. */
@Tag("each-jdk")
final class HitAllocationTest {
  private static final String SQL = "SELECT id, branch, balance FROM account WHERE id = ?";

  /** Beyond the values that the JVM keeps boxed. */
  private static final int FIRST_KEY = 1_000;

  private static final int KEYS = 20;
  private static final int WARM_UP = 200_000;
  private static final int MEASURED = 100_000;
  private static final double MAX_BYTES = 400;

  /** What is allocated once in a run is no part of a hit. */
  private static final double ONCE = 0.01;

  private final AllocationCounter threads = new AllocationCounter();
  private long sum;

  @Test
  void aHitAllocatesAtMost400Bytes() throws SQLException {
    try (TestDatabase database = TestDatabase.create()) {
      try (Connection plain = database.connect()) {
        LarderProbe.run(
            plain,
            "CREATE TABLE account (id int PRIMARY KEY, branch int, balance int)",
            "INSERT INTO account SELECT i, i % 10, i * 7 FROM generate_series(1000, 2000) i");
      }
      try (Connection connection = LarderProbe.connect(database)) {
        read(connection, WARM_UP);
        long hitsBefore = LarderProbe.hits(connection);

        long bytesBefore = threads.bytes();
        read(connection, MEASURED);
        double bytes = (threads.bytes() - bytesBefore) / (double) MEASURED;

        assertThat(LarderProbe.hits(connection) - hitsBefore).isEqualTo(MEASURED);
        assertThat(bytes).isBetween(24.0, MAX_BYTES + ONCE);
        assertThat(sum).isPositive();
      }
    }
  }

  private void read(Connection connection, int times) throws SQLException {
    for (int i = 0; i < times; i++) {
      try (PreparedStatement statement = connection.prepareStatement(SQL)) {
        statement.setInt(1, FIRST_KEY + i % KEYS);
        try (ResultSet row = statement.executeQuery()) {
          row.next();
          sum += row.getInt("balance");
        }
      }
    }
  }
}
