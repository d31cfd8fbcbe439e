package dev.larder.jdbc.pooler;

import static dev.larder.jdbc.LarderProbe.fill;
import static dev.larder.jdbc.LarderProbe.isHit;
import static dev.larder.jdbc.LarderProbe.rows;
import static dev.larder.jdbc.LarderProbe.run;
import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.bypass.BypassReason;
import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.PgBouncer;
import dev.larder.jdbc.TestDatabase;
import dev.larder.jdbc.statement.CachingConnection;
import dev.larder.testing.NeedsProgram;
import dev.larder.testing.Program;
import dev.larder.testing.Waiting;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A pooler leads to another database while clients stay connected, as in an upgrade. The older
 * client was connected when it led to the first one.
 */
@NeedsProgram(Program.PGBOUNCER)
@Tag("regression")
final class RedirectedPoolerTest {
  private static final String READ = "SELECT v FROM t WHERE id = 1";
  private static final String WRITE = "UPDATE t SET v = 11 WHERE id = 1";

  /** Nobody asks in a test where the pooler leads, but as a connection is opened. */
  private static final String NEVER = "larder.pooler.interval=1h";

  private TestDatabase first;
  private TestDatabase second;
  private PgBouncer pooler;

  @BeforeEach
  void start() throws Exception {
    first = TestDatabase.create();
    second = TestDatabase.create();
    for (TestDatabase database : List.of(first, second)) {
      database.execute(
          "CREATE TABLE t (id int PRIMARY KEY, v int)", "INSERT INTO t VALUES (1, 10)");
    }
    pooler = PgBouncer.start(first, "transaction", 4);
  }

  @AfterEach
  void stop() throws Exception {
    pooler.close();
    first.close();
    second.close();
  }

  @Test
  void whatAnOlderClientWritesIsSeenByALaterOne() throws Exception {
    try (Connection older = pooler.connectThroughLarder("postgres", NEVER)) {
      fill(older, READ);
      pooler.leadTo(second);
      try (Connection later = pooler.connectThroughLarder("postgres", NEVER)) {
        fill(later, READ);
        assertThat(isHit(later, READ)).isTrue();
        run(older, WRITE);
        assertThat(second.queryString("SELECT v FROM t")).isEqualTo("11");
        assertThat(rows(later, READ)).containsExactly("11");
      }
    }
  }

  @Test
  void whatIsUnderWayAsALaterClientComesIsSeenByIt() throws Exception {
    try (Connection older = pooler.connectThroughLarder("postgres", NEVER);
        Connection holder = second.connect()) {
      fill(older, READ);
      pooler.leadTo(second);
      holder.setAutoCommit(false);
      rows(holder, READ + " FOR UPDATE");
      CompletableFuture<Void> writing = CompletableFuture.runAsync(() -> write(older));
      Waiting.until("the write waits", () -> isWriting(holder));
      try (Connection later = pooler.connectThroughLarder("postgres", NEVER)) {
        assertThat(rows(later, READ)).containsExactly("10");
        assertThat(isHit(later, READ)).isFalse();
        holder.commit();
        writing.join();
        assertThat(rows(later, READ)).containsExactly("11");
        fill(later, READ);
        assertThat(isHit(later, READ)).isTrue();
      }
    }
  }

  private static boolean isWriting(Connection holder) throws SQLException {
    return rows(
            holder,
            "SELECT count(*) FROM pg_stat_activity WHERE pg_backend_pid() = ANY"
                + " (pg_blocking_pids(pid))")
        .equals(List.of("1"));
  }

  private static void write(Connection connection) {
    try {
      run(connection, WRITE);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  /**
   * No longer than the interval: until somebody asks the pooler, or comes through it, nobody can
   * know, and what is written meanwhile is not seen past the pooler.
   */
  @Test
  void whatAnOlderClientWritesIsSeenPastThePoolerOnceSomebodyHasAsked() throws Exception {
    try (Connection older =
            pooler.connectThroughLarder("postgres", "larder.pooler.interval=100ms");
        Connection direct = LarderProbe.connect(second, "larder.admission=all")) {
      pooler.leadTo(second);
      fill(direct, READ);
      run(older, WRITE);
      Waiting.until("a question has shown where the pooler leads", () -> isLedElsewhere(older));
      assertThat(rows(direct, READ)).containsExactly("11");
      fill(direct, READ);
      assertThat(isHit(direct, READ)).isTrue();
      run(older, "UPDATE t SET v = 12 WHERE id = 1");
      assertThat(rows(direct, READ)).containsExactly("12");
    }
  }

  private static boolean isLedElsewhere(Connection connection) throws SQLException {
    rows(connection, READ);
    return connection.unwrap(CachingConnection.class).physical().view().bypass()
        == BypassReason.OTHER_SERVER;
  }

  @Test
  void whatAnOlderClientCallsIsNotJudgedByTheCatalogOfTheFirstDatabase() throws Exception {
    first.execute("CREATE FUNCTION f() RETURNS int LANGUAGE sql AS 'SELECT 1'");
    second.execute(
        "CREATE FUNCTION f() RETURNS int LANGUAGE sql AS"
            + " 'UPDATE t SET v = v + 1 WHERE id = 1 RETURNING v'");
    try (Connection older = pooler.connectThroughLarder("postgres", NEVER);
        Connection direct = LarderProbe.connect(first)) {
      assertThat(rows(older, "SELECT f()")).containsExactly("1");
      pooler.leadTo(second);
      try (Connection later = pooler.connectThroughLarder("postgres", NEVER)) {
        fill(later, READ);
        LarderProbe.awaitCatalog(direct);
        assertThat(isHit(later, READ)).isTrue();
        assertThat(rows(older, "SELECT f()")).containsExactly("11");
        assertThat(rows(later, READ)).containsExactly("11");
      }
    }
  }

  @Test
  void anOlderClientHitsNothingOfTheFirstDatabaseOnceAnotherHasNoticed() throws Exception {
    try (Connection older = pooler.connectThroughLarder("postgres", NEVER);
        Connection direct = LarderProbe.connect(first, "larder.admission=all")) {
      fill(older, READ);
      assertThat(isHit(older, READ)).isTrue();
      pooler.leadTo(second);
      second.execute(WRITE);
      try (Connection later = pooler.connectThroughLarder("postgres", NEVER)) {
        assertThat(rows(later, READ)).containsExactly("11");
        fill(direct, READ);
        assertThat(isHit(direct, READ)).isTrue();
        assertThat(rows(older, READ)).containsExactly("11");
      }
    }
  }
}
