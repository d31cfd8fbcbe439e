package dev.larder.examples.badminutes;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the example's two applications answer when times are bad. */
@Tag("proof")
final class BadMinutesTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  @TempDir Path folder;

  private int run(String... arguments) {
    return BadMinutes.run(
        new PrintStream(out, true, StandardCharsets.UTF_8),
        new PrintStream(err, true, StandardCharsets.UTF_8),
        arguments);
  }

  private String report() {
    return out.toString(StandardCharsets.UTF_8) + err.toString(StandardCharsets.UTF_8);
  }

  /** Returns how many good answers there were in a second of a scene. */
  private static double good(List<String> samples, Scene scene, Side side, String what) {
    return samples.stream()
        .map(line -> line.split(",", -1))
        .filter(
            cells ->
                Arrays.asList(cells)
                    .subList(1, 4)
                    .equals(List.of(scene.label(), side.label(), what)))
        .mapToLong(cells -> Long.parseLong(cells[5]))
        .average()
        .orElseThrow();
  }

  @Test
  void larderAnswersOnWhileThePoolIsExhaustedAndTheDatabaseIsStopped() throws Exception {
    int code = run("--seconds=60", "--out=" + folder);
    assertThat(code).as(report()).isEqualTo(BadMinutes.RIGHT);
    assertThat(report().lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
    List<String> samples = Files.readAllLines(folder.resolve("bad-minutes.csv"));
    double calm = good(samples, Scene.CALM, Side.LARDER, "page");
    for (Scene scene : List.of(Scene.EXHAUSTED, Scene.STOPPED)) {
      assertThat(good(samples, scene, Side.LARDER, "page"))
          .as(report())
          .isGreaterThanOrEqualTo(0.75 * calm);
      assertThat(good(samples, scene, Side.DRIVER, "page")).as(report()).isLessThan(0.6 * calm);
    }
    // A machine that has much else to do may not have started the new process by then.
    if (good(samples, Scene.DASHBOARD, Side.LARDER, "page") > 0.9 * calm) {
      assertThat(good(samples, Scene.DASHBOARD, Side.LARDER, "dashboard"))
          .as(report())
          .isGreaterThan(2 * good(samples, Scene.DASHBOARD, Side.DRIVER, "dashboard"));
    }
  }

  /** So the check is able to find wrong answers. */
  @Test
  void changesPastLarderAreFound() {
    int code = run("--seconds=40", "--past-larder");
    assertThat(code).as(report()).isEqualTo(BadMinutes.WRONG);
    assertThat(report()).containsPattern("wrong answers +0 +[1-9]");
  }

  @ParameterizedTest
  @CsvSource({
    "--seconds=5, --seconds is '5'; it must be a whole number from 40 to 3600.",
    "--memcached, '--memcached' is no option. Options are",
  })
  void aBadOptionIsExplained(String argument, String message) {
    assertThat(run(argument)).isEqualTo(BadMinutes.FAILED);
    assertThat(err.toString(StandardCharsets.UTF_8)).contains(message, "Try --help.");
    assertThat(out.toString(StandardCharsets.UTF_8)).isEmpty();
  }

  @Test
  void helpNamesEveryOption() {
    assertThat(run("--help")).isEqualTo(BadMinutes.RIGHT);
    assertThat(report()).contains("--seconds", "--out", "--past-larder", "Exit code");
  }
}
