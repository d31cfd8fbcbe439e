package dev.larder.memcached;

import static dev.larder.memcached.LarderInstance.run;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three JVMs write and read ({@link HistoryClient}) while memcached fails, sessions are lost and
 * one of the JVMs is killed; none may read what is older than what was known.
 *
 * <p>{@code -Dlarder.history.seconds=60} makes it longer, {@code -Dlarder.history.seed} repeats
 * one.
 */
class SharedHistoryTest extends TwoInstances {
  private static final long SECONDS = Long.getLong("larder.history.seconds", 12);
  private static final long SEED = Long.getLong("larder.history.seed", System.nanoTime());
  private static final int JVMS = 3;

  private final Queue<String> lines = new ConcurrentLinkedQueue<>();
  private final List<Process> running = new ArrayList<>();
  private final List<Thread> listeners = new ArrayList<>();
  private int started;

  @TempDir private Path directory;
  private Path known;

  @BeforeEach
  void createTables() throws Exception {
    known = Files.write(directory.resolve("known"), new byte[HistoryClient.ROWS * Long.BYTES]);
    for (String table : new String[] {"a", "b"}) {
      run(outside, "CREATE TABLE " + table + " (id int PRIMARY KEY, n bigint)");
      run(outside, "INSERT INTO " + table + " SELECT i, 0 FROM generate_series(0, 3) i");
    }
    run(
        outside,
        "CREATE PROCEDURE count_up(which int) LANGUAGE sql AS"
            + " 'UPDATE a SET n = n + 1 WHERE id = which; UPDATE b SET n = n + 1 WHERE id ="
            + " which'");
    run(
        outside,
        "CREATE FUNCTION counted_up(which int) RETURNS bigint LANGUAGE sql AS"
            + " 'UPDATE a SET n = n + 1 WHERE id = which; UPDATE b SET n = n + 1 WHERE id = which"
            + " RETURNING n'");
  }

  @Override
  String url() {
    return url("failCommit", "larder.memcached.timeout=500ms");
  }

  /** Does something bad. */
  private interface Fault {
    void happen(Random random) throws Exception;
  }

  @Test
  void noReadIsOlderThanWhatWasKnownWhileMemcachedFails() throws Exception {
    check(
        random -> {
          switch (random.nextInt(4)) {
            case 0 -> {
              memcached.kill();
              memcached.restart();
            }
            case 1 -> {
              memcached.suspend();
              TimeUnit.MILLISECONDS.sleep(700);
              memcached.resume();
            }
            case 2 -> memcached.ask("flush_all");
            default -> TimeUnit.MILLISECONDS.sleep(200);
          }
        });
  }

  @Test
  void noReadIsOlderThanWhatWasKnownWhileJvmsAndSessionsAndVersionsAreLost() throws Exception {
    check(
        random -> {
          if (random.nextInt(6) == 0) {
            running.remove(random.nextInt(JVMS)).destroyForcibly().waitFor();
            running.add(launch());
          } else {
            try (Statement statement = outside.createStatement()) {
              statement.execute(
                  "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <>"
                      + " pg_backend_pid() AND backend_type = 'client backend' ORDER BY random()"
                      + " LIMIT 1");
            }
          }
          if (random.nextInt(3) == 0) {
            memcached.ask("flush_all");
          }
        });
  }

  private void check(Fault fault) throws Exception {
    System.out.println("history: seed " + SEED + " (-Dlarder.history.seed), " + SECONDS + " s");
    try {
      for (int i = 0; i < JVMS; i++) {
        running.add(launch());
      }
      Random random = new Random(SEED);
      awaitStarted();
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
      while (System.nanoTime() < end && bad().isEmpty()) {
        TimeUnit.MILLISECONDS.sleep(1_000 + random.nextInt(1_500));
        fault.happen(random);
      }
      for (Process process : running) {
        process.getOutputStream().close();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("it ends").isTrue();
      }
    } finally {
      running.forEach(Process::destroyForcibly);
    }
    for (Thread listener : listeners) {
      listener.join();
    }
    lines.forEach(line -> System.out.println("history: " + line));
    assertThat(bad()).as("seed %s", SEED).isEmpty();
    assertThat(lines).filteredOn(line -> line.startsWith("hits ")).hasSize(JVMS);
    assertThat(lines).as("hits meanwhile").anyMatch(line -> line.matches("hits [1-9].*"));
  }

  private List<String> bad() {
    return lines.stream().filter(line -> line.matches("(anomaly|failed).*")).toList();
  }

  private void awaitStarted() throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
    while (lines.stream().filter(line -> line.equals("started")).count() < JVMS) {
      assertThat(System.nanoTime()).as("the JVMs start: %s", lines).isLessThan(deadline);
      TimeUnit.MILLISECONDS.sleep(10);
    }
  }

  private Process launch() throws IOException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-cp",
                LarderInstance.classPath(HistoryClient.class, Assertions.class),
                HistoryClient.class.getName(),
                url(),
                known.toString(),
                Long.toString(SEED + 100L * ++started))
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    Thread listener = new Thread(() -> listen(process));
    listener.setDaemon(true);
    listener.start();
    listeners.add(listener);
    return process;
  }

  private void listen(Process process) {
    try (BufferedReader output =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        lines.add(line);
      }
    } catch (IOException e) {
      // It was killed.
    }
  }
}
