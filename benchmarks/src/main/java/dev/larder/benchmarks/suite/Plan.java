package dev.larder.benchmarks.suite;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * What a run will do.
 *
 * @param scale how much time there is
 * @param experiments in which order
 */
record Plan(Scale scale, List<Experiment> experiments) {
  Plan {
    experiments = List.copyOf(experiments);
  }

  /** Returns about how long {@code experiment} takes, in all its JVMs. */
  Duration expected(Experiment experiment) {
    return experiment.expected(scale).multipliedBy(runs(experiment));
  }

  /** Returns about how long all of it takes. */
  Duration expected() {
    return experiments.stream().map(this::expected).reduce(Duration.ZERO, Duration::plus);
  }

  /** Returns a line for each experiment and one for the sum. */
  List<String> lines() {
    return Stream.concat(
            experiments.stream()
                .map(
                    experiment ->
                        line(experiment.name(), expected(experiment))
                            + String.format(Locale.ROOT, ", %d steps", steps(experiment))),
            Stream.of(line("all", expected())))
        .toList();
  }

  private int steps(Experiment experiment) {
    return experiment.steps(scale) * runs(experiment);
  }

  private int runs(Experiment experiment) {
    return experiment.forksItself() ? 1 : scale.forks();
  }

  private static String line(String name, Duration expected) {
    return String.format(
        Locale.ROOT, "%-15s %3d:%02d min", name, expected.toMinutes(), expected.toSecondsPart());
  }
}
