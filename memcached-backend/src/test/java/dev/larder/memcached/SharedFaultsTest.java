package dev.larder.memcached;

import static dev.larder.memcached.LarderInstance.ask;
import static dev.larder.memcached.LarderInstance.askUntilHit;
import static dev.larder.memcached.LarderInstance.count;
import static dev.larder.memcached.LarderInstance.reason;
import static dev.larder.memcached.LarderInstance.run;
import static dev.larder.memcached.LarderInstance.status;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.bypass.BypassReason;
import dev.larder.testing.NeedsProgram;
import dev.larder.testing.Program;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What is served, and what a writer sees, when memcached fails or is told nonsense. */
@NeedsProgram(Program.MEMCACHED)
@Tag("gate")
class SharedFaultsTest extends TwoInstances {
  @Test
  void everythingThatWasLostIsFoundOutAgain() throws Exception {
    askUntilHit(first, READ);
    askUntilHit(second, READ);
    for (int i = 0; i < 3; i++) {
      memcached.ask("flush_all");
      run(first, "UPDATE t SET v = 'b" + i + "'");
      assertThat(ask(second, READ)).isEqualTo("b" + i);
      assertThat(askUntilHit(second, READ)).isEqualTo("b" + i);
    }
    assertThat(count(second, "barrier_runs")).isPositive();
  }

  @Test
  void lostVersionIsNotReadyWhileATransactionThatHasWrittenIsOpen() throws Exception {
    askUntilHit(first, READ);
    askUntilHit(second, READ);
    first.setAutoCommit(false);
    run(first, "UPDATE t SET v = 'b'");
    memcached.ask("flush_all");

    long hits = count(second, "hits");
    long runs = count(second, "barrier_runs");
    await(
        () -> {
          assertThat(ask(second, READ)).isEqualTo("a");
          return count(second, "barrier_runs") > runs + 2;
        });
    assertThat(count(second, "hits")).isEqualTo(hits);
    assertThat(reason(second)).contains(BypassReason.SHARED_NOT_READY.description());

    first.commit();
    assertThat(ask(second, READ)).isEqualTo("b");
    assertThat(askUntilHit(second, READ)).isEqualTo("b");
  }

  @Test
  void memcachedThatHangsCostsOneTimeoutAndIsLeftAlone() throws Exception {
    askUntilHit(first, READ);
    askUntilHit(second, READ);
    memcached.suspend();
    await(
        () -> {
          assertThat(ask(second, READ)).isEqualTo("a");
          return "open".equals(status(second).get("breaker"));
        });
    assertThat(reason(second)).contains(BypassReason.SHARED_UNREACHABLE.description());
    assertThatThrownBy(() -> run(first, "UPDATE t SET v = 'b'"))
        .extracting("SQLState")
        .isEqualTo("40001");
    memcached.resume();

    assertThat(askUntilHit(second, READ)).isEqualTo("a");
    askUntilHit(first, READ);
    run(first, "UPDATE t SET v = 'c'");
    assertThat(ask(second, READ)).isEqualTo("c");
    assertThat(askUntilHit(second, READ)).isEqualTo("c");
  }

