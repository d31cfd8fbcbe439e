package dev.larder.memcached;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.testing.Waiting;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.assertj.core.api.Assertions;

/**
 * JVMs with Larder that run one main class until their input ends, and what all of them have said.
 * Confined to the thread of the test.
 */
final class Jvms implements AutoCloseable {
  private final Class<?> main;
  private final Queue<String> lines = new ConcurrentLinkedQueue<>();
  private final List<Process> running = new ArrayList<>();
  private final List<Thread> listeners = new ArrayList<>();

  Jvms(Class<?> main) {
    this.main = main;
  }

  /** Starts another one. */
  void launch(String... arguments) throws IOException {
    Process process = start(main, arguments);
    running.add(process);
    listeners.add(listen(process, lines::add));
  }

  /** Starts a JVM that has Larder on its class path. */
  static Process start(Class<?> main, String... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp"));
    command.add(LarderInstance.classPath(main, Assertions.class, Waiting.class));
    command.add(main.getName());
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
  }

  /** Hands on each line that {@code process} says, on a thread that ends with it. */
  static Thread listen(Process process, Consumer<String> told) {
    Thread listener =
        new Thread(
            () -> {
              try {
                said(process).lines().forEach(told);
              } catch (UncheckedIOException e) {
                // It was killed.
              }
            });
    listener.setDaemon(true);
    listener.start();
    return listener;
  }

  /** Returns what {@code process} says. */
  static BufferedReader said(Process process) {
    return process.inputReader(StandardCharsets.UTF_8);
  }

  /** Returns everything that was said. */
  List<String> lines() {
    return List.copyOf(lines);
  }

  /** Returns how often {@code line} was said. */
  long count(String line) {
    return lines.stream().filter(line::equals).count();
  }

  int size() {
    return running.size();
  }

  /** Waits until as many as are running have said {@code line}. */
  void awaitAll(String line) {
    awaitCount(line, running.size());
  }

  /** Waits until {@code line} was said so many times. */
  void awaitCount(String line, long times) {
    Waiting.until(Duration.ofMinutes(2), () -> line + ": " + lines, () -> count(line) >= times);
  }

  /** Kills the one at {@code index}. */
  void kill(int index) throws InterruptedException {
    running.remove(index).destroyForcibly().waitFor();
  }

  /** Ends all of them, and waits until they have said everything. */
  void end() throws IOException, InterruptedException {
    for (Process process : running) {
      process.getOutputStream().close();
    }
    for (Process process : running) {
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("it ends").isTrue();
    }
    close();
    for (Thread listener : listeners) {
      listener.join();
    }
  }

  @Override
  public void close() {
    running.forEach(Process::destroyForcibly);
  }
}
