package dev.larder.memcached;

import static dev.larder.memcached.LarderInstance.run;
import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.testing.NeedsProgram;
import dev.larder.testing.Program;
import dev.larder.testing.Waiting;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The radar of three JVMs that share their results: who writes past them is found. Whoever writes
 * past them is psql where that is installed, otherwise the driver alone, in this JVM.
 */
@Tag("proof")
@NeedsProgram(Program.MEMCACHED)
class RadarFleetTest extends RadarFleet {
  @Test
  void everyKindOfSessionThatWritesPastLarderIsFoundByAllJvms() throws Exception {
    List<String> tables =
        List.of("one_shot", "idle_session", "busy_session", "copied", "untouched");
    for (String table : tables) {
      run(outside, "CREATE TABLE " + table + " (id int, v text)");
      run(outside, "INSERT INTO " + table + " SELECT i, 'x' FROM generate_series(1, 100) i");
    }
    try (Jvms jvms = launch(false, tables)) {
      jvms.awaitAll(RadarClient.WATCHING);

      long start = System.nanoTime();
      try (Outsider shot = outsider()) {
        shot.send("UPDATE one_shot SET v = 'y' WHERE id = 1");
      }
      awaitFound(jvms, "one_shot", start);

      start = System.nanoTime();
      try (Outsider shot = outsider()) {
        shot.send("COPY copied FROM PROGRAM 'echo 7,z' (FORMAT csv)");
      }
      awaitFound(jvms, "copied", start);

      try (Outsider idle = outsider()) {
        // The server is told of this one at once, and of the next when the session stays idle.
        idle.send("INSERT INTO t VALUES (7, 'x')");
        idle.send("UPDATE idle_session SET v = 'y' WHERE id = 1");
        awaitFound(jvms, "idle_session", System.nanoTime());
      }

      try (Outsider busy = outsider()) {
        start = System.nanoTime();
        Waiting.until(
            Duration.ofNanos(PATIENCE_NANOS),
            () -> jvms.lines().toString(),
            () -> {
              busy.send("UPDATE busy_session SET v = v WHERE id = 1");
              Waiting.pass(Duration.ofMillis(20));
              return jvms.count("foreign busy_session") >= JVMS;
            });
        awaitFound(jvms, "busy_session", start);
      }
      jvms.end();
      assertThat(jvms.count("foreign untouched")).isZero();
      assertThat(jvms.lines()).noneMatch(line -> line.startsWith("failed"));
      assertThat(jvms.lines()).anyMatch(line -> line.matches("hits [1-9].*"));
    }
  }
}
