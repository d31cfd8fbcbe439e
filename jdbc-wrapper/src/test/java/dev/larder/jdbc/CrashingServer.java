package dev.larder.jdbc;

import dev.larder.testing.EmbeddedServers;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Assertions;

/** A server of a test's own that can be stopped at once and started again. */
public final class CrashingServer implements Closeable {
  private final TestServer server;
  private final Path directory;

  private CrashingServer(TestServer server, Path directory) {
    this.server = server;
    this.directory = directory;
  }

  /** Starts one that keeps everything in {@code directory}. */
  public static CrashingServer start(Path directory) throws IOException {
    return new CrashingServer(
        TestServer.startIn(directory.resolve("data"), "synchronous_commit=on"), directory);
  }

  /** Returns the port, which stays the same. */
  public int port() {
    return server.port();
  }

  /** Creates an empty database. */
  public TestDatabase createDatabase() throws java.sql.SQLException {
    return TestDatabase.createOn(server);
  }

  /** Stops the server without a checkpoint ({@code immediate}), and starts it again. */
  public void crashAndStart() throws IOException, InterruptedException {
    Path data = directory.resolve("data");
    long postmaster = Long.parseLong(Files.readAllLines(data.resolve("postmaster.pid")).get(0));
    ProcessHandle process = ProcessHandle.of(postmaster).orElseThrow();
    Path control = Path.of(process.info().command().orElseThrow()).resolveSibling("pg_ctl");
    signal("-QUIT", postmaster);
    process.onExit().join();
    EmbeddedServers.share(directory);
    List<String> command =
        List.of(
            control.toString(),
            "-w",
            "-D",
            data.toString(),
            "-l",
            directory.resolve("log").toString(),
            "-o",
            "-p " + server.port() + " -F",
            "start");
    Process starting =
        new ProcessBuilder(EmbeddedServers.asServer(command))
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("start").toFile())
            .start();
    Assertions.assertEquals(0, starting.waitFor(), "pg_ctl start");
  }

  /** Sends a signal to a process. */
  public static void signal(String signal, long pid) throws IOException, InterruptedException {
    Process kill = new ProcessBuilder("kill", signal, Long.toString(pid)).start();
    Assertions.assertEquals(0, kill.waitFor(), "kill");
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
