package dev.larder.jdbc.proof;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.jdbc.proof.history.Line;
import dev.larder.jdbc.proof.workload.Client;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** As {@link HistoryCheckTest}, where results may be outdated for a declared time. */
@Tag("proof")
final class HistoryStalenessTest {
  private static final Duration STALENESS = Duration.ofMillis(200);

  /**
   * No row is older than declared, and none takes its session back. Only what may be outdated for a
   * short time is ever asked for again in the background: writes come in bursts.
   */
  @ParameterizedTest
  @CsvSource({"table, 200", "key, 200", "key, 40"})
  void everyReadIsAtMostAsOutdatedAsDeclared(String invalidation, long millis) throws Exception {
    System.out.printf(
        "proof: seed %d (-Dlarder.proof.seed), outdated by %d ms at most, by %s, %d s%n",
        Histories.SEED, millis, invalidation, Histories.KEYS_SECONDS);
    Duration most = Duration.ofMillis(millis);
    ProofRun run = outdated(Histories.KEYS_SECONDS, invalidation, most, most, false);
    boolean refreshed = most.compareTo(STALENESS) < 0;
    ProofReport report =
        run.untilCounted(refreshed ? "stale_refreshes" : "stale_hits").run(() -> {});

    System.out.printf(
        "proof: outdated hits=%d, replaced in the background=%d%n",
        run.staleHits(), run.staleRefreshes());
    Histories.check(report, 0, 1);
    assertThat(run.staleHits()).as("outdated hits").isPositive();
    if (refreshed) {
      assertThat(run.staleRefreshes()).as("replaced in the background").isPositive();
    }
  }

  @Test
  void aReadThatIsMoreOutdatedThanDeclaredIsFound() throws Exception {
    ProofRun run = outdated(120, "table", STALENESS, STALENESS.dividedBy(4), true);
    ProofReport report = run.run(() -> {});

    assertThat(report.anomalies()).as("anomalies with seed %s", Histories.SEED).isNotEmpty();
  }

  private static ProofRun outdated(
      long seconds, String invalidation, Duration staleness, Duration bound, boolean untilAnomaly) {
    return new ProofRun(
        new ProofRun.Settings(
                Histories.SEED,
                Duration.ofSeconds(seconds),
                Duration.ofMillis(1200),
                new Client.Pace(40, 6),
                Set.of(),
                invalidation.equals("key") ? Line.LISTED : null,
                untilAnomaly,
                null,
                "larder.invalidation=" + invalidation)
            .outdated(staleness, bound));
  }
}
