package dev.larder.memcached;

import static dev.larder.memcached.LarderInstance.ask;
import static dev.larder.memcached.LarderInstance.askUntilHit;
import static dev.larder.memcached.LarderInstance.count;
import static dev.larder.memcached.LarderInstance.run;
import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.store.FaultPoint;
import dev.larder.testing.NeedsProgram;
import dev.larder.testing.Program;
import java.io.BufferedReader;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A JVM that writes is ended by {@code kill -9} at each step between its statement and its publish.
 * Neither of the other instances reads what is older than what the other has read, before and
 * after; and then both hit what the database holds.
 */
@Tag("proof")
@NeedsProgram(Program.MEMCACHED)
class KilledWriterTest extends TwoInstances {
  private static final Set<FaultPoint> STEPS =
      EnumSet.of(
          FaultPoint.TELLING,
          FaultPoint.TOLD,
          FaultPoint.ANNOUNCED,
          FaultPoint.SENDING,
          FaultPoint.ANSWERED,
          FaultPoint.SETTLING,
          FaultPoint.FOLLOWED,
          FaultPoint.TELLING_OUTCOME);

  /** The first step at which the commit has been done. */
  private static final FaultPoint COMMITTED = FaultPoint.ANSWERED;

  /** How it writes. */
  private enum Way {
    AUTOCOMMIT,
    TRANSACTION
  }

  static List<Arguments> everywhere() {
    List<Arguments> all = new ArrayList<>();
    for (FaultPoint step : STEPS) {
      for (Way way : Way.values()) {
        all.add(Arguments.of(step, way));
      }
    }
    return all;
  }

  @BeforeEach
  void addRow() throws Exception {
    run(outside, "INSERT INTO t VALUES (2, 'a')");
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void nothingOlderIsReadAndBothHitAgain(FaultPoint step, Way way) throws Exception {
    String url = url() + "&ApplicationName=dying";
    Process writer = Jvms.start(DyingWriter.class, url, step.name(), way.name());
    try (BufferedReader said = Jvms.said(writer)) {
      askUntilHit(first, READ);
      askUntilHit(second, READ);
      writer.getOutputStream().write('\n');
      writer.getOutputStream().flush();
      for (String line = ""; !line.equals("reached"); line = String.valueOf(said.readLine())) {
        assertThat(line).as("it stops at %s", step).isNotIn("passed", "null");
      }
      boolean committed = step.compareTo(COMMITTED) >= 0;
      boolean told = step != FaultPoint.TELLING;
      String now = String.valueOf(ask(outside, READ));
      assertThat(now).isEqualTo(committed ? "b" : "a");
      if (told) {
        assertReadFromTheDatabase(now, committed);
      }
    } finally {
      writer.destroyForcibly().waitFor();
    }
    awaitNoSession();
    String value = String.valueOf(ask(outside, READ));
    for (Connection connection : new Connection[] {first, second}) {
      assertThat(ask(connection, READ)).isEqualTo(value);
      assertThat(askUntilHit(connection, READ)).isEqualTo(value);
    }
    run(first, "UPDATE t SET v = 'd' WHERE id = 1");
    assertThat(ask(second, READ)).isEqualTo("d");
    assertThat(askUntilHit(second, READ)).isEqualTo("d");
  }

  /** What has been committed is hit again as soon as the primary was asked, if that is now. */
  private void assertReadFromTheDatabase(String value, boolean committed) throws Exception {
    for (Connection connection : new Connection[] {first, second}) {
      long hits = count(connection, "hits");
      for (int i = 0; i < 5; i++) {
        assertThat(ask(connection, READ)).isEqualTo(value);
      }
      if (!committed) {
        assertThat(count(connection, "hits")).as("a writer is under way").isEqualTo(hits);
      }
    }
  }

  private void awaitNoSession() throws Exception {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    String sessions = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'dying'";
    while (!"0".equals(ask(outside, sessions))) {
      assertThat(System.nanoTime()).isLessThan(deadline);
    }
  }
}
