package dev.larder.examples.shared;

import dev.larder.examples.JavaProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.concurrent.TimeUnit;

/** The second process, and how the first one talks to it: a line each way. For one thread. */
final class OtherProcess implements AutoCloseable {
  private static final int LONGEST_END_SECONDS = 60;

  private final Process process;
  private final BufferedReader answers;

  private OtherProcess(Process process) {
    this.process = process;
    this.answers =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
  }

  /** Launches a JVM that uses Larder's {@code url}. */
  static OtherProcess launch(String url) throws IOException {
    return new OtherProcess(JavaProcess.start(OtherProcess.class, url));
  }

  /** Works in the second process: answers each line, until there is none. */
  public static void main(String[] arguments) throws IOException, SQLException {
    BufferedReader orders =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    try (Prices prices = new Prices(arguments[0])) {
      for (String order = orders.readLine(); order != null; order = orders.readLine()) {
        System.out.println(order.equals("read") ? prices.read() : prices.readFromCache());
      }
    }
  }

  /** Returns what the other process reads now. */
  String read() throws IOException {
    return ask("read");
  }

  /** Returns what the other process reads once its answer comes from a cache. */
  String readFromCache() throws IOException {
    return ask("read from cache");
  }

  private String ask(String order) throws IOException {
    process.getOutputStream().write((order + "\n").getBytes(StandardCharsets.UTF_8));
    process.getOutputStream().flush();
    String answer = answers.readLine();
    if (answer == null) {
      throw new IOException("the other process has ended");
    }
    return answer;
  }

  @Override
  public void close() throws IOException {
    process.getOutputStream().close();
    try {
      if (!process.waitFor(LONGEST_END_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
