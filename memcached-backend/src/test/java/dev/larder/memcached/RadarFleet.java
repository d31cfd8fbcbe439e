package dev.larder.memcached;

import static dev.larder.memcached.LarderInstance.run;

import dev.larder.testing.Waiting;
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

/** Three JVMs that share their results, each with a radar, and somebody who writes past them. */
abstract class RadarFleet extends TwoInstances {
  static final int JVMS = 3;
  static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(90);

  final Jvms launch(boolean writes, List<String> tables) throws Exception {
    Jvms jvms = new Jvms(RadarClient.class);
    for (int i = 1; i <= JVMS; i++) {
      List<String> arguments =
          new ArrayList<>(List.of(url(), Integer.toString(i), Boolean.toString(writes)));
      arguments.addAll(tables);
      jvms.launch(arguments.toArray(String[]::new));
    }
    return jvms;
  }

  /** A session that Larder knows nothing of. */
  interface Outsider extends AutoCloseable {
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

  static Outsider outsider() throws Exception {
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

  static void awaitFound(Jvms jvms, String table, long startNanos) throws Exception {
    Waiting.until(
        Duration.ofNanos(PATIENCE_NANOS - (System.nanoTime() - startNanos)),
        () -> table + ": " + jvms.lines(),
        () -> jvms.count("foreign " + table) >= JVMS);
    long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNanos);
    System.out.println(
        "radar: " + table + ", " + (hasPsql() ? "psql" : "plain JDBC") + ": " + millis + " ms");
  }
}
