package dev.larder.jdbc.script;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What the scripts in {@code src/test/resources} show is the same with and without Larder: rows,
 * SQLStates, counts of written rows, the state of the transaction. A file whose name ends in {@code
 * .txt} is found by itself: see {@link Scenario} for what is in it.
 */
@Tag("each-server")
@Tag("regression")
final class ScriptsTest {
  /** A scenario that names options is run with these only. */
  private static final List<String> OPTIONS =
      List.of("", "autosave=always", "autosave=conservative", "preferQueryMode=simple");

  /** Whether every scenario is run with all of them. */
  private static final boolean ALL = Boolean.getBoolean("larder.script.all");

  /** Which files or scenarios are run: a part of their names. */
  private static final String ONLY = System.getProperty("larder.script", "");

  @AutoClose private static Stage stage;

  @BeforeAll
  static void setUp() throws SQLException {
    stage = new Stage(Way.DEFAULT);
  }

  static Stream<String> files() throws IOException, URISyntaxException {
    URL scripts = Objects.requireNonNull(ScriptsTest.class.getResource("/dev/larder/jdbc/scripts"));
    try (Stream<Path> files = Files.list(Path.of(scripts.toURI()))) {
      return files.map(file -> file.getFileName().toString()).sorted().toList().stream();
    }
  }

  @ParameterizedTest
  @MethodSource("files")
  void noScenarioShowsADifference(String file) throws SQLException {
    List<String> failures = new ArrayList<>();
    int run = 0;
    for (Scenario scenario : Scenario.read(file)) {
      if (!scenario.toString().contains(ONLY)) {
        continue;
      }
      for (String option : options(scenario, run)) {
        run++;
        Stage.Outcome outcome =
            option.isEmpty() ? stage.play(scenario) : stage.play(scenario, option);
        String failure = failure(scenario, option, outcome);
        if (failure != null) {
          failures.add(failure);
        }
      }
    }
    System.out.printf("%s: %d runs of scenarios%n", file, run);
    assertThat(String.join("\n", failures)).as("%d failures", failures.size()).isEmpty();
  }

  /** Each scenario has the default options and, in turns, one set of others. */
  private static List<String> options(Scenario scenario, int number) {
    if (!scenario.options().isEmpty()) {
      return List.of("");
    }
    return ALL ? OPTIONS : List.of("", OPTIONS.get(1 + number / 2 % (OPTIONS.size() - 1)));
  }

  private static @Nullable String failure(Scenario scenario, String option, Stage.Outcome outcome) {
    List<String> faults = new ArrayList<>(outcome.faults());
    if (!option.isEmpty()) {
      faults.removeIf(fault -> fault.startsWith("no hit"));
    } else if (scenario.mustHit() && outcome.hits() == 0) {
      faults.add("not one hit: it proves nothing");
    }
    if (faults.isEmpty()) {
      return null;
    }
    StringBuilder failure = new StringBuilder("\n== " + scenario + " | " + option + '\n');
    faults.forEach(fault -> failure.append("   ").append(fault).append('\n'));
    for (int i = 0; i < outcome.bare().size(); i++) {
      failure.append(outcome.bare().get(i)).append('\n');
      if (!outcome.bare().get(i).equals(outcome.larder().get(i))) {
        failure.append("   LARDER  ->  ").append(outcome.larder().get(i)).append('\n');
      }
    }
    return failure.toString();
  }
}
