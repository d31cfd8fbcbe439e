package dev.larder.memcached;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.testing.Waiting;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A real memcached on a free port of the loopback interface, ended with the test: a process, or a
 * container if the build names an image.
 */
public final class Memcached implements AutoCloseable {
  private final int port;
  private final List<String> options;
  private @Nullable RunningMemcached running;

  private Memcached(int port, String... options) {
    this.port = port;
    this.options = List.of(options);
  }

  /** Starts a server that answers when this method returns. */
  public static Memcached start(String... options) throws Exception {
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    Memcached memcached = new Memcached(port, options);
    memcached.restart();
    return memcached;
  }

  public InetSocketAddress address() {
    return new InetSocketAddress("127.0.0.1", port);
  }

  /** Starts the server again, with nothing in it. */
  public void restart() throws Exception {
    RunningMemcached started =
        MemcachedContainer.isWanted()
            ? MemcachedContainer.start(port, options)
            : MemcachedProcess.start(port, options);
    running = started;
    Waiting.until(
        started.toString(),
        () -> {
          assertThat(started.isAlive()).as(started.toString()).isTrue();
          return answers();
        });
  }

  private boolean answers() {
    try {
      return ask("version").startsWith("VERSION");
    } catch (IOException e) {
      return false;
    }
  }

  /** Ends the server as {@code kill -9} does. */
  public void kill() {
    if (running != null) {
      running.kill();
    }
  }

  /** Stops the server's process: connections stay open, nothing is answered. */
  public void suspend() throws Exception {
    requireRunning().suspend();
  }

  /** Lets it go on. */
  public void resume() throws Exception {
    requireRunning().resume();
  }

  private RunningMemcached requireRunning() {
    if (running == null) {
      throw new IllegalStateException();
    }
    return running;
  }

  /** Sends a line of the text protocol and returns the first line of the answer. */
  public String ask(String line) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.getOutputStream().write((line + "\r\n").getBytes(StandardCharsets.US_ASCII));
      StringBuilder answer = new StringBuilder();
      int c = socket.getInputStream().read();
      while (c != '\r' && c != -1) {
        answer.append((char) c);
        c = socket.getInputStream().read();
      }
      return answer.toString();
    }
  }

  /** Returns what the server counts. */
  Map<String, String> stats() throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.getOutputStream().write("stats\r\n".getBytes(StandardCharsets.US_ASCII));
      BufferedReader lines =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
      Map<String, String> stats = new HashMap<>();
      for (String line = lines.readLine(); !"END".equals(line); line = lines.readLine()) {
        String[] words = line.split(" ", 3);
        stats.put(words[1], words[2]);
      }
      return stats;
    }
  }

  @Override
  public void close() {
    kill();
  }
}
