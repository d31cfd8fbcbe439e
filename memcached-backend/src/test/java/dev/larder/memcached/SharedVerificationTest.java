package dev.larder.memcached;

import static dev.larder.memcached.LarderInstance.ask;
import static dev.larder.memcached.LarderInstance.count;
import static dev.larder.memcached.LarderInstance.reason;
import static dev.larder.memcached.LarderInstance.run;
import static dev.larder.memcached.LarderInstance.status;
import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.testing.NeedsProgram;
import dev.larder.testing.Program;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@code larder.verify} where results are shared: those of this instance, and those of others. */
@NeedsProgram(Program.MEMCACHED)
class SharedVerificationTest extends TwoInstances {
  private static final String OTHER = "SELECT v FROM u WHERE id = 1";
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);

  @Override
  String url() {
    // The radar would notice as well, some seconds later.
    return url("failCommit", "larder.verify=1", "larder.radar=off");
  }

  @BeforeEach
  void createAnotherTable() throws SQLException {
    run(outside, "CREATE TABLE u AS SELECT 1 AS id, text 'x' AS v");
  }

  /** Asks until {@code column} rises, and returns the answer then. */
  static @Nullable String askUntil(Connection connection, String sql, String column)
      throws SQLException {
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    while (true) {
      long before = count(connection, column);
      String answer = ask(connection, sql);
      if (count(connection, column) > before) {
        return answer;
      }
      assertThat(System.nanoTime())
          .as("%s of %s: %s, because %s", column, sql, status(connection), reason(connection))
          .isLessThan(deadline);
    }
  }

  private static @Nullable String quarantined(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SHOW larder.quarantine")) {
      return row.next() ? row.getString("table_name") : null;
    }
  }

  @Test
  void aWrongRowInTheMemoryOfTheInstanceIsFound() throws SQLException {
    assertThat(askUntil(first, READ, "verified_hits")).isEqualTo("a");
    run(outside, "UPDATE t SET v = 'b' WHERE id = 1");

    assertThat(askUntil(first, READ, "wrong_hits")).isEqualTo("b");
    assertThat(count(first, "wrong_hits")).isEqualTo(1);
    assertThat(count(first, "hits")).isZero();
    assertThat(quarantined(first)).isEqualTo("public.t");
  }

  @Test
  void aWrongRowThatAnotherInstanceHasKeptIsFound() throws SQLException {
    assertThat(askUntil(first, READ, "verified_hits")).isEqualTo("a");
    assertThat(askUntil(second, OTHER, "verified_hits")).isEqualTo("x");
    long admissions = count(second, "admissions");
    run(outside, "UPDATE t SET v = 'b' WHERE id = 1");

    assertThat(askUntil(second, READ, "wrong_hits")).isEqualTo("b");
    assertThat(count(second, "admissions")).as("it had read nothing itself").isEqualTo(admissions);
    assertThat(quarantined(second)).isEqualTo("public.t");
    assertThat(quarantined(first)).isNull();
  }

  @Test
  void whatWasWrongIsDroppedForAllInstancesAndIsCachedAgainAfterTheRelease() throws SQLException {
    askUntil(first, READ, "verified_hits");
    askUntil(second, READ, "verified_hits");
    run(outside, "UPDATE t SET v = 'b' WHERE id = 1");
    askUntil(first, READ, "wrong_hits");

    assertThat(askUntil(second, READ, "verified_hits")).isEqualTo("b");
    assertThat(count(second, "wrong_hits")).isZero();
    long bypasses = count(first, "bypasses");
    assertThat(ask(first, READ)).isEqualTo("b");
    assertThat(count(first, "bypasses")).isEqualTo(bypasses + 1);
    assertThat(reason(first)).contains("is quarantined");

    run(first, "RESET larder.quarantine");
    assertThat(askUntil(first, READ, "verified_hits")).isEqualTo("b");
    assertThat(count(first, "wrong_hits")).isEqualTo(1);
  }

  @Test
  void whatAnotherInstanceWritesIsNoWrongRow() throws SQLException {
    for (int i = 0; i < 20; i++) {
      run(i % 2 == 0 ? first : second, "UPDATE t SET v = 'w" + i + "' WHERE id = 1");
      assertThat(askUntil(first, READ, "verified_hits")).isEqualTo("w" + i);
      assertThat(askUntil(second, READ, "verified_hits")).isEqualTo("w" + i);
    }
    assertThat(count(first, "wrong_hits") + count(second, "wrong_hits")).isZero();
  }
}
