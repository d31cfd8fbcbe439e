package dev.larder.memcached;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A real memcached on a free port of the loopback interface, ended with the test. */
public final class Memcached implements AutoCloseable {
  private final List<String> command;
  private final int port;
  private @Nullable Process process;

  private Memcached(int port, String... options) {
    this.port = port;
    command = new ArrayList<>(List.of(executable(), "-l", "127.0.0.1", "-U", "0"));
    command.addAll(List.of("-p", Integer.toString(port), "-u", System.getProperty("user.name")));
    command.addAll(Arrays.asList(options));
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

  private static String executable() {
    for (String directory : System.getenv("PATH").split(File.pathSeparator)) {
      File file = new File(directory, "memcached");
      if (file.canExecute()) {
        return file.getPath();
      }
    }
    throw new AssertionError(
        "memcached is not on the PATH, and these tests run against a real one. Install it:"
            + " apt-get install memcached (Debian, Ubuntu), dnf install memcached (Fedora), brew"
            + " install memcached (macOS). The service need not run.");
  }

  public InetSocketAddress address() {
    return new InetSocketAddress("127.0.0.1", port);
  }

  /** Starts the server again, with nothing in it. */
  public void restart() throws Exception {
    Process started =
        new ProcessBuilder(command)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    process = started;
    String what = "memcached starts: " + String.join(" ", command);
    Waiting.until(
        what,
        () -> {
          assertThat(started.isAlive()).as(what).isTrue();
          return accepts();
        });
  }

  private boolean accepts() {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return socket.isConnected();
    } catch (IOException e) {
      return false;
    }
  }

  /** Ends the server as {@code kill -9} does. */
  public void kill() {
    Process running = process;
    if (running != null) {
      running.destroyForcibly().onExit().join();
    }
  }

  /** Stops the server's process: connections stay open, nothing is answered. */
  public void suspend() throws Exception {
    signal("-STOP");
    Process running = process;
    if (running != null) {
      // Each thread stops when it is its turn.
      Path threads = Path.of("/proc", Long.toString(running.pid()), "task");
      Waiting.until("memcached is stopped", () -> isStopped(threads));
    }
  }

  private static boolean isStopped(Path threads) throws IOException {
    if (!Files.exists(threads)) {
      return true; // Nobody tells on this system.
    }
    try (Stream<Path> all = Files.list(threads)) {
      for (Path thread : all.toList()) {
        String line = Files.readString(thread.resolve("stat"));
        if (line.charAt(line.lastIndexOf(')') + 2) != 'T') {
          return false;
        }
      }
      return true;
    }
  }

  /** Lets it go on. */
  public void resume() throws Exception {
    signal("-CONT");
  }

  private void signal(String name) throws Exception {
    Process running = process;
    if (running == null) {
      throw new IllegalStateException();
    }
    int result = new ProcessBuilder("kill", name, Long.toString(running.pid())).start().waitFor();
    if (result != 0) {
      throw new AssertionError("kill " + name + " failed");
    }
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
