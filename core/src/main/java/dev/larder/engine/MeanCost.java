package dev.larder.engine;

/**
 * The mean of times that are taken now and then. One that was disturbed, as by another process or
 * by classes that had to be loaded, counts for at most {@value #MOST_TIMES} times the mean before
 * it, also the first one; where another process is asked, whose times differ more, for {@value
 * #MOST_TIMES_SHARED}. Not thread-safe.
 */
final class MeanCost {
  private static final double MOST_TIMES = 3;
  private static final double MOST_TIMES_SHARED = 8;

  /** How many of the last times make the mean, about. */
  private static final int WEIGHT = 64;

  private static final int FEW = 2;

  private final double mostTimes;
  private double mean;
  private int count;

  /**
   * Creates the mean, which is {@code nanos} until a time was taken.
   *
   * @param shared whether another process is asked, too
   */
  MeanCost(double nanos, boolean shared) {
    this.mean = nanos;
    this.mostTimes = shared ? MOST_TIMES_SHARED : MOST_TIMES;
  }

  void add(long nanos) {
    count = Math.min(WEIGHT, count + 1);
    mean += (Math.min((double) nanos, mostTimes * mean) - mean) / count;
  }

  /**
   * Has what was taken so far weigh as little as {@value #FEW} times that are taken from now on.
   */
  void weighLess() {
    count = Math.min(FEW, count);
  }

  double nanos() {
    return mean;
  }
}
