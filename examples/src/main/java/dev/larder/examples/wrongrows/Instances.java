package dev.larder.examples.wrongrows;

import dev.larder.examples.JavaProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;

/** The processes of the application, and what they have said. For one thread. */
final class Instances implements AutoCloseable {
  private static final int LONGEST_END_SECONDS = 20;
  private static final long LONGEST_START_NANOS = TimeUnit.MINUTES.toNanos(2);

  /** A line of one of the processes. */
  record Line(int instance, String text) {}

  private final List<Process> processes = new ArrayList<>();
  private final Queue<Line> lines = new ConcurrentLinkedQueue<>();
  private final Set<Integer> warned = new HashSet<>();

  private Instances() {}

  /** Starts all of them, and waits until they work. */
  static Instances start(String url, String larderUrl, Path board, Duration timeToLive)
      throws IOException, InterruptedException {
    Instances instances = new Instances();
    try {
      for (int i = 0; i < Instance.COUNT; i++) {
        int number = i;
        Process process =
            JavaProcess.start(
                Instance.class,
                url,
                larderUrl,
                board.toString(),
                Integer.toString(number),
                timeToLive.toString());
        instances.processes.add(process);
        Thread listener = new Thread(() -> instances.listen(number, process));
        listener.setDaemon(true);
        listener.start();
      }
      instances.awaitReady();
      return instances;
    } catch (IOException | InterruptedException | RuntimeException e) {
      instances.close();
      throw e;
    }
  }

  private void listen(int instance, Process process) {
    try (BufferedReader output =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        lines.add(new Line(instance, line));
      }
    } catch (IOException e) {
      lines.add(new Line(instance, "failed: " + e));
    }
  }

  private void awaitReady() throws IOException, InterruptedException {
    long deadline = System.nanoTime() + LONGEST_START_NANOS;
    int ready = 0;
    while (ready < processes.size()) {
      Line line = lines.poll();
      if (line != null && line.text().equals(Instance.READY)) {
        ready++;
      } else if (line != null || !allAlive() || System.nanoTime() - deadline > 0) {
        throw new IOException("a process does not start" + (line == null ? "" : ": " + line));
      } else {
        TimeUnit.MILLISECONDS.sleep(10);
      }
    }
  }

  private boolean allAlive() {
    return processes.stream().allMatch(Process::isAlive);
  }

  /**
   * Returns what the radars have said since it was asked last; fails where a process has failed.
   */
  List<Line> warnings() throws IOException {
    List<Line> warnings = new ArrayList<>();
    for (Line line = lines.poll(); line != null; line = lines.poll()) {
      if (!line.text().startsWith(WrongRows.RADAR_CODE)) {
        throw new IOException("process " + (line.instance() + 1) + ": " + line.text());
      }
      warned.add(line.instance());
      warnings.add(line);
    }
    if (!allAlive()) {
      throw new IOException("a process has ended");
    }
    return warnings;
  }

  /** Returns whether the radar of every process has said something. */
  boolean allWarned() {
    return warned.size() == processes.size();
  }

  @Override
  public void close() {
    try {
      for (Process process : processes) {
        process.getOutputStream().close();
      }
      for (Process process : processes) {
        process.waitFor(LONGEST_END_SECONDS, TimeUnit.SECONDS);
      }
    } catch (IOException e) {
      // It has ended already.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    processes.forEach(Process::destroyForcibly);
  }
}
