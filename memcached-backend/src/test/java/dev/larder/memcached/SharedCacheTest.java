package dev.larder.memcached;

import static dev.larder.memcached.LarderInstance.ask;
import static dev.larder.memcached.LarderInstance.askUntilHit;
import static dev.larder.memcached.LarderInstance.count;
import static dev.larder.memcached.LarderInstance.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two instances that share nothing but a real PostgreSQL and a real memcached. */
class SharedCacheTest {
  private static final String READ = "SELECT v FROM t WHERE id = 1";

  private static EmbeddedPostgres postgres;

  private Memcached memcached;
  private LarderInstance one;
  private LarderInstance two;
  private Connection first;
  private Connection second;
  private Connection outside;

  @BeforeAll
  static void startServer() throws Exception {
    postgres =
        EmbeddedPostgres.builder().setServerConfig("max_prepared_transactions", "10").start();
  }

  @AfterAll
  static void stopServer() throws Exception {
    postgres.close();
  }

  @BeforeEach
  void start() throws Exception {
    memcached = Memcached.start();
    outside = postgres.getPostgresDatabase().getConnection();
    run(outside, "DROP SCHEMA public CASCADE; CREATE SCHEMA public");
    run(outside, "CREATE TABLE t (id int PRIMARY KEY, v text); INSERT INTO t VALUES (1, 'a')");
    one = new LarderInstance(url("failCommit"));
    two = new LarderInstance(url("failCommit"));
    first = one.connect();
    second = two.connect();
  }

  @AfterEach
  void end() throws Exception {
    one.close();
    two.close();
    outside.close();
    memcached.close();
  }

  private String url(String onUnreachable, String... more) {
    return "jdbc:larder:postgresql://127.0.0.1:"
        + postgres.getPort()
        + "/postgres?user=postgres&larder.writers=memcached&larder.backend=memcached"
        + "&larder.memcached.servers=127.0.0.1:"
        + memcached.address().getPort()
        + "&larder.memcached.onUnreachable="
        + onUnreachable
        + (more.length == 0 ? "" : "&" + String.join("&", more));
  }

  @Test
  void resultOfOneInstanceIsHitByTheOther() throws Exception {
    assertThat(askUntilHit(first, READ)).isEqualTo("a");
    assertThat(askUntilHit(second, READ)).isEqualTo("a");

    assertThat(count(second, "remote_hits")).isPositive();
    assertThat(count(second, "admissions")).as("nothing was executed to be kept").isZero();
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
}
