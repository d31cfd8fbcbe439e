package dev.larder.jdbc.proof;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.jdbc.proof.history.Anomaly;
import dev.larder.jdbc.proof.workload.Client;
import dev.larder.jdbc.proof.workload.WriteKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Random transactions on a real server through Larder, whose history is checked: see {@code
 * docs/proof.md}.
 */
@Tag("proof")
@Tag("any-server")
final class HistoryCheckTest {
  private static final long SECONDS = Long.getLong("larder.proof.seconds", 20);
  private static final long SEED = Long.getLong("larder.proof.seed", System.nanoTime() % 1_000_000);

  /** How many reads a run must have checked. */
  private static final long READS = Long.getLong("larder.proof.reads", 1);

  /** From how many seconds on a run must have done everything. */
  private static final long LONG = 120;

  private static final Integer[] COMMITTING =
      EnumSet.complementOf(EnumSet.of(WriteKind.ROLLED_BACK, WriteKind.FAILED, WriteKind.TRIGGER))
          .stream()
          .map(Enum::ordinal)
          .toArray(Integer[]::new);

  /** Of every run of this JVM: a run that is repeated must not hide what the first one found. */
  private static final List<Anomaly> FOUND = new ArrayList<>();

  @Test
  void everyReadIsOneThatTheDatabaseCouldHaveAnswered() throws Exception {
    System.out.println("proof: seed " + SEED + " (-Dlarder.proof.seed), " + SECONDS + " s");
    ProofReport report = run(SEED, SECONDS);

    System.out.println(report.summary() + "\n" + report.kinds());
    System.out.println(report.totals());
    FOUND.addAll(report.anomalies());
    assertThat(FOUND).as("anomalies with seed %s", SEED).isEmpty();
    assertThat(report.hits()).as("hits").isPositive();
    assertThat(report.counts().concurrentReads()).as("reads during a commit").isPositive();
    assertThat(report.counts().reads()).as("reads checked").isGreaterThanOrEqualTo(READS);
    if (SECONDS >= LONG) {
      assertThat(report.hitRatio()).as("part of the queries that were hits").isGreaterThan(0.5);
      assertThat(report.counts().kinds()).as("kinds of writes").containsKeys(COMMITTING);
    }
  }

  static ProofReport run(long seed, long seconds) throws Exception {
    return new ProofRun(
            new ProofRun.Settings(
                seed,
                Duration.ofSeconds(seconds),
                Duration.ofMillis(1200),
                new Client.Pace(2, 2),
                Set.of(),
                null,
                false,
                null))
        .run(() -> {});
  }
}
