package dev.larder.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/**
 * Ends the JVM where nothing of its tests has begun or ended for longer than one of them may take,
 * and writes what its threads do into {@code target/hanging-*.txt}. The limit of JUnit interrupts a
 * thread, which one that reads from a socket does not notice, and is for the methods of Jupiter
 * alone. Found by the service loader. Thread-safe.
 */
public final class HangingTests implements TestExecutionListener {
  private static final String LIMIT =
      "junit.jupiter.execution.timeout.testable.method.default"; // As in "10 m".

  /** After the limit of JUnit, which says more. */
  private static final Duration MORE = Duration.ofMinutes(2);

  private static final Duration PAUSE = Duration.ofSeconds(5);
  private static final int FRAMES = 40;
  private static final int EXIT_CODE = 86;

  private volatile long latestNanos;
  private volatile String latest = "";
  private @Nullable Thread watch;

  @Override
  public synchronized void testPlanExecutionStarted(TestPlan plan) {
    noted("began", "the tests");
    String limit = System.getProperty(LIMIT);
    if (watch == null && limit != null) {
      Duration longest = Duration.parse("PT" + limit.replace(" ", "")).plus(MORE);
      watch = new Thread(() -> watch(longest.toNanos()), "hanging-tests");
      watch.setDaemon(true);
      watch.start();
    }
  }

  @Override
  public void dynamicTestRegistered(TestIdentifier test) {
    noted("was found", test.getUniqueId());
  }

  @Override
  public void executionStarted(TestIdentifier test) {
    noted("began", test.getUniqueId());
  }

  @Override
  public void executionFinished(TestIdentifier test, TestExecutionResult result) {
    noted("ended", test.getUniqueId());
  }

  private void noted(String event, String what) {
    latest = what + ' ' + event;
    latestNanos = System.nanoTime();
  }

  private void watch(long longestNanos) {
    while (System.nanoTime() - latestNanos < longestNanos) {
      Waiting.pass(PAUSE);
    }
    end();
  }

  private void end() {
    StringBuilder text = new StringBuilder("Nothing happened since " + latest + ".\n");
    Map<Thread, StackTraceElement[]> traces = Thread.getAllStackTraces();
    traces.entrySet().stream()
        .filter(each -> Stream.of(each.getValue()).anyMatch(HangingTests::isOfInterest))
        .sorted(
            Comparator.comparingLong(each -> -each.getKey().getId())) // Who runs the tests last.
        .forEach(each -> append(each.getKey(), each.getValue(), text));
    try {
      Path file = Path.of("target", "hanging-" + ProcessHandle.current().pid() + ".txt");
      Files.writeString(file, text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      Runtime.getRuntime().halt(EXIT_CODE);
    }
  }

  private static boolean isOfInterest(StackTraceElement frame) {
    return frame.getClassName().startsWith("dev.larder.")
        || frame.getClassName().startsWith("org.apache.maven.surefire.");
  }

  private static void append(Thread thread, StackTraceElement[] trace, StringBuilder text) {
    text.append(thread).append(' ').append(thread.getState()).append('\n');
    Stream.of(trace).limit(FRAMES).forEach(frame -> text.append("    ").append(frame).append('\n'));
  }
}
