package dev.larder.benchmarks.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class PlanTest {
  private static Plan plan(Scale scale) {
    return new Plan(scale, Suite.all());
  }

  @Test
  void quickIsExpectedToTakeSomeQuarterOfAnHour() {
    assertThat(plan(Scale.QUICK).expected())
        .isBetween(Duration.ofMinutes(5), Duration.ofMinutes(16));
  }

  @Test
  void fullIsExpectedToTakeSomeTwoAndAHalfHours() {
    assertThat(plan(Scale.FULL).expected())
        .isBetween(Duration.ofMinutes(100), Duration.ofMinutes(175));
  }

  /** Two modes of 2 + 5 seconds in two JVMs each, and what it takes to start them. */
  @Test
  void fullLocksTakeLessThanNinetyMinutes() {
    Duration measuring =
        Duration.ofSeconds(2 * 2 * (2 + 5)).multipliedBy(CellPlan.of(Scale.FULL).size());

    assertThat(plan(Scale.FULL).expected(new LockExperiment()))
        .isGreaterThan(measuring)
        .isLessThan(Duration.ofMinutes(90));
  }

  @Test
  void everyReadingOfFullIsTakenInTwoJvms() {
    LockExperiment locks = new LockExperiment();

    assertThat(Scale.FULL.forks()).isGreaterThanOrEqualTo(2);
    assertThat(locks.steps(Scale.FULL))
        .isEqualTo(Scale.FULL.forks() * CellPlan.of(Scale.FULL).size());
  }

  @Test
  void eachExperimentAndTheSumHaveALine() {
    List<String> lines = plan(Scale.FULL).lines();

    assertThat(lines).hasSize(Suite.all().size() + 1);
    assertThat(lines.get(0)).startsWith("locks ").contains(" min, ");
    assertThat(lines.get(lines.size() - 1)).startsWith("all ");
  }

  @Test
  void wordsThatAskForNothingAreAnsweredWithTheUsage() {
    for (List<String> words :
        List.of(List.<String>of(), List.of("fast"), List.of("quick", "nonsense"))) {
      assertThatThrownBy(() -> Suite.plan(words))
          .hasMessageStartingWith("Usage: Suite quick|full [experiment ...]")
          .hasMessageContaining("warm-start-file");
    }
    assertThat(Suite.plan(List.of("quick", "cost", "peers")).experiments())
        .extracting(Experiment::name)
        .containsExactly("cost", "peers");
  }

  @Test
  void theDocumentationNamesEachExperiment() throws IOException {
    String page = Files.readString(Path.of("..", "docs", "benchmarks.md"));

    assertThat(Suite.all())
        .extracting(Experiment::name)
        .doesNotHaveDuplicates()
        .allSatisfy(name -> assertThat(page).contains("`" + name + "`"));
  }
}
