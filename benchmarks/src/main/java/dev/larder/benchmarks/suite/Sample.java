package dev.larder.benchmarks.suite;

import java.util.SortedMap;

/**
 * One reading.
 *
 * @param experiment which experiment took it
 * @param variant what was measured: the thing that the others are compared with or one of them
 * @param factors under which conditions, by name
 * @param metric what the value is
 * @param unit its unit
 * @param value the reading
 */
public record Sample(
    String experiment,
    String variant,
    SortedMap<String, String> factors,
    String metric,
    String unit,
    double value) {

  /** What readings have in common that are repetitions of each other. */
  record Key(
      String experiment,
      String variant,
      SortedMap<String, String> factors,
      String metric,
      String unit) {}

  Key key() {
    return new Key(experiment, variant, factors, metric, unit);
  }
}
