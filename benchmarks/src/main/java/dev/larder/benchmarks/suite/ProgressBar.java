package dev.larder.benchmarks.suite;

import java.io.PrintStream;
import java.time.Duration;

/**
 * A line that shows how much is done and how long the rest will take, by the expectations of the
 * experiments and by how wrong they were so far. Not thread-safe.
 */
final class ProgressBar {
  private static final int WIDTH = 30;

  private final PrintStream out;
  private final boolean terminal = isTerminal();
  private final long startNanos = System.nanoTime();
  private final double expectedSeconds;
  private double doneSeconds;
  private String last = "";

  ProgressBar(PrintStream out, Duration expected) {
    this.out = out;
    this.expectedSeconds = expected.toNanos() / 1e9;
  }

  /** Since JDK 22 there is a console for pipes, too: lines overwrite each other there. */
  @SuppressWarnings("SystemConsoleNull")
  private static boolean isTerminal() {
    return System.console() != null;
  }

  /** A part that was expected to take {@code expected} is done. */
  void done(Duration expected, String what) {
    doneSeconds += expected.toNanos() / 1e9;
    double fraction = Math.min(1, doneSeconds / expectedSeconds);
    double elapsed = (System.nanoTime() - startNanos) / 1e9;
    long left = Math.round(elapsed / Math.max(fraction, 1e-3) * (1 - fraction));
    int filled = (int) Math.round(fraction * WIDTH);
    String line =
        String.format(
            "[%s%s] %3.0f %%  %d:%02d left  %s",
            "#".repeat(filled),
            ".".repeat(WIDTH - filled),
            100 * fraction,
            left / 60,
            left % 60,
            what);
    if (terminal) {
      out.print("\r" + line + " ".repeat(Math.max(0, last.length() - line.length())));
      out.flush();
    } else {
      out.println(line);
    }
    last = line;
  }

  void end() {
    if (terminal) {
      out.println();
    }
  }
}
