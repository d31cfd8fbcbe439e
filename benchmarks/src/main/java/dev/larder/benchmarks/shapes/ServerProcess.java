package dev.larder.benchmarks.shapes;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A server of another project, which a benchmark starts on a free port and ends. */
public final class ServerProcess implements AutoCloseable {
  private static final long LONGEST_START_NANOS = 15_000_000_000L;
  private static final long PAUSE_MILLIS = 20;

  static final String MEMCACHED = "memcached";
  private static final String REDIS = "redis-server";

  private final Process process;

  private ServerProcess(Process process) {
    this.process = process;
  }

  /** Starts {@code command} and returns when {@code port} answers. */
  static ServerProcess start(Path log, int port, List<String> command) throws IOException {
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    ServerProcess server = new ServerProcess(process);
    long start = System.nanoTime();
    while (!answers(port)) {
      if (!process.isAlive() || System.nanoTime() - start > LONGEST_START_NANOS) {
        server.close();
        throw new IOException(command.get(0) + " does not answer on " + port + "; see " + log);
      }
    }
    return server;
  }

  /** Starts a memcached. */
  public static ServerProcess memcached(int port) throws IOException {
    return start(
        Files.createTempFile(MEMCACHED, ".log"),
        port,
        List.of(
            MEMCACHED,
            "-l",
            "127.0.0.1",
            "-p",
            Integer.toString(port),
            "-m",
            "512",
            "-u",
            "nobody"));
  }

  /** Returns whether {@link #redis} can start one. */
  public static boolean hasRedis() {
    return isInstalled(REDIS);
  }

  /** Starts a Redis that keeps nothing on disk. */
  public static ServerProcess redis(int port) throws IOException {
    return start(
        Files.createTempFile(REDIS, ".log"),
        port,
        List.of(
            REDIS,
            "--bind",
            "127.0.0.1",
            "--port",
            Integer.toString(port),
            "--save",
            "",
            "--appendonly",
            "no"));
  }

  private static boolean answers(int port) throws IOException {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1_000);
      return true;
    } catch (IOException e) {
      try {
        TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        return false;
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt();
        throw new IOException(interrupted);
      }
    }
  }

  /** Returns a port that was free a moment ago. */
  public static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  /** Returns whether {@code program} is on the path. */
  static boolean isInstalled(String program) {
    String path = System.getenv("PATH") + ":/usr/sbin";
    return List.of(path.split(":")).stream()
        .anyMatch(directory -> Path.of(directory, program).toFile().canExecute());
  }

  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(10, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
