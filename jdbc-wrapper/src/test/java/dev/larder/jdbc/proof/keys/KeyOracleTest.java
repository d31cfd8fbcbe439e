package dev.larder.jdbc.proof.keys;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.jdbc.TestDatabase;
import java.sql.SQLException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What the analysis says of rows against what the server does. {@code -Dlarder.keys.writes} says
 * how many writes, {@code -Dlarder.keys.seed} which.
 */
@Tag("each-server")
final class KeyOracleTest {
  @Test
  void noReadDependsOnLessThanItShowsAndNoWriteOnLessThanItChanges() throws SQLException {
    long seed = Long.getLong("larder.keys.seed", System.nanoTime());
    try (TestDatabase database = TestDatabase.create()) {
      KeyOracle oracle = new KeyOracle(database.url(), seed);
      try {
        oracle.check(Long.getLong("larder.keys.writes", 100));
      } catch (AssertionError e) {
        throw new AssertionError("-Dlarder.keys.seed=" + seed + ": " + e.getMessage(), e);
      } finally {
        oracle.close();
        System.out.println("keys: " + oracle.counts);
        System.out.println("proof: pairs of a read and a write=" + oracle.counts.cases);
        System.out.println("proof: writes compared row by row=" + oracle.counts.writes);
      }
      assertThat(oracle.counts.changedByKey).isPositive();
      assertThat(oracle.counts.kept).isPositive();
    }
  }
}
