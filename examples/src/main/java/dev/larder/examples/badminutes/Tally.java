package dev.larder.examples.badminutes;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/** Counts the answers of a second. Thread-safe. */
final class Tally {
  /** An answer that takes longer is late. */
  static final long LIMIT_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

  private static final int MOST = 4_096;

  private final long[] nanos = new long[MOST];
  private int answers;
  private long good;
  private long late;
  private long failed;
  private long wrong;

  /**
   * What came in a second.
   *
   * @param good right answers in time
   * @param late right answers that came too late, and what was not asked because it was too late
   * @param failed with an exception
   * @param wrong answers
   * @param medianMicros of those that came
   * @param p99Micros of those that came, the 99th percentile
   */
  record Counts(long good, long late, long failed, long wrong, long medianMicros, long p99Micros) {
    static final int FIELDS = 6;
    static final Counts NONE = new Counts(0, 0, 0, 0, 0, 0);

    /** Reads what {@link #toString} has written. */
    static Counts parse(String[] words, int from) {
      long[] all = new long[FIELDS];
      Arrays.setAll(all, i -> Long.parseLong(words[from + i]));
      return new Counts(all[0], all[1], all[2], all[3], all[4], all[5]);
    }

    @Override
    public String toString() {
      return good + " " + late + " " + failed + " " + wrong + " " + medianMicros + " " + p99Micros;
    }
  }

  synchronized void answered(long tookNanos, boolean right) {
    if (answers < MOST) {
      nanos[answers++] = tookNanos;
    }
    if (!right) {
      wrong++;
    } else if (tookNanos > LIMIT_NANOS) {
      late++;
    } else {
      good++;
    }
  }

  synchronized void late() {
    late++;
  }

  synchronized void failed() {
    failed++;
  }

  /** Returns what came since the last call. */
  synchronized Counts take() {
    Arrays.sort(nanos, 0, answers);
    Counts counts = new Counts(good, late, failed, wrong, micros(0.5), micros(0.99));
    answers = 0;
    good = 0;
    late = 0;
    failed = 0;
    wrong = 0;
    return counts;
  }

  private long micros(double share) {
    return answers == 0 ? 0 : TimeUnit.NANOSECONDS.toMicros(nanos[(int) (share * (answers - 1))]);
  }
}
