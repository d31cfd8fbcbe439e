package dev.larder.examples.wrongrows;

import java.util.concurrent.TimeUnit;

/** How many answers there were, and how many of them were wrong, by side. Not changed once made. */
final class Totals {
  private final long nanos;
  private final long[] answers;
  private final long[] wrong;
  private final long[] late;

  /**
   * Creates totals.
   *
   * @param nanos when they were counted, or how long it took if they are of a while
   */
  Totals(long nanos, long[] answers, long[] wrong, long[] late) {
    this.nanos = nanos;
    this.answers = answers.clone();
    this.wrong = wrong.clone();
    this.late = late.clone();
  }

  /** Returns what has come since {@code before}. */
  Totals since(Totals before) {
    Side[] sides = Side.values();
    long[] newAnswers = new long[sides.length];
    long[] newWrong = new long[sides.length];
    long[] newLate = new long[sides.length];
    for (int i = 0; i < sides.length; i++) {
      newAnswers[i] = answers[i] - before.answers[i];
      newWrong[i] = wrong[i] - before.wrong[i];
      newLate[i] = late[i] - before.late[i];
    }
    return new Totals(nanos - before.nanos, newAnswers, newWrong, newLate);
  }

  /** Returns how long that took, in seconds. */
  double seconds() {
    return (double) nanos / TimeUnit.SECONDS.toNanos(1);
  }

  /** Returns how many answers a second there were while it was the side's turn. */
  long perSecond(Side side) {
    return Math.round(answers[side.index()] * Side.values().length / seconds());
  }

  /** Returns how many answers were wrong. */
  long wrong(Side side) {
    return wrong[side.index()];
  }

  /** Returns how many of these were older than a second. */
  long late(Side side) {
    return late[side.index()];
  }
}
