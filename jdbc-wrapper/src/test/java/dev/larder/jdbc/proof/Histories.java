package dev.larder.jdbc.proof;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.jdbc.proof.history.Anomaly;
import dev.larder.jdbc.proof.history.Line;
import dev.larder.jdbc.proof.workload.Client;
import dev.larder.jdbc.proof.workload.WriteKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What the tests that check histories of random transactions have in common. */
final class Histories {
  static final long SEED = Long.getLong("larder.proof.seed", System.nanoTime() % 1_000_000);

  /** How long a run takes that changes one of the options. */
  static final long KEYS_SECONDS = Long.getLong("larder.proof.keys.seconds", 20);

  /** From how many seconds on a run must have done everything. */
  static final long LONG = 120;

  private static final Integer[] COMMITTING =
      EnumSet.complementOf(
              EnumSet.of(
                  WriteKind.ROLLED_BACK, WriteKind.FAILED, WriteKind.TRIGGER, WriteKind.SCHEME))
          .stream()
          .map(Enum::ordinal)
          .toArray(Integer[]::new);

  /** Of every run of this JVM: a run that is repeated must not hide what the first one found. */
  private static final List<Anomaly> FOUND = new ArrayList<>();

  private Histories() {}

  /** Requires that a run found nothing, and that it could have found something. */
  static void check(ProofReport report, long seconds, long reads) {
    System.out.println(report.summary() + "\n" + report.kinds());
    System.out.println(report.totals());
    FOUND.addAll(report.anomalies());
    assertThat(FOUND).as("anomalies with seed %s", SEED).isEmpty();
    assertThat(report.hits()).as("hits").isPositive();
    assertThat(report.counts().concurrentReads()).as("reads during a commit").isPositive();
    assertThat(report.counts().reads()).as("reads checked").isGreaterThanOrEqualTo(reads);
    if (seconds >= LONG) {
      assertThat(report.counts().kinds()).as("kinds of writes").containsKeys(COMMITTING);
    }
  }

  /** Returns a run of all kinds of writes with the usual windows. */
  static ProofRun settings(
      long seconds, Client.Pace pace, @Nullable Line favourite, String option) {
    return new ProofRun(
        new ProofRun.Settings(
            SEED,
            Duration.ofSeconds(seconds),
            Duration.ofMillis(1200),
            pace,
            Set.of(),
            favourite,
            false,
            null,
            option));
  }
}
