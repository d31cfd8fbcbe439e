package dev.larder.memcached;

import static dev.larder.memcached.LarderInstance.ask;
import static dev.larder.memcached.LarderInstance.count;
import static dev.larder.memcached.LarderInstance.run;
import static dev.larder.memcached.SharedVerificationTest.askUntil;
import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.testing.NeedsProgram;
import dev.larder.testing.Program;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

/**
 * {@code larder.verify} where it is allowed that an instance sees what others write a moment later.
 */
@NeedsProgram(Program.MEMCACHED)
class PolledVerificationTest extends TwoInstances {
  @Override
  String url() {
    return url(
        "failCommit",
        "larder.verify=1",
        "larder.radar=off",
        "larder.memcached.nearCache=polled(30000ms)");
  }

  @Test
  void whatAnotherInstanceHasWrittenMeanwhileIsNoWrongRow() throws SQLException {
    for (int i = 0; i < 10; i++) {
      askUntil(first, READ, "verified_hits");
      run(second, "UPDATE t SET v = 'w" + i + "' WHERE id = 1");
      assertThat(ask(first, READ)).isEqualTo("w" + i);
      assertThat(count(first, "wrong_hits")).isZero();
    }
    assertThat(count(first, "unverifiable_hits")).isPositive();
  }
}
