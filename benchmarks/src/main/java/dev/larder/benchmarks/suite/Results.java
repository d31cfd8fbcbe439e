package dev.larder.benchmarks.suite;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;

/** The readings of a run, in the order in which they were taken. Not thread-safe. */
public final class Results {
  private final List<Sample> samples = new ArrayList<>();

  /** A point of a line: the reading's repetitions at {@code x}. */
  public record Point(double x, Spread y) {}

  /** Creates an empty collection. */
  public Results() {}

  /** Adds a reading. */
  public void add(Sample sample) {
    samples.add(sample);
  }

  /** Adds a reading; {@code factors} are names and values in turn. */
  public void add(
      String experiment,
      String variant,
      String metric,
      String unit,
      double value,
      Object... factors) {
    SortedMap<String, String> named = new TreeMap<>();
    for (int i = 0; i < factors.length; i += 2) {
      named.put(factors[i].toString(), factors[i + 1].toString());
    }
    add(new Sample(experiment, variant, named, metric, unit, value));
  }

  /** Returns all readings. */
  public List<Sample> samples() {
    return List.copyOf(samples);
  }

  /** Returns the variants of an experiment, in the order of their first reading. */
  public List<String> variants(String experiment) {
    return samples.stream()
        .filter(sample -> sample.experiment().equals(experiment))
        .map(Sample::variant)
        .distinct()
        .toList();
  }

  /** Returns the repetitions of every reading, in the order of the first one. */
  Map<Sample.Key, Spread> spreads() {
    Map<Sample.Key, List<Double>> values = new LinkedHashMap<>();
    for (Sample sample : samples) {
      values.computeIfAbsent(sample.key(), key -> new ArrayList<>()).add(sample.value());
    }
    Map<Sample.Key, Spread> spreads = new LinkedHashMap<>();
    values.forEach((key, all) -> spreads.put(key, Spread.of(all)));
    return spreads;
  }

  /** Returns the points of one line, by ascending values of the numeric factor {@code x}. */
  public List<Point> line(
      String experiment,
      String variant,
      String metric,
      String x,
      Predicate<Map<String, String>> where) {
    TreeMap<Double, List<Double>> values = new TreeMap<>();
    for (Sample sample : samples) {
      String at = sample.factors().get(x);
      if (at != null
          && sample.experiment().equals(experiment)
          && sample.variant().equals(variant)
          && sample.metric().equals(metric)
          && where.test(sample.factors())) {
        values.computeIfAbsent(Double.valueOf(at), key -> new ArrayList<>()).add(sample.value());
      }
    }
    return values.entrySet().stream()
        .map(entry -> new Point(entry.getKey(), Spread.of(entry.getValue())))
        .sorted(Comparator.comparingDouble(Point::x))
        .toList();
  }

  /** Returns the repetitions of a reading by the value of one of its factors. */
  public List<Double> values(
      String experiment, String variant, String metric, String factor, String value) {
    return samples.stream()
        .filter(sample -> sample.experiment().equals(experiment))
        .filter(sample -> sample.variant().equals(variant) && sample.metric().equals(metric))
        .filter(sample -> value.equals(sample.factors().get(factor)))
        .map(Sample::value)
        .toList();
  }

  /** Returns {@code line} divided by its greatest median. */
  public static List<Point> relativeToPeak(List<Point> line) {
    double peak = line.stream().mapToDouble(point -> point.y().median()).max().orElse(1);
    return line.stream().map(point -> new Point(point.x(), point.y().dividedBy(peak))).toList();
  }
}
