package dev.larder.jdbc.proof;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.jdbc.hit.ForcedFlights;
import dev.larder.jdbc.proof.history.Line;
import dev.larder.jdbc.proof.workload.Client;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** As {@link HistoryCheckTest}, where results are kept and filled in other ways. */
@Tag("proof")
final class HistoryOptionsTest {
  /**
   * With cells that nearly all values share, the usual number of them, and one for each value. With
   * the fewest cells the queries must pay, too, so that their admission comes and goes.
   */
  @ParameterizedTest
  @ValueSource(ints = {4, 4_096, 1 << 20})
  void everyReadIsOneThatTheDatabaseCouldHaveAnsweredByKey(int cells) throws Exception {
    System.out.printf(
        "proof: seed %d (-Dlarder.proof.seed), by key with %,d cells, %d s%n",
        Histories.SEED, cells, Histories.KEYS_SECONDS);
    ProofRun run =
        Histories.settings(
            Histories.KEYS_SECONDS,
            new Client.Pace(8, 6, 5),
            Line.LISTED,
            "larder.invalidation=key&larder.admission=" + (cells == 4 ? "profit" : "all"));
    ProofReport report;
    Cells.force(cells);
    try {
      report = run.run(() -> {});
    } finally {
      Cells.force(0);
    }

    System.out.println("proof: hits by key=" + run.narrowedHits());
    Histories.check(report, Histories.KEYS_SECONDS, 1);
    assertThat(run.narrowedHits()).as("hits by key").isGreaterThan(report.hits() / 4);
  }

  /** However fast a query is, one of several that miss it at once asks for all. */
  @ParameterizedTest
  @ValueSource(strings = {"table", "key"})
  void everyReadIsOneThatTheDatabaseCouldHaveAnsweredWhereMissesWait(String invalidation)
      throws Exception {
    System.out.printf(
        "proof: seed %d (-Dlarder.proof.seed), misses wait, by %s, %d s%n",
        Histories.SEED, invalidation, Histories.KEYS_SECONDS);
    boolean byKey = invalidation.equals("key");
    ProofRun run =
        Histories.settings(
            Histories.KEYS_SECONDS,
            new Client.Pace(40, 6),
            byKey ? Line.LISTED : null,
            "larder.invalidation=" + invalidation);
    ForcedFlights.force(Duration.ofMillis(20));
    ProofReport report;
    try {
      report = run.untilCounted("flight_hits").run(() -> {});
    } finally {
      ForcedFlights.force(Duration.ZERO);
    }

    System.out.println("proof: hits after a wait=" + run.flightHits());
    Histories.check(report, 0, 1);
    assertThat(run.flightHits()).as("hits after a wait").isPositive();
  }

  /** Hot queries are also asked by Larder itself, as after a start. */
  @ParameterizedTest
  @ValueSource(strings = {"table", "key"})
  void everyReadIsOneThatTheDatabaseCouldHaveAnsweredBesideAWarmStart(String invalidation)
      throws Exception {
    System.out.printf(
        "proof: seed %d (-Dlarder.proof.seed), warm start, by %s, %d s%n",
        Histories.SEED, invalidation, Histories.KEYS_SECONDS);
    ProofRun run =
        Histories.settings(
            Histories.KEYS_SECONDS,
            new Client.Pace(8, 6, 5),
            invalidation.equals("key") ? Line.LISTED : null,
            "larder.invalidation=" + invalidation + "&" + ProofRun.WARMED + "=1000");
    ProofReport report = run.run(() -> {});

    System.out.println("proof: asked in the background=" + run.warmed());
    Histories.check(report, 0, 1);
    assertThat(run.warmed()).as("asked in the background").isPositive();
  }
}
