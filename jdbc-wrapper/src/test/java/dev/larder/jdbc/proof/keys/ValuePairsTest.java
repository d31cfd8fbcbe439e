package dev.larder.jdbc.proof.keys;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.jdbc.TestDatabase;
import java.sql.SQLException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Values that the server calls equal have one cell, for columns of every type and constants of
 * every type. {@code -Dlarder.keys.values} says how many in a thousand forms of values are
 * compared, {@code -Dlarder.keys.seed} which.
 */
@Tag("each-server")
final class ValuePairsTest {
  private static final long VALUES = Long.getLong("larder.keys.values", 10);

  /** Of fewer values there may be none that is carried over between columns. */
  private static final long MANY = 100;

  @Test
  void equalValuesHaveOneCell() throws SQLException {
    long seed = Long.getLong("larder.keys.seed", System.nanoTime());
    try (TestDatabase database = TestDatabase.create()) {
      ValueOracle oracle = new ValueOracle(database.url(), seed);
      try {
        oracle.check(VALUES);
      } catch (AssertionError e) {
        throw new AssertionError("-Dlarder.keys.seed=" + seed + ": " + e.getMessage(), e);
      } finally {
        oracle.close();
        oracle.counts.table.forEach(System.out::println);
        System.out.println("values: " + oracle.counts);
      }
      assertThat(oracle.counts.keyed).isPositive();
      assertThat(oracle.counts.sameCell).isPositive();
      if (VALUES >= MANY) {
        assertThat(oracle.counts.keyedJoins).isPositive();
      }
      System.out.println(
          "proof: comparisons of values=" + (oracle.counts.keyed + oracle.counts.any));
    }
  }
}
