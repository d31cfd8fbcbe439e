package dev.larder.benchmarks.shapes;

import dev.larder.benchmarks.shapes.ReportReader.Second;
import dev.larder.benchmarks.suite.Experiment;
import dev.larder.benchmarks.suite.Figures;
import dev.larder.benchmarks.suite.LineFigure;
import dev.larder.benchmarks.suite.Progress;
import dev.larder.benchmarks.suite.Results;
import dev.larder.benchmarks.suite.Results.Point;
import dev.larder.benchmarks.suite.Scale;
import dev.larder.benchmarks.suite.Spread;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * The hit ratio of an application after a restart, with a file of the hot queries and without. It
 * is a JVM of its own, which asks for reports at a steady rate, some far more often than others,
 * and changes a row from time to time. Before, one like it has run for long and has ended.
 */
public final class WarmStartFile implements Experiment {
  private static final String NAME = "warm-start-file";
  private static final String RATIO = "hit ratio";
  private static final String SECONDS = "seconds";
  private static final String WITH = "larder.warmup.file";
  private static final String WITHOUT = "without";

  /** How far the steady ratio is off when the application is said to be warm. */
  private static final double WARM = 0.9;

  /** The last part of a run that began warm has the steady ratio. */
  private static final double STEADY = 0.75;

  private static final int SERVER_CONNECTIONS = 20;

  /** For the command. */
  public WarmStartFile() {}

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Duration expected(Scale scale) {
    return Duration.ofSeconds(15L + 2L * seconds(scale));
  }

  @Override
  public int steps(Scale scale) {
    return 3;
  }

  private static int seconds(Scale scale) {
    return scale.of(65, 150);
  }

  @Override
  public void run(Scale scale, Results results, Progress progress) throws Exception {
    Path folder = Files.createTempDirectory(NAME);
    Path file = folder.resolve("warm");
    try (Postgres postgres = new Postgres(SERVER_CONNECTIONS)) {
      ReportReader.create(postgres);
      String without = postgres.larderUrl(NAME);
      String with = without + "&larder.warmup.file=" + file;
      ReportReader.fill(with);
      progress.step(NAME + ": before");
      run(WITHOUT, ReportReader.run(without, seconds(scale)), results);
      progress.step(NAME + ": " + WITHOUT);
      run(WITH, ReportReader.run(with, seconds(scale)), results);
      progress.step(NAME + ": " + WITH);
    } finally {
      Files.deleteIfExists(file);
      Files.deleteIfExists(folder);
    }
  }

  private static void run(String variant, List<Second> seconds, Results results) {
    for (int i = 0; i < seconds.size(); i++) {
      results.add(NAME, variant, RATIO, "share", seconds.get(i).hitRatio(), SECONDS, i + 1);
    }
  }

  @Override
  public void draw(Results results, Figures figures) throws IOException {
    List<Point> cold = line(results, WITHOUT);
    if (cold.isEmpty()) {
      return;
    }
    double steady = steady(line(results, WITH));
    LineFigure figure =
        figures
            .lines(
                NAME,
                String.format(
                    Locale.ROOT,
                    "Hit ratio after a restart, %d queries a second among %,d",
                    ReportReader.QUERIES_A_SECOND,
                    ReportReader.REPORTS),
                "seconds since the application began to connect",
                "hit ratio, mean of three seconds")
            .fromZeroX()
            .withoutMarkers();
    for (String variant : results.variants(NAME)) {
      List<Point> line = line(results, variant);
      figure.line(label(variant, warmAt(line, steady)), line);
    }
    figure
        .publishedLevel(
            String.format(Locale.ROOT, "90 %% of the steady ratio, %.2f", steady), WARM * steady)
        .save();
  }

  private static String label(String variant, double seconds) {
    return String.format(Locale.ROOT, "%s: %.0f s to 90 %% of the steady ratio", variant, seconds);
  }

  private static List<Point> line(Results results, String variant) {
    return smooth(results.line(NAME, variant, RATIO, SECONDS, factors -> true));
  }

  /** Returns the mean of each reading, the one before and the one behind it. */
  static List<Point> smooth(List<Point> line) {
    return IntStream.range(0, line.size())
        .mapToObj(
            i -> {
              List<Point> near = line.subList(Math.max(0, i - 1), Math.min(line.size(), i + 2));
              return new Point(line.get(i).x(), mean(near));
            })
        .toList();
  }

  private static Spread mean(List<Point> near) {
    return Spread.of(
        List.of(near.stream().mapToDouble(point -> point.y().median()).average().orElse(0)));
  }

  /** Returns the mean of the last part of a line. */
  static double steady(List<Point> line) {
    return line.stream()
        .skip((long) (STEADY * line.size()))
        .mapToDouble(point -> point.y().median())
        .average()
        .orElse(0);
  }

  /** Returns after how many seconds a line first comes to its part of the steady ratio. */
  static double warmAt(List<Point> line, double steady) {
    return line.stream()
        .filter(point -> point.y().median() >= WARM * steady)
        .mapToDouble(Point::x)
        .findFirst()
        .orElse(Double.NaN);
  }
}
