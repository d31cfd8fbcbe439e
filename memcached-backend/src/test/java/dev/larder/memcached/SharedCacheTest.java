package dev.larder.memcached;

import static dev.larder.memcached.LarderInstance.ask;
import static dev.larder.memcached.LarderInstance.askUntilHit;
import static dev.larder.memcached.LarderInstance.count;
import static dev.larder.memcached.LarderInstance.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.jdbc.LarderCaches;
import dev.larder.testing.NeedsProgram;
import dev.larder.testing.Program;
import dev.larder.testing.Waiting;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/** What one instance reads, the other hits; what it writes, the other sees. */
@NeedsProgram(Program.MEMCACHED)
class SharedCacheTest extends TwoInstances {
  @Test
  void resultOfOneInstanceIsHitByTheOther() throws Exception {
    assertThat(askUntilHit(first, READ)).isEqualTo("a");
    assertThat(askUntilHit(second, READ)).isEqualTo("a");

    assertThat(count(second, "remote_hits")).isPositive();
    assertThat(count(second, "admissions")).as("nothing was executed to be kept").isZero();
  }

  @Test
  void tablesCanBeShownBeforeAnyWasRead() throws Exception {
    try (Statement statement = first.createStatement();
        ResultSet rows = statement.executeQuery("SHOW larder.tables")) {
      assertThat(rows.next()).isFalse();
    }
  }

  @Test
  void commitOfOneInstanceIsSeenByTheOtherAtOnce() throws Exception {
    askUntilHit(first, READ);
    askUntilHit(second, READ);
    for (int i = 0; i < 20; i++) {
      run(i % 2 == 0 ? first : second, "UPDATE t SET v = 'b" + i + "' WHERE id = 1");

      assertThat(ask(first, READ)).isEqualTo("b" + i);
      assertThat(ask(second, READ)).isEqualTo("b" + i);
      assertThat(askUntilHit(second, READ)).isEqualTo("b" + i);
      assertThat(askUntilHit(first, READ)).isEqualTo("b" + i);
    }
  }

  @Test
  void transactionIsSeenByTheOtherWhenItCommitsAndNotBefore() throws Exception {
    askUntilHit(second, READ);
    first.setAutoCommit(false);
    run(first, "UPDATE t SET v = 'b' WHERE id = 1");

    assertThat(ask(first, READ)).isEqualTo("b");
    assertThat(askUntilHit(second, READ)).isEqualTo("a");

    first.commit();
    assertThat(ask(second, READ)).isEqualTo("b");
    assertThat(askUntilHit(second, READ)).isEqualTo("b");
  }

  @Test
  void rollbackLeavesNothing() throws Exception {
    askUntilHit(first, READ);
    askUntilHit(second, READ);
    first.setAutoCommit(false);
    run(first, "UPDATE t SET v = 'b' WHERE id = 1");
    first.rollback();

    assertThat(askUntilHit(second, READ)).isEqualTo("a");
    assertThat(askUntilHit(first, READ)).isEqualTo("a");
  }

  @Test
  void commitThatNobodyCanBeToldOfFailsAndCanBeTriedAgain() throws Exception {
    askUntilHit(first, READ);
    askUntilHit(second, READ);
    memcached.kill();

    assertThat(ask(second, READ)).as("reads go on").isEqualTo("a");
    assertThatThrownBy(() -> run(first, "UPDATE t SET v = 'b' WHERE id = 1"))
        .isInstanceOf(SQLException.class)
        .hasMessageContaining("larder.memcached.onUnreachable")
        .extracting("SQLState")
        .isEqualTo("40001");
    assertThat(ask(outside, READ)).isEqualTo("a");
    assertThat(first.getAutoCommit()).isTrue();

    first.setAutoCommit(false);
    run(first, "UPDATE t SET v = 'c' WHERE id = 1");
    assertThatThrownBy(first::commit).extracting("SQLState").isEqualTo("40001");
    assertThat(ask(outside, READ)).isEqualTo("a");
    assertThat(ask(first, READ)).isEqualTo("a");
    first.setAutoCommit(true);

    memcached.restart();
    assertThat(askUntilHit(first, READ)).isEqualTo("a");
    run(first, "UPDATE t SET v = 'd' WHERE id = 1");
    assertThat(ask(second, READ)).isEqualTo("d");
    assertThat(askUntilHit(second, READ)).isEqualTo("d");
    assertThat(count(second, "outages")).isPositive();
  }

  @Test
  void changeOfTheCatalogPastLarderIsNoticedThoughResultsOfBeforeAreThere() throws Exception {
    String all = "SELECT * FROM t WHERE id = 1";
    askUntilHit(first, all);
    askUntilHit(second, all);
    run(outside, "ALTER TABLE t ADD COLUMN w text DEFAULT 'x'");

    for (Connection connection : new Connection[] {first, second}) {
      Waiting.until(
          Duration.ofSeconds(30),
          () -> "the new column is seen",
          () -> {
            try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(all)) {
              return rows.getMetaData().getColumnCount() == 3;
            }
          });
    }
  }

  @Test
  void clearedQueryIsForgottenByAllInstances() throws Exception {
    askUntilHit(first, READ);
    askUntilHit(second, READ);
    run(outside, "UPDATE t SET v = 'b'"); // Past Larder.
    Class<?> caches = first.getClass().getClassLoader().loadClass(LarderCaches.class.getName());
    int cleared = 0;
    for (Object cache : (Iterable<?>) caches.getMethod("all").invoke(null)) {
      cleared += (int) cache.getClass().getMethod("clearQuery", String.class).invoke(cache, text());
    }
    assertThat(cleared).isEqualTo(1);
    assertThat(ask(first, READ)).isEqualTo("b");
    assertThat(ask(second, READ)).isEqualTo("b");
    assertThat(askUntilHit(first, READ)).isEqualTo("b");
  }

  /** Returns the query as it is shown. */
  private String text() throws SQLException {
    try (Statement statement = first.createStatement();
        ResultSet rows = statement.executeQuery("SHOW larder.queries")) {
      while (rows.next()) {
        String shown = rows.getString("query");
        if (shown.toLowerCase(Locale.ROOT).contains("from t where")) {
          return shown;
        }
      }
    }
    throw new AssertionError("the query is not shown");
  }
}
