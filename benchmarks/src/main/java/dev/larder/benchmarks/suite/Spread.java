package dev.larder.benchmarks.suite;

import java.util.Arrays;
import java.util.Collection;

/**
 * Repetitions of one reading.
 *
 * @param median the middle one, or the mean of the two in the middle
 * @param min the least
 * @param max the greatest
 * @param count how many
 */
public record Spread(double median, double min, double max, int count) {
  /** Returns the spread of {@code values}, of which there is at least one. */
  public static Spread of(Collection<Double> values) {
    double[] sorted = values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    if (sorted.length == 0) {
      throw new IllegalArgumentException("There is no reading.");
    }
    int middle = sorted.length / 2;
    double median =
        sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    return new Spread(median, sorted[0], Arrays.stream(sorted).max().orElseThrow(), sorted.length);
  }

  /** Returns the median of {@code values} and, in place of the extremes, the quartiles. */
  public static Spread quartiles(Collection<Double> values) {
    double[] sorted = values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    int quarter = sorted.length / 4;
    return new Spread(
        of(values).median(), sorted[quarter], sorted[sorted.length - 1 - quarter], sorted.length);
  }

  /** Returns the same in units of {@code unit}. */
  Spread dividedBy(double unit) {
    return new Spread(median / unit, min / unit, max / unit, count);
  }
}
