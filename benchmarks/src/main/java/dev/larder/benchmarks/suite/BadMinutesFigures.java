package dev.larder.benchmarks.suite;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * Draws what the example {@code BadMinutes} has written down with {@code --out}. The arguments are
 * its file, the folder for the figures, and the footnote.
 */
public final class BadMinutesFigures {
  private static final double MICROS_A_MILLI = 1_000;
  private static final String PAGE = "page";

  /**
   * A line of the file: what came on a side in a second.
   *
   * @param second from 0 on
   * @param scene its name, empty between scenes
   * @param side what was measured
   * @param what was asked for, a page or a dashboard
   * @param asked how many in a second
   * @param good right answers in time
   * @param medianMicros of the answers
   */
  private record Line(
      int second,
      String scene,
      String side,
      String what,
      int asked,
      double good,
      double medianMicros) {
    static Line parse(String line) {
      String[] cells = line.split(",", -1);
      return new Line(
          Integer.parseInt(cells[0]),
          cells[1],
          cells[2],
          cells[3],
          Integer.parseInt(cells[4]),
          Double.parseDouble(cells[5]),
          Double.parseDouble(cells[9]));
    }
  }

  private BadMinutesFigures() {}

  /** Draws. */
  public static void main(String[] args) throws IOException {
    System.setProperty("java.awt.headless", "true");
    Locale.setDefault(Locale.ROOT);
    List<Line> lines =
        Files.readAllLines(Path.of(args[0])).stream().skip(1).map(Line::parse).toList();
    Figures figures = new Figures(Path.of(args[1]), args[2]);
    LineFigure good =
        figures.lines(
            "bad-minutes",
            "Two bad minutes: right answers within 250 ms",
            "seconds",
            "good answers a second");
    draw(good, lines, Line::good, false);
    LineFigure median =
        figures
            .lines("bad-minutes-median", "Two bad minutes: median of the answers", "seconds", "ms")
            .decadesY();
    draw(median, lines, line -> line.medianMicros / MICROS_A_MILLI, true);
  }

  private static void draw(
      LineFigure figure, List<Line> all, ToDoubleFunction<Line> y, boolean onlyPositive)
      throws IOException {
    // The dashboards first: colours of pages follow from the side.
    for (String what : List.of("dashboard", PAGE)) {
      for (String side : List.of("no cache", "Larder")) {
        List<Line> lines =
            all.stream()
                .filter(line -> line.what.equals(what) && line.side.equals(side))
                .filter(line -> !onlyPositive || y.applyAsDouble(line) > 0)
                .toList();
        figure.line(name(what, side, all), points(lines, y));
      }
    }
    scenes(figure, all);
    figure.withoutMarkers().save();
  }

  private static String name(String what, String side, List<Line> all) {
    int asked =
        all.stream().filter(line -> line.what.equals(what)).mapToInt(Line::asked).max().orElse(0);
    String of = " (of " + asked + " " + what + "s)";
    return what.equals(PAGE) ? side + of : what + ", " + side + " (of " + asked + ")";
  }

  private static List<Results.Point> points(List<Line> lines, ToDoubleFunction<Line> y) {
    return lines.stream()
        .map(
            line -> new Results.Point(line.second + 0.5, Spread.of(List.of(y.applyAsDouble(line)))))
        .toList();
  }

  private static void scenes(LineFigure figure, List<Line> all) {
    Map<String, int[]> scenes = new LinkedHashMap<>();
    for (Line line : all) {
      if (!line.scene.isEmpty()) {
        int[] seconds = scenes.computeIfAbsent(line.scene, scene -> new int[] {line.second, 0});
        seconds[1] = line.second + 1;
      }
    }
    scenes.forEach((name, seconds) -> figure.scene(name, seconds[0], seconds[1]));
  }
}
