package dev.larder.examples.badminutes;

import dev.larder.examples.JavaProcess;
import dev.larder.examples.badminutes.Tally.Counts;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The process of a side, the one after it, and what they said. Thread-safe. */
final class Deployment implements AutoCloseable {
  private static final int LONGEST_START_SECONDS = 120;
  private static final int LONGEST_END_SECONDS = 20;

  private final Side side;
  private final String url;
  private final String writerUrl;
  private final Path warmup;
  private final Map<Long, Counts[]> seconds = new ConcurrentHashMap<>();
  private final CountDownLatch ready = new CountDownLatch(1);
  private volatile Process process;
  private volatile boolean again;
  private volatile boolean warm;
  private volatile boolean closing;
  private volatile @Nullable String failure;

  private Deployment(Side side, String url, String writerUrl, Path warmup) throws IOException {
    this.side = side;
    this.url = url;
    this.writerUrl = writerUrl;
    this.warmup = warmup;
    this.process = begin(true);
  }

  /**
   * Starts the first process.
   *
   * @param driverUrl the PostgreSQL driver's
   * @param warmup the file of Larder's warm start
   * @param pastLarder whether its writers use the PostgreSQL driver in any case
   */
  static Deployment start(Side side, String driverUrl, Path warmup, boolean pastLarder)
      throws IOException {
    String url = side.url(driverUrl, warmup);
    Deployment deployment = new Deployment(side, url, pastLarder ? driverUrl : url, warmup);
    Thread listener = new Thread(deployment::listen);
    listener.setDaemon(true);
    listener.start();
    return deployment;
  }

  private Process begin(boolean filled) throws IOException {
    return JavaProcess.start(
        List.of("-Dlarder.warmup.folder=" + warmup.getParent()),
        Application.class,
        side.name(),
        url,
        writerUrl,
        Boolean.toString(filled));
  }

  private void listen() {
    try {
      listenToOne();
      while (again) {
        again = false;
        process.waitFor();
        if (!warm) {
          Files.deleteIfExists(warmup);
        }
        process = begin(false);
        listenToOne();
      }
      if (!closing) {
        fail("has ended");
      }
    } catch (IOException e) {
      fail(e.toString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void fail(String why) {
    failure = "the process of " + side.label() + ": " + why;
    ready.countDown();
  }

  private void listenToOne() throws IOException {
    try (BufferedReader output =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        String[] words = line.split(" ");
        if (words[0].equals(Application.SECOND)) {
          seconds.put(
              Long.parseLong(words[1]),
              new Counts[] {Counts.parse(words, 2), Counts.parse(words, 2 + Counts.FIELDS)});
        } else if (line.equals(Application.READY)) {
          ready.countDown();
        } else {
          fail(line);
        }
      }
    }
  }

  /** Waits until it works. */
  void awaitReady() throws IOException, InterruptedException {
    if (!ready.await(LONGEST_START_SECONDS, TimeUnit.SECONDS)) {
      throw new IOException("the process of " + side.label() + " does not start");
    }
    check();
  }

  /** Fails if a process has. */
  void check() throws IOException {
    String why = failure;
    if (why != null) {
      throw new IOException(why);
    }
  }

  /** Tells the process to do something. */
  void say(String words) throws IOException {
    OutputStream input = process.getOutputStream();
    input.write((words + "\n").getBytes(StandardCharsets.UTF_8));
    input.flush();
  }

  /** Ends the process and starts another, in the background; with a warm start or without. */
  void deploy(boolean withWarmStart) throws IOException {
    warm = withWarmStart;
    again = true;
    process.getOutputStream().close();
  }

  /** Returns the pages of a second of the clock, if a process said something of it. */
  Counts pages(long second) {
    Counts[] both = seconds.get(second);
    return both == null ? Counts.NONE : both[0];
  }

  /** Returns the dashboards of a second of the clock, if a process said something of it. */
  Counts dashboards(long second) {
    Counts[] both = seconds.get(second);
    return both == null ? Counts.NONE : both[1];
  }

  @Override
  public void close() {
    closing = true;
    try {
      process.getOutputStream().close();
      process.waitFor(LONGEST_END_SECONDS, TimeUnit.SECONDS);
    } catch (IOException e) {
      // It has ended already.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    process.destroyForcibly();
  }
}
