package dev.larder.memcached;

import static dev.larder.memcached.LarderInstance.run;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The radar of three JVMs that share their results: who writes past them is found, and nothing that
 * they write themselves is taken for somebody else's. Whoever writes past them is psql where that
 * is installed, otherwise the driver alone, in this JVM.
 *
 * <p>{@code -Dlarder.radar.seconds=3600} makes the load longer.
 */
@Tag("proof")
class RadarFleetTest extends TwoInstances {
  private static final int JVMS = 3;
  private static final long SECONDS = Long.getLong("larder.radar.seconds", 60);
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(90);

  private Jvms launch(boolean writes, List<String> tables) throws Exception {
    Jvms jvms = new Jvms(RadarClient.class);
    for (int i = 1; i <= JVMS; i++) {
      List<String> arguments =
          new ArrayList<>(List.of(url(), Integer.toString(i), Boolean.toString(writes)));
      arguments.addAll(tables);
      jvms.launch(arguments.toArray(String[]::new));
    }
    return jvms;
  }

  // ---- who writes past Larder

  /** A session that Larder knows nothing of. */
  private interface Outsider extends AutoCloseable {
    void send(String sql) throws Exception;

    @Override
    void close() throws SQLException, IOException;
  }

  private static boolean hasPsql() {
    for (String directory : System.getenv("PATH").split(File.pathSeparator, -1)) {
      if (new File(directory, "psql").canExecute()) {
        return true;
      }
    }
    return false;
  }

  private Outsider outsider() throws Exception {
    return hasPsql() ? new Psql() : new Plain(postgres.connect());
  }

  private record Plain(Connection connection) implements Outsider {
    @Override
    public void send(String sql) throws SQLException {
      run(connection, sql);
    }

    @Override
    public void close() throws SQLException {
      connection.close();
    }
  }

  /** A real one, that reads its statements from a pipe. */
  private static final class Psql implements Outsider {
    private final Process process;
    private final OutputStream input;

    Psql() throws IOException {
      process =
          new ProcessBuilder(
                  "psql",
                  "-X",
                  "-q",
                  "-h",
                  "127.0.0.1",
                  "-p",
                  Integer.toString(postgres.port()),
                  "-U",
                  "postgres",
                  "postgres")
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      input = process.getOutputStream();
    }

    @Override
    public void send(String sql) throws IOException {
      input.write((sql + ";\n").getBytes(StandardCharsets.UTF_8));
      input.flush();
    }

    @Override
    public void close() throws IOException {
      input.close();
      process.onExit().orTimeout(60, TimeUnit.SECONDS).join();
    }
  }

  private static void awaitFound(Jvms jvms, String table, long startNanos) throws Exception {
    Waiting.until(
        Duration.ofNanos(PATIENCE_NANOS - (System.nanoTime() - startNanos)),
        () -> table + ": " + jvms.lines(),
        () -> jvms.count("foreign " + table) >= JVMS);
    long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNanos);
    System.out.println(
        "radar: " + table + ", " + (hasPsql() ? "psql" : "plain JDBC") + ": " + millis + " ms");
  }

  @Test
  void everyKindOfSessionThatWritesPastLarderIsFoundByAllJvms() throws Exception {
    List<String> tables =
        List.of("one_shot", "idle_session", "busy_session", "truncated", "copied", "untouched");
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
        shot.send("TRUNCATE truncated");
      }
      awaitFound(jvms, "truncated", start);

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

  // ---- what Larder writes itself

  private void createLoadTables() throws SQLException {
    for (String table : List.of("plain", "stamped", "audited", "upserted", "quiet")) {
      run(outside, "CREATE TABLE " + table + " (id int PRIMARY KEY, v text)");
      run(outside, "INSERT INTO " + table + " SELECT i, 'x' FROM generate_series(0, 99) i");
    }
    run(outside, "CREATE TABLE log (id int, v text)");
    run(outside, "CREATE TABLE parent (id int PRIMARY KEY)");
    run(outside, "CREATE TABLE child (id int REFERENCES parent ON DELETE CASCADE)");
    run(outside, "CREATE TABLE parts (id int, v text) PARTITION BY RANGE (id)");
    run(outside, "CREATE TABLE parts_a PARTITION OF parts FOR VALUES FROM (0) TO (50)");
    run(outside, "CREATE TABLE parts_b PARTITION OF parts FOR VALUES FROM (50) TO (100)");
    run(outside, "INSERT INTO parts SELECT i, 'x' FROM generate_series(0, 99) i");
    run(
        outside,
        "CREATE FUNCTION stamp() RETURNS trigger LANGUAGE plpgsql AS"
            + " 'BEGIN NEW.v := ''stamped''; RETURN NEW; END'");
    run(
        outside,
        "CREATE FUNCTION audit() RETURNS trigger LANGUAGE plpgsql AS"
            + " 'BEGIN INSERT INTO log VALUES (NEW.id, ''t''); RETURN NULL; END'");
    run(outside, "CREATE TRIGGER s BEFORE UPDATE ON stamped FOR EACH ROW EXECUTE FUNCTION stamp()");
    run(outside, "CREATE TRIGGER a AFTER UPDATE ON audited FOR EACH ROW EXECUTE FUNCTION audit()");
  }

  @Override
  String url() {
    return url("failCommit", "larder.triggers.writes=a%3Dlog");
  }

  @Test
  void nothingThatLarderWritesIsTakenForSomebodyElses() throws Exception {
    createLoadTables();
    List<String> tables =
        List.of(
            "plain", "stamped", "audited", "upserted", "quiet", "log", "parent", "child", "parts");
    System.out.println("radar: load of " + SECONDS + " s (-Dlarder.radar.seconds)");
    try (Jvms jvms = launch(true, tables)) {
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
      List<String> chores =
          List.of(
              "VACUUM", "ANALYZE", "VACUUM FULL quiet", "VACUUM FULL plain", "REINDEX TABLE log");
      for (int i = 0; System.nanoTime() < end; i++) {
        run(outside, chores.get(i % chores.size()));
        assertThat(jvms.lines()).noneMatch(line -> line.startsWith("foreign"));
        assertThat(jvms.lines()).noneMatch(line -> line.startsWith("failed"));
        Waiting.pass(Duration.ofSeconds(2));
      }
      // It is not that nobody looks: a stranger is found, among all this.
      for (String table : List.of("quiet", "plain", "upserted")) {
        long start = System.nanoTime();
        try (Outsider stranger = outsider()) {
          // Among the rows of a busy table a few of somebody else's cannot be told apart.
          for (int i = 0; i < 30; i++) {
            stranger.send("UPDATE " + table + " SET v = 'f'");
          }
          awaitFound(jvms, table, start);
        }
      }
      jvms.end();
      assertThat(jvms.lines())
          .filteredOn(line -> line.startsWith("foreign"))
          .allMatch(line -> line.matches("foreign (quiet|plain|upserted)"));
      assertThat(jvms.lines()).anyMatch(line -> line.matches("hits [1-9].*"));
      long writes =
          jvms.lines().stream()
              .filter(line -> line.startsWith(RadarClient.WRITES))
              .mapToLong(line -> Long.parseLong(line.substring(RadarClient.WRITES.length())))
              .sum();
      System.out.println("radar: " + writes + " writes, and none was taken for somebody else's");
      assertThat(writes).isPositive();
    }
  }
}
