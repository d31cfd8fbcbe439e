package dev.larder.examples.wrongrows;

import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;

/** Prints what goes on and what came out, in 80 columns. */
final class Report {
  private static final int COLUMNS = 80;
  private static final String ROW = "%-20s%16s%19s%19s%n";

  private final PrintStream out;
  private long begunNanos;

  Report(PrintStream out) {
    this.out = out;
  }

  /**
   * A part of the time.
   *
   * @param name what was special about it
   * @param totals what there was in it
   * @param end what there was since the start
   */
  record Phase(String name, Totals totals, Totals end) {}

  /** Prints the head of the lines that {@link #second} prints. */
  void head() {
    begunNanos = System.nanoTime();
    out.println();
    out.printf(
        "%-8s%17s%26s%21s%n", "", Side.PLAIN.label(), Side.BY_HAND.label(), Side.LARDER.label());
    out.printf(
        "%-8s%10s%7s%13s%13s%12s%9s%n",
        "second", "reads/s", "wrong", "reads/s", "wrong", "reads/s", "wrong");
    out.println("-".repeat(COLUMNS - 1));
  }

  /** Prints what came in the last second. */
  void second(Totals last) {
    out.printf(
        Locale.ROOT,
        "%-8d%,10d%,7d%,13d%,13d%,12d%,9d%n",
        (System.nanoTime() - begunNanos) / 1_000_000_000,
        last.perSecond(Side.PLAIN),
        last.wrong(Side.PLAIN),
        last.perSecond(Side.BY_HAND),
        last.wrong(Side.BY_HAND),
        last.perSecond(Side.LARDER),
        last.wrong(Side.LARDER));
  }

  /** Prints what happens, broken at spaces. */
  void event(String text) {
    StringBuilder line = new StringBuilder("--");
    for (String word : text.split(" ", -1)) {
      if (line.length() + word.length() >= COLUMNS - 1) {
        out.println(line);
        line = new StringBuilder("  ");
      }
      line.append(' ').append(word);
    }
    out.println(line);
  }

  /**
   * Prints the table at the end.
   *
   * @param bounded whether rows may be a second old
   */
  void table(List<Phase> phases, boolean bounded) {
    out.println();
    out.printf(ROW, "", Side.PLAIN.label(), Side.BY_HAND.label(), Side.LARDER.label());
    out.println("-".repeat(COLUMNS - 1));
    for (Phase phase : phases) {
      out.printf(Locale.ROOT, "%s, %.0f s%n", phase.name(), phase.totals().seconds());
      Totals totals = phase.totals();
      row("  reads a second", totals::perSecond);
      row("  wrong rows", totals::wrong);
      if (bounded) {
        row("  older than 1 s", totals::late);
      }
    }
  }

  private void row(String name, ToLongFunction<Side> figure) {
    Object[] cells = new Object[Side.values().length + 1];
    cells[0] = name;
    for (Side side : Side.values()) {
      cells[side.index() + 1] = String.format(Locale.ROOT, "%,d", figure.applyAsLong(side));
    }
    out.printf(ROW, cells);
  }
}
