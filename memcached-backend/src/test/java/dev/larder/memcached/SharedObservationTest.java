package dev.larder.memcached;

import static dev.larder.memcached.LarderInstance.ask;
import static dev.larder.memcached.LarderInstance.count;
import static dev.larder.memcached.LarderInstance.run;
import static dev.larder.memcached.SharedVerificationTest.askUntil;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.testing.NeedsProgram;
import dev.larder.testing.Program;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

/** {@code larder.mode=observe} where results are shared: the database answers everything. */
@NeedsProgram(Program.MEMCACHED)
class SharedObservationTest extends TwoInstances {
  @Override
  String url() {
    return url("failCommit", "larder.mode=observe", "larder.radar=off");
  }

  @Test
  void whatOthersHaveReadIsFoundAndTheDatabaseAnswers() throws SQLException {
    askUntil(first, READ, "near_hits");
    askUntil(second, READ, "remote_hits");
    askUntil(second, READ, "near_hits");
    assertThat(count(second, "admissions")).as("nothing was executed to be kept").isZero();

    for (int i = 0; i < 10; i++) {
      run(outside, "UPDATE t SET v = 'o" + i + "' WHERE id = 1");
      assertThat(ask(first, READ)).isEqualTo("o" + i);
      assertThat(ask(second, READ)).isEqualTo("o" + i);
    }
    assertThat(count(first, "hits"))
        .isEqualTo(count(first, "near_hits") + count(first, "remote_hits"));
    assertThat(count(first, "wrong_hits") + count(second, "wrong_hits")).isPositive();
    assertThat(count(first, "quarantined_tables")).isZero();
  }

  @Test
  void writesAreSeenAndTakenForNoWrongRows() throws SQLException {
    for (int i = 0; i < 20; i++) {
      run(i % 2 == 0 ? first : second, "UPDATE t SET v = 'w" + i + "' WHERE id = 1");
      assertThat(askUntil(first, READ, "hits")).isEqualTo("w" + i);
      assertThat(askUntil(second, READ, "hits")).isEqualTo("w" + i);
    }
    assertThat(count(first, "wrong_hits") + count(second, "wrong_hits")).isZero();
  }

  /** Other instances may answer from memory by what this one announces. */
  @Test
  void readsGoOnWithoutMemcachedAndCommitsFailAsWasChosen() throws Exception {
    askUntil(first, READ, "hits");
    memcached.kill();
    assertThat(ask(first, READ)).isEqualTo("a");
    assertThatThrownBy(() -> run(first, "UPDATE t SET v = 'b' WHERE id = 1"))
        .isInstanceOf(SQLException.class)
        .extracting("SQLState")
        .isEqualTo("40001");
    assertThat(ask(first, READ)).isEqualTo("a");
    memcached.restart();
    askUntil(first, READ, "hits");
    run(first, "UPDATE t SET v = 'c' WHERE id = 1");
    assertThat(ask(second, READ)).isEqualTo("c");
  }
}
