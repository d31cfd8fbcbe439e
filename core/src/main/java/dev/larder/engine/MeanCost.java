package dev.larder.engine;

/**
 * The mean of times that are taken now and then. One that was disturbed, as by another process or
 * by classes that had to be loaded, counts for at most {@value #MOST_TIMES} times the mean before
 * it, also the first one. Not thread-safe.
 */
final class MeanCost {
  private static final double MOST_TIMES = 3;

  /** How many of the last times make the mean, about. */
  private static final int WEIGHT = 64;

  private static final int FEW = 2;

  private double mean;
  private int count;

  /** Creates the mean, which is {@code nanos} until a time was taken. */
  MeanCost(double nanos) {
    this.mean = nanos;
  }

  void add(long nanos) {
    count = Math.min(WEIGHT, count + 1);
    mean += (Math.min((double) nanos, MOST_TIMES * mean) - mean) / count;
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
