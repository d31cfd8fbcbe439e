package dev.larder.examples.badminutes;

import dev.larder.examples.badminutes.Tally.Counts;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/** Prints what goes on and what came out, in 80 columns, and writes it down. */
final class Report {
  private static final int COLUMNS = 80;
  private static final double MICROS_A_MILLI = 1_000;

  private final PrintStream out;
  private final int seconds;
  private final List<Second> all = new ArrayList<>();

  /** What came in a second. */
  private record Second(int number, Map<Side, Answers> answers) {
    Answers of(Side side) {
      return Objects.requireNonNull(answers.get(side));
    }
  }

  /** What came on a side. */
  record Answers(Counts pages, Counts dashboards) {
    long wrong() {
      return pages.wrong() + dashboards.wrong();
    }
  }

  Report(PrintStream out, int seconds) {
    this.out = out;
    this.seconds = seconds;
  }

  /** Prints the head of the lines that {@link #second} prints. */
  void head() {
    out.println();
    out.printf(
        "%-8s%34s%37s%n",
        "", Side.DRIVER.label() + "            ", Side.LARDER.label() + "               ");
    String columns = "%8s%9s%9s%9s";
    out.printf(
        "%-8s" + columns + columns + "%n",
        "second",
        "good",
        "no good",
        "p99, ms",
        "wrong",
        "good",
        "no good",
        "p99, ms",
        "wrong");
    out.println("-".repeat(COLUMNS - 1));
  }

  /** Prints what came in a second. */
  void second(int number, Map<Side, Answers> answers) {
    Second second = new Second(number, new EnumMap<>(answers));
    all.add(second);
    StringBuilder line = new StringBuilder(String.format(Locale.ROOT, "%-8d", number + 1));
    for (Side side : Side.values()) {
      Counts pages = second.of(side).pages();
      line.append(
          String.format(
              Locale.ROOT,
              "%8d%9d%9.1f%9d",
              pages.good(),
              pages.late() + pages.failed(),
              pages.p99Micros() / MICROS_A_MILLI,
              second.of(side).wrong()));
    }
    out.println(line);
  }

  /** Prints what happens. */
  void event(String text) {
    out.println("-- " + text);
  }

  /** Prints the table at the end. */
  void table() {
    out.println();
    out.printf("%-40s%18s%18s%n", "", Side.DRIVER.label(), Side.LARDER.label());
    out.println("-".repeat(COLUMNS - 1));
    for (Scene scene : Scene.values()) {
      out.printf("%s, %d s%n", scene.label(), scene.to(seconds) - scene.from(seconds));
      row(scene, "good pages a second", answers -> answers.pages().good());
      row(scene, "late or failed", answers -> answers.pages().late() + answers.pages().failed());
      row(scene, "median, ms", answers -> answers.pages().medianMicros() / MICROS_A_MILLI);
      row(scene, "99th percentile, ms", answers -> answers.pages().p99Micros() / MICROS_A_MILLI);
      if (scene == Scene.DASHBOARD) {
        row(scene, "good dashboards a second", answers -> answers.dashboards().good());
      }
    }
    out.printf("%-40s%18d%18d%n", "wrong answers", wrong(Side.DRIVER), wrong(Side.LARDER));
  }

  private void row(Scene scene, String name, ToDoubleFunction<Answers> number) {
    out.printf(
        Locale.ROOT,
        "  %-38s%18.1f%18.1f%n",
        name,
        mean(scene, Side.DRIVER, number),
        mean(scene, Side.LARDER, number));
  }

  private double mean(Scene scene, Side side, ToDoubleFunction<Answers> number) {
    return of(scene).map(second -> second.of(side)).mapToDouble(number).average().orElse(0);
  }

  private Stream<Second> of(Scene scene) {
    return all.stream()
        .filter(
            second ->
                scene.from(seconds) <= second.number() && second.number() < scene.to(seconds));
  }

  /** Returns how many answers of a side were wrong. */
  long wrong(Side side) {
    return all.stream().mapToLong(second -> second.of(side).wrong()).sum();
  }

  /** Writes what came in each second. */
  void write(Path folder) throws IOException {
    List<String> lines = new ArrayList<>();
    lines.add("second,scene,side,what,asked,good,late,failed,wrong,median_micros,p99_micros");
    for (Second second : all) {
      String scene = Scene.at(second.number(), seconds).map(Scene::label).orElse("");
      for (Side side : Side.values()) {
        String begin = second.number() + "," + scene + "," + side.label() + ",";
        Answers answers = second.of(side);
        lines.add(begin + line("page", Application.PAGES_A_SECOND, answers.pages()));
        if (scene.equals(Scene.DASHBOARD.label())) {
          lines.add(
              begin + line("dashboard", Application.DASHBOARDS_A_SECOND, answers.dashboards()));
        }
      }
    }
    Files.createDirectories(folder);
    Files.write(folder.resolve("bad-minutes.csv"), lines);
  }

  private static String line(String what, int asked, Counts counts) {
    return what + "," + asked + "," + counts.toString().replace(' ', ',');
  }
}
