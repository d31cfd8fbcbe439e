package dev.larder.jdbc.proof;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.jdbc.proof.history.Line;
import dev.larder.jdbc.proof.workload.Client;
import dev.larder.jdbc.proof.workload.WriteKind;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Random transactions on a real server through Larder, whose history is checked: see {@code
 * docs/proof.md}.
 */
@Tag("proof")
@Tag("regression")
final class HistoryCheckTest {
  private static final long SECONDS = Long.getLong("larder.proof.seconds", 20);

  /** How many reads a run must have checked. */
  private static final long READS = Long.getLong("larder.proof.reads", 1);

  @Test
  void everyReadIsOneThatTheDatabaseCouldHaveAnswered() throws Exception {
    System.out.println(
        "proof: seed " + Histories.SEED + " (-Dlarder.proof.seed), " + SECONDS + " s");
    ProofReport report =
        Histories.settings(SECONDS, new Client.Pace(2, 2), null, "larder.invalidation=table")
            .untilReads(READS)
            .run(() -> {});

    Histories.check(report, SECONDS, READS);
    if (SECONDS >= Histories.LONG) {
      assertThat(report.hitRatio()).as("part of the queries that were hits").isGreaterThan(0.5);
    }
  }

  /** Indexes, keys and types of columns come and go, through Larder and past it. */
  @Test
  void everyReadIsOneThatTheDatabaseCouldHaveAnsweredWhereSchemesChange() throws Exception {
    System.out.println(
        "proof: seed " + Histories.SEED + ", schemes change, " + Histories.KEYS_SECONDS + " s");
    ProofRun run =
        new ProofRun(
            new ProofRun.Settings(
                Histories.SEED,
                Duration.ofSeconds(Histories.KEYS_SECONDS),
                Duration.ofMillis(3000),
                new Client.Pace(4, 4),
                Set.of(WriteKind.SCHEME, WriteKind.AUTOCOMMIT, WriteKind.EXPLICIT),
                Line.HOT_1,
                false,
                null,
                "larder.invalidation=key"));
    ProofReport report = run.run(() -> {});

    System.out.println("proof: hits by key=" + run.narrowedHits());
    Histories.check(report, 0, 1);
    assertThat(run.narrowedHits()).as("hits by key").isPositive();
    assertThat(report.counts().kinds())
        .as("kinds of writes")
        .containsKeys(WriteKind.SLOW.ordinal());
  }
}
