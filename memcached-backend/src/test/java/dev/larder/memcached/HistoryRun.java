package dev.larder.memcached;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.testing.Waiting;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;

/**
 * Several JVMs that write and read ({@link HistoryClient}), and what they have said. For one
 * thread.
 */
final class HistoryRun implements AutoCloseable {
  private static final Duration LONGEST_WAIT = Duration.ofMinutes(2);

  private final Path known;
  private final long seed;
  private final long allowedMillis;
  private final Queue<String> lines = new ConcurrentLinkedQueue<>();
  private final List<Client> clients = new ArrayList<>();
  private int started;
  private int orders;

  /**
   * One JVM.
   *
   * @param name also of its sessions, and what its prepared transactions begin with
   */
  record Client(
      int place, String name, String url, Process process, Thread listener, boolean writes) {
    void order(String line) throws IOException {
      process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
      process.getOutputStream().flush();
    }
  }

  /**
   * Begins without a JVM.
   *
   * @param known an empty file
   * @param allowedMillis how far a read may be behind
   */
  HistoryRun(Path known, long seed, long allowedMillis) {
    this.known = known;
    this.seed = seed;
    this.allowedMillis = allowedMillis;
  }

  List<Client> clients() {
    return List.copyOf(clients);
  }

  /** Launches a JVM that uses Larder's {@code url}. */
  Client launch(int place, String url, boolean writes) throws IOException {
    String name = "jvm" + ++started;
    Process process =
        Jvms.start(
            HistoryClient.class,
            url + "&ApplicationName=" + name,
            known.toString(),
            name,
            Long.toString(seed + 100L * started),
            Long.toString(allowedMillis),
            Boolean.toString(writes));
    Thread listener = Jvms.listen(process, line -> lines.add(name + " " + line));
    Client client = new Client(place, name, url, process, listener, writes);
    clients.add(client);
    return client;
  }

  /** Ends a JVM as {@code kill -9} does. */
  void kill(Client client) throws InterruptedException {
    assertThat(clients.remove(client)).isTrue();
    client.process().destroyForcibly().waitFor();
    client.listener().join();
  }

  /** Waits until each JVM that is running has hits that come after this call. */
  void awaitUse(String what) throws Exception {
    String order = ++orders + "-" + what;
    for (Client client : clients) {
      awaitLine(client.name() + " started");
      client.order("use " + order);
    }
    for (Client client : clients) {
      awaitLine(client.name() + " used " + order);
    }
  }

  /** Has each JVM say how long its reads took while {@code task} ran. */
  void measure(String what, Task task) throws Exception {
    for (Client client : clients) {
      client.order("mark");
    }
    task.run();
    String order = "times " + ++orders + "-" + what;
    for (Client client : clients) {
      client.order(order);
    }
    for (Client client : clients) {
      awaitLine(client.name() + " " + order);
    }
  }

  /** Something that is done meanwhile. */
  interface Task {
    void run() throws Exception;
  }

  private void awaitLine(String begin) throws InterruptedException {
    Waiting.until(
        LONGEST_WAIT,
        () -> begin + ": " + lines,
        () -> {
          assertThat(bad()).isEmpty();
          return lines.stream().anyMatch(line -> line.startsWith(begin));
        });
  }

  private List<String> bad() {
    return lines.stream().filter(line -> line.matches("\\S+ (anomaly|failed).*")).toList();
  }

  /** Ends all JVMs in peace and returns what they have said; none may have found fault. */
  List<String> end() throws Exception {
    for (Client client : clients) {
      client.process().getOutputStream().close();
      assertThat(client.process().waitFor(60, TimeUnit.SECONDS)).as("it ends").isTrue();
      client.listener().join();
    }
    assertThat(bad()).as("seed %s", seed).isEmpty();
    assertThat(lines).filteredOn(line -> line.matches("\\S+ hits .*")).hasSize(clients.size());
    return List.copyOf(lines);
  }

  @Override
  public void close() {
    lines.forEach(line -> System.out.println("history: " + line));
    clients.forEach(client -> client.process().destroyForcibly());
  }
}