  /**
   * One read of a thread waits, if it was under way; all others go to the database at once. So the
   * 99th percentile of the reads in an outage is the database's.
   */
  @Test
  void outageCostsAThreadOneTimeoutAtMost() throws Exception {
    int threads = 4;
    int reads = 200;
    List<Connection> connections = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      connections.add(two.connect());
      askUntilHit(connections.get(i), READ);
    }
    memcached.suspend();
    List<CompletableFuture<Long>> waits = new ArrayList<>();
    for (Connection connection : connections) {
      waits.add(
          CompletableFuture.supplyAsync(
              () -> slowReads(connection, reads), task -> new Thread(task).start()));
    }
    for (CompletableFuture<Long> slow : waits) {
      assertThat(slow.get()).isLessThanOrEqualTo(1);
    }
    assertThat(status(second)).containsEntry("breaker", "open");
    assertThat(waits.stream().mapToLong(CompletableFuture::join).sum())
        .as("somebody has waited, so that the check can fail")
        .isPositive();
    memcached.resume();
    assertThat(askUntilHit(second, READ)).isEqualTo("a");
  }

  /** Returns how many of {@code reads} took the timeout or longer. */
  private static long slowReads(Connection connection, int reads) {
    long slow = 0;
    try {
      for (int i = 0; i < reads; i++) {
        long begin = System.nanoTime();
        assertThat(ask(connection, READ)).isEqualTo("a");
        slow += System.nanoTime() - begin >= TIMEOUT.toNanos() ? 1 : 0;
      }
    } catch (SQLException e) {
      throw new CompletionException(e);
    }
    return slow;
  }

  @Test
  void repeatableReadSaysWhyItSharesNothing() throws Exception {
    askUntilHit(second, READ);
    second.setAutoCommit(false);
    second.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
    long hits = count(second, "hits");
    assertThat(ask(second, READ)).isEqualTo("a");
    assertThat(ask(second, READ)).isEqualTo("a");
    assertThat(count(second, "hits")).isEqualTo(hits);
    assertThat(reason(second)).contains(BypassReason.SHARED_SNAPSHOT.description());
  }

  @Test
  void polledVersionsAreHitWithoutARoundTripAndAreNotOlderThanThePeriod() throws Exception {
    String polled = "larder.memcached.nearCache=polled(50ms)";
    try (LarderInstance third = new LarderInstance(url("failCommit", polled))) {
      Connection reader = third.connect();
      askUntilHit(reader, READ);
      long near = count(reader, "near_hits");
      String gets = stat("cmd_get");
      for (int i = 0; i < 1_000; i++) {
        assertThat(ask(reader, READ)).isEqualTo("a");
      }
      assertThat(count(reader, "near_hits")).isGreaterThan(near + 900);
      assertThat(Long.parseLong(stat("cmd_get")) - Long.parseLong(gets))
          .as("three versions once in 50 ms")
          .isLessThan(2_000);

      for (int i = 0; i < 5; i++) {
        run(first, "UPDATE t SET v = 'b" + i + "'");
        String value = "b" + i;
        await(() -> value.equals(ask(reader, READ)));
        run(reader, "UPDATE t SET v = 'own" + i + "'");
        assertThat(ask(reader, READ)).as("its own at once").isEqualTo("own" + i);
        assertThat(askUntilHit(reader, READ)).isEqualTo("own" + i);
      }
    }
  }

  private String stat(String name) throws Exception {
    return memcached.stats().get(name);
  }

  @Test
  void withoutANearCacheEveryHitIsTheServers() throws Exception {
    try (LarderInstance third =
        new LarderInstance(url("failCommit", "larder.memcached.nearCache=off"))) {
      Connection reader = third.connect();
      askUntilHit(reader, READ);
      askUntilHit(reader, READ);
      assertThat(status(reader)).containsEntry("near_hits", "0").containsEntry("entries", "0");
      assertThat(count(reader, "remote_hits")).isEqualTo(2);
    }
  }

  @Test
  void markOfAWriterThatDiedIsShownUntilThePrimaryDoesNotKnowIt() throws Exception {
    askUntilHit(second, READ);
    assertThat(sharedWriters(second)).isEqualTo("0");
    String key =
        "larder:"
            + ask(outside, "SELECT system_identifier FROM pg_control_system()")
            + ":"
            + ask(outside, "SELECT oid FROM pg_database WHERE datname = current_database()")
            + ":V:R"
            + ask(outside, "SELECT 't'::regclass::oid");
    String mark = ";" + "0123456789abcdef".repeat(2);
    assertThat(memcached.ask("append " + key + " 0 0 " + mark.length() + "\r\n" + mark))
        .isEqualTo("STORED");

    assertThat(sharedWriters(second)).isEqualTo("1");
    long hits = count(second, "hits");
    assertThat(ask(second, READ)).isEqualTo("a");
    assertThat(count(second, "hits")).isEqualTo(hits);
    assertThat(askUntilHit(second, READ)).isEqualTo("a");
    assertThat(sharedWriters(second)).isEqualTo("0");
  }

  private static String sharedWriters(Connection connection) throws SQLException {
    return table(connection, "shared_writers");
  }

  /** Returns a column of the only row of SHOW larder.tables. */
  private static String table(Connection connection, String column) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SHOW larder.tables")) {
      rows.next();
      return rows.getString(column);
    }
  }

  @Test
  void tablesTellNearRemoteAndDatabaseApart() throws Exception {
    askUntilHit(first, READ);
    askUntilHit(second, READ);
    for (String column : List.of("hits", "near_hits", "remote_hits")) {
      assertThat(table(second, column)).as(column).isEqualTo(status(second).get(column));
    }
    long near = count(second, "near_hits");
    long remote = count(second, "remote_hits");
    long misses = count(second, "misses");

    assertThat(ask(second, READ)).isEqualTo("a");
    assertThat(table(second, "near_hits")).isEqualTo(Long.toString(near + 1));
    assertThat(table(second, "remote_hits")).isEqualTo(Long.toString(remote));

    run(first, "UPDATE t SET v = 'b'");
    assertThat(ask(second, READ)).isEqualTo("b");
    assertThat(table(second, "near_hits")).isEqualTo(Long.toString(near + 1));
    assertThat(table(second, "remote_hits")).isEqualTo(Long.toString(remote));
    assertThat(table(second, "misses")).isEqualTo(Long.toString(misses + 1));

    run(first, "UPDATE t SET v = 'c'");
    assertThat(askUntilHit(first, READ)).isEqualTo("c");
    assertThat(ask(second, READ)).isEqualTo("c");
    assertThat(table(second, "remote_hits")).isEqualTo(Long.toString(remote + 1));
  }

  @Test
  void boundedStalenessCommitsAndTellsTheOthersAsSoonAsItCan() throws Exception {
    try (LarderInstance third = new LarderInstance(url("boundedStaleness"));
        LarderInstance fourth = new LarderInstance(url("boundedStaleness"))) {
      Connection writer = third.connect();
      Connection reader = fourth.connect();
      askUntilHit(writer, READ);
      askUntilHit(reader, READ);
      memcached.suspend();
      run(writer, "UPDATE t SET v = 'b'");
      assertThat(ask(writer, READ)).as("its own JVM knows").isEqualTo("b");
      assertThat(ask(reader, READ)).as("nothing to hit by").isEqualTo("b");
      memcached.resume();

      assertThat(askUntilHit(writer, READ)).isEqualTo("b");
      await(() -> "b".equals(askUntilHit(reader, READ)));
    }
  }

  @Test
  void badOptionsAreErrorsThatSayWhatToDo() {
    String url = url("failCommit");
    fails(url.replaceAll("&larder.memcached.onUnreachable=failCommit", ""), "boundedStaleness");
    fails(url + "&larder.memcached.timeouts=1s", "Did you mean larder.memcached.timeout?");
    fails(url + "&larder.memcached.timeout=1s", "larder.memcached.timeout is \"1s\"");
    fails(url.replace("writers=memcached", "writers=this-jvm"), "larder.writers is this-jvm");
    fails(url + "&larder.memcached.namespace=other", "larder.memcached.namespace=other");
    fails(url.replaceAll("&larder.(backend|memcached)[^&]*", ""), "larder.backend is local");
  }

  private void fails(String url, String... says) {
    assertThatThrownBy(() -> one.connect(url))
        .isInstanceOf(SQLException.class)
        .satisfies(e -> assertThat(e.getMessage()).contains(says))
        .extracting("SQLState")
        .isEqualTo("22023");
  }

  /** A condition. */
  private interface Condition {
    boolean holds() throws Exception;
  }

  private static void await(Condition condition) throws Exception {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!condition.holds()) {
      assertThat(System.nanoTime()).isLessThan(deadline);
    }
  }
}
