package dev.larder.jdbc.proof;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.jdbc.proof.workload.Client;
import dev.larder.jdbc.proof.workload.WriteKind;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * {@code larder.verify} under the random transactions of the history checker: it takes nothing for
 * a wrong row that is none, and notices a step of the protocol that is left out.
 */
@Tag("proof")
final class VerifiedHistoryTest {
  private static final long SECONDS = Long.getLong("larder.proof.verified.seconds", 20);
  private static final long SEED = Long.getLong("larder.proof.seed", System.nanoTime() % 1_000_000);
  private static final long LIMIT_SECONDS = 60;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "larder.verify=0.5",
        "larder.verify=0.5&larder.invalidation=key",
        "larder.mode=observe"
      })
  void nothingIsTakenForAWrongRow(String option) throws Exception {
    ProofRun run =
        new ProofRun(
            new ProofRun.Settings(
                SEED,
                Duration.ofSeconds(SECONDS),
                Duration.ofMillis(1200),
                new Client.Pace(2, 2),
                Set.<WriteKind>of(),
                null,
                true,
                null,
                option));
    ProofReport report = run.run(() -> {});

    System.out.printf(
        "proof: seed %d, %,d hits, %,d verified, %d wrong%n",
        SEED, report.hits(), run.verifiedHits(), run.wrongHits());
    assertThat(run.wrongHits()).as("wrong hits with seed %s", SEED).isZero();
    assertThat(report.anomalies()).as("anomalies with seed %s", SEED).isEmpty();
    assertThat(run.verifiedHits()).as("verified hits").isPositive();
    assertThat(report.hits()).as("hits").isPositive();
  }

  /**
   * All but thirteen: a hit that is verified takes the very locks that two of them are about, three
   * need the catalog to change between two steps of another thread, and three a write between the
   * answer and what is captured after it; these may take minutes. And a result is compared only
   * while its stamps hold, so that nobody notices that they were not looked at, be it at a look-up
   * or after a wait; results that may be outdated are not compared.
   */
  @ParameterizedTest
  @Tag("mutants")
  @EnumSource(
      mode = EnumSource.Mode.EXCLUDE,
      names = {
        "LOCK_FOR_REPEATABLE_READ",
        "FORGET_LOCKS_AT_ROLLBACK_TO",
        "COMPARE_CATALOG",
        "WIDEN_PENDING",
        "WITHDRAW_CATALOG",
        "COMPARE_LATE_TAGS",
        "DATE_LATE_TAGS",
        "CAPTURE_LATE_IF_PLAIN",
        "COUNT_ANNOUNCES",
        "LOOK_UP_AFTER_WAIT",
        "LIMIT_OUTDATED",
        "KEEP_SESSIONS_FORWARD",
        "SEE_OWN_WRITES"
      })
  void aStepThatIsLeftOutIsNoticed(Mutant mutant) throws Exception {
    ProofRun run =
        new ProofRun(
            new ProofRun.Settings(
                1,
                Duration.ofSeconds(LIMIT_SECONDS),
                mutant.window(),
                mutant.pace(),
                mutant.focus(),
                mutant.favourite(),
                true,
                null,
                "larder.verify=1&" + mutant.option()));
    ProofReport report;
    try {
      report = run.run(() -> mutant.leaveOut(true));
    } finally {
      mutant.leaveOut(false);
    }
    System.out.printf(
        "proof: without %s: %d wrong hits after %.1f s and %,d verified ones%n",
        mutant, run.wrongHits(), report.length().toMillis() / 1000.0, run.verifiedHits());
    assertThat(run.wrongHits()).as("wrong hits without %s", mutant).isPositive();
  }
}
