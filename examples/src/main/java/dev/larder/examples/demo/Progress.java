package dev.larder.examples.demo;

import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;

/** A bar with the time left, drawn over itself; on no terminal one line a step. For one thread. */
final class Progress {
  private static final int WIDTH = 36;

  private final PrintStream out;
  private final boolean terminal;
  private final long allNanos;
  private String step = "";
  private long doneNanos;
  private int drawn = -1;

  Progress(PrintStream out, boolean terminal, Duration all) {
    this.out = out;
    this.terminal = terminal;
    this.allNanos = all.toNanos();
  }

  /** Begins a step; the ones before took {@code done} of the whole time. */
  void begin(String name, Duration done) {
    step = name;
    doneNanos = done.toNanos();
    drawn = -1;
    if (terminal) {
      show(0);
    } else {
      out.println("  " + line(0).stripTrailing());
    }
  }

  /** Draws the bar, this step being {@code stepNanos} old. */
  void show(long stepNanos) {
    if (!terminal) {
      return;
    }
    int tenths = (int) ((doneNanos + stepNanos) / 100_000_000);
    if (tenths != drawn) {
      drawn = tenths;
      out.print("\r  " + line(stepNanos));
      out.flush();
    }
  }

  /** Wipes the bar away. */
  void end() {
    if (terminal) {
      out.print("\r" + " ".repeat(79) + "\r");
      out.flush();
    }
  }

  private String line(long stepNanos) {
    long done = Math.min(doneNanos + stepNanos, allNanos);
    int filled = (int) (WIDTH * done / allNanos);
    long left = (allNanos - done + 999_999_999) / 1_000_000_000;
    return String.format(
        Locale.ROOT,
        "%-22s [%s%s] %d:%02d left ",
        step,
        "#".repeat(filled),
        "-".repeat(WIDTH - filled),
        left / 60,
        left % 60);
  }
}
