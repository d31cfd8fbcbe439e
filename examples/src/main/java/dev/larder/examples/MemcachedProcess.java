package dev.larder.examples;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;

/** A memcached of this machine, on a free port of the loopback. For one thread. */
public final class MemcachedProcess implements AutoCloseable {
  private static final long LONGEST_START_NANOS = 60_000_000_000L;

  private final int port;
  private Process process;

  private MemcachedProcess(int port) throws IOException {
    this.port = port;
    this.process = launch();
  }

  /** Starts one; memcached must be on the PATH. */
  public static MemcachedProcess start() throws IOException {
    try {
      return new MemcachedProcess(freePort());
    } catch (IOException e) {
      throw new IOException(
          "memcached does not start. Install it: apt-get install memcached (Debian, Ubuntu), dnf"
              + " install memcached (Fedora), brew install memcached (macOS).",
          e);
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return free.getLocalPort();
    }
  }

  private Process launch() throws IOException {
    Process started =
        new ProcessBuilder(
                List.of(
                    "memcached",
                    "-l",
                    "127.0.0.1",
                    "-U",
                    "0",
                    "-p",
                    Integer.toString(port),
                    "-u",
                    System.getProperty("user.name")))
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    long deadline = System.nanoTime() + LONGEST_START_NANOS;
    while (!answers()) {
      if (!started.isAlive() || System.nanoTime() - deadline > 0) {
        started.destroyForcibly();
        throw new IOException("memcached does not answer on port " + port);
      }
      Thread.onSpinWait();
    }
    return started;
  }

  private boolean answers() {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return socket.isConnected();
    } catch (IOException e) {
      return false;
    }
  }

  /** Returns {@code host:port}. */
  public String address() {
    return "127.0.0.1:" + port;
  }

  /** Ends it at once. */
  public void kill() {
    process.destroyForcibly().onExit().join();
  }

  /** Starts it again, with nothing in it. */
  public void restart() throws IOException {
    process = launch();
  }

  @Override
  public void close() {
    kill();
  }
}
