package dev.larder.jdbc.proof;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.jdbc.proof.history.Line;
import dev.larder.jdbc.proof.workload.WriteKind;
import dev.larder.store.ProtocolStep;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The history checker notices when any step of the protocol is left out. */
@Tag("mutants")
final class MutantsTest {
  /**
   * Left out by FlightMutantsTest, SettingMutantsTest, ReadSettingsMutantsTest,
   * ParsedBeforeMutantsTest and HeldBackMutantsTest; by SharedLeaseTest of the module
   * memcached-backend; and by FeedMutantsTest and VisibilityHolesTest of the module change-feed.
   */
  private static final List<Set<ProtocolStep>> ELSEWHERE =
      List.of(
          EnumSet.range(ProtocolStep.NAME_ROLES_IN_KEYS, ProtocolStep.COUNT_VAIN_RUNS),
          EnumSet.range(ProtocolStep.RELEASE_LEASES, ProtocolStep.VALIDATE_SHARED),
          EnumSet.range(ProtocolStep.PUBLISH_WHEN_VISIBLE, ProtocolStep.BYPASS_SNAPSHOTS),
          EnumSet.range(ProtocolStep.KEEP_LOCAL_APART, ProtocolStep.SEND_WHAT_WAS_HELD));

  private static final long LIMIT_SECONDS = 180;
  private static final long SEED = Long.getLong("larder.proof.seed", 1);

  /** Which of them are tried: a list of their names, or all. */
  private static final String NAMES = System.getProperty("larder.proof.mutants", "");

  static Stream<Mutant> mutants() {
    List<String> names = List.of(NAMES.split(","));
    return Arrays.stream(Mutant.values())
        .filter(mutant -> NAMES.isEmpty() || names.contains(mutant.name()));
  }

  @ParameterizedTest
  @MethodSource("mutants")
  void isCaughtWithinThreeMinutes(Mutant mutant) throws Exception {
    ProofReport report = run(mutant, LIMIT_SECONDS);

    System.out.printf(
        "proof: without %s: %s after %.1f s and %,d reads%n",
        mutant,
        report.anomalies().isEmpty() ? "nothing found" : report.anomalies().get(0).rule(),
        report.length().toMillis() / 1000.0,
        report.counts().reads());
    assertThat(report.anomalies()).as("anomalies without %s, seed %s", mutant, SEED).isNotEmpty();
    System.out.println("proof: mutants killed=1");
  }

  /** A writer of the old catalog and a reader of the new one would not meet. */
  @ParameterizedTest
  @EnumSource(names = {"WIDEN_PENDING", "COMPARE_CATALOG"})
  void isCaughtWhereSchemesChange(Mutant mutant) throws Exception {
    ProofRun run =
        new ProofRun(
            new ProofRun.Settings(
                SEED,
                Duration.ofSeconds(2 * LIMIT_SECONDS), // A change of the catalog takes a while.
                mutant.window(),
                mutant.pace(),
                Set.of(WriteKind.SCHEME),
                Line.HOT_1,
                true,
                null,
                "larder.invalidation=key"));
    ProofReport report;
    try {
      report = run.run(() -> mutant.leaveOut(true));
    } finally {
      mutant.leaveOut(false);
    }

    System.out.printf(
        "proof: without %s where schemes change: %s after %.1f s and %,d reads%n",
        mutant,
        report.anomalies().isEmpty() ? "nothing found" : report.anomalies().get(0).rule(),
        report.length().toMillis() / 1000.0,
        report.counts().reads());
    assertThat(report.anomalies()).as("anomalies without %s, seed %s", mutant, SEED).isNotEmpty();
    System.out.println("proof: mutants killed=1");
  }

  @Test
  void everyStepIsLeftOutByAMutantAndTakenOtherwise() {
    assertThat(Arrays.stream(Mutant.values()).map(Mutant::name))
        .containsExactlyInAnyOrder(
            Arrays.stream(ProtocolStep.values())
                .filter(step -> ELSEWHERE.stream().noneMatch(steps -> steps.contains(step)))
                .map(ProtocolStep::name)
                .toArray(String[]::new));
    assertThat(ProtocolStep.values()).allMatch(ProtocolStep::isTaken);
  }

  static ProofReport run(Mutant mutant, long seconds) throws Exception {
    ProofRun.Settings settings =
        new ProofRun.Settings(
            SEED,
            Duration.ofSeconds(seconds),
            mutant.window(),
            mutant.pace(),
            mutant.focus(),
            mutant.favourite(),
            true,
            null,
            mutant.option());
    Duration staleness = mutant.staleness();
    ProofRun run =
        new ProofRun(staleness.isZero() ? settings : settings.outdated(staleness, staleness));
    try {
      return run.run(() -> mutant.leaveOut(true));
    } finally {
      mutant.leaveOut(false);
    }
  }
}
