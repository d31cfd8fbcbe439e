package dev.larder.memcached;

import static dev.larder.memcached.LarderInstance.ask;
import static dev.larder.memcached.LarderInstance.run;
import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.testing.NeedsProgram;
import dev.larder.testing.Program;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** One statement of psql's stops the caches of three JVMs, and no statement under way is lost. */
@Tag("proof")
@NeedsProgram(Program.MEMCACHED)
class KillSwitchTest extends TwoInstances {
  private static final int JVMS = 3;

  /** What is promised, a look every two seconds included. */
  private static final Duration PROMISED = Duration.ofSeconds(5);

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "ALTER DATABASE postgres SET larder.enabled = off | ALTER DATABASE postgres RESET larder.enabled",
        "INSERT INTO larder_control VALUES ('all', NULL, 'enabled', 'off') | DELETE FROM larder_control"
      })
  void everyProcessObeysWithinSecondsAndNoStatementIsLost(String off, String on) throws Exception {
    run(outside, "DROP TABLE t; CREATE TABLE t (id int PRIMARY KEY, n bigint NOT NULL)");
    run(outside, "INSERT INTO t SELECT i, 0 FROM generate_series(0, 3) i");
    run(outside, "CREATE TABLE quiet AS SELECT 1 AS id, 7 AS n");
    run(outside, "CREATE TABLE larder_control (scope text, name text, setting text, value text)");
    try (Jvms jvms = new Jvms(FleetClient.class)) {
      for (int i = 1; i <= JVMS; i++) {
        jvms.launch(url(), Integer.toString(i));
      }
      jvms.awaitAll(FleetClient.HITTING);

      long start = System.nanoTime();
      run(outside, off);
      jvms.awaitAll(FleetClient.SWITCHED_OFF);
      Duration took = Duration.ofNanos(System.nanoTime() - start);
      System.out.println("kill switch: " + took.toMillis() + " ms: " + off);

      run(outside, on);
      jvms.awaitCount(FleetClient.HITTING, 2 * JVMS);
      jvms.end();
      for (int i = 1; i <= JVMS; i++) {
        assertThat(jvms.lines())
            .contains(
                "row "
                    + i
                    + ": "
                    + ask(outside, "SELECT n FROM t WHERE id = " + i)
                    + " written, 0 wrong");
      }
      assertThat(jvms.lines()).noneMatch(line -> line.startsWith("failed"));
      assertThat(took).isLessThan(PROMISED);
    }
  }
}
