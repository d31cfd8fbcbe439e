package dev.larder.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** A memcached of the test's own. */
final class MemcachedProcess implements AutoCloseable {
  private final Process process;
  private final int port;

  private MemcachedProcess(Process process, int port) {
    this.process = process;
    this.port = port;
  }

  /** Starts one, and waits until it listens. */
  static MemcachedProcess start() throws IOException {
    int port = freePort();
    Process process =
        new ProcessBuilder(
                "memcached",
                "-l",
                "127.0.0.1",
                "-p",
                String.valueOf(port),
                "-u",
                System.getProperty("user.name"))
            .inheritIO()
            .start();
    awaitListening(port);
    return new MemcachedProcess(process, port);
  }

  /** Returns what to append to a URL of Larder. */
  String options() {
    return "&larder.writers=memcached&larder.backend=memcached"
        + "&larder.memcached.servers=127.0.0.1:"
        + port
        + "&larder.memcached.onUnreachable=failCommit";
  }

  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private static void awaitListening(int port) {
    long deadline = System.nanoTime() + 30_000_000_000L;
    while (true) {
      try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
        assertThat(socket.isConnected()).isTrue();
        return;
      } catch (IOException e) {
        assertThat(System.nanoTime()).as("memcached does not listen").isLessThan(deadline);
      }
    }
  }
}
