package dev.larder.jdbc.proof;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.jdbc.proof.history.Anomaly;
import dev.larder.jdbc.proof.history.Line;
import dev.larder.jdbc.proof.workload.Client;
import dev.larder.jdbc.proof.workload.WriteKind;
import dev.larder.jdbc.statement.ForcedFlights;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random transactions on a real server through Larder, whose history is checked: see {@code
 * docs/proof.md}.
 */
@Tag("proof")
@Tag("any-server")
final class HistoryCheckTest {
  private static final long SECONDS = Long.getLong("larder.proof.seconds", 20);
  private static final long SEED = Long.getLong("larder.proof.seed", System.nanoTime() % 1_000_000);

  /** How long a run by key takes, for each number of cells. */
  private static final long KEYS_SECONDS = Long.getLong("larder.proof.keys.seconds", 20);

  private static final Duration STALENESS = Duration.ofMillis(200);

  /** How many reads a run must have checked. */
  private static final long READS = Long.getLong("larder.proof.reads", 1);

  /** From how many seconds on a run must have done everything. */
  private static final long LONG = 120;

  private static final Integer[] COMMITTING =
      EnumSet.complementOf(
              EnumSet.of(
                  WriteKind.ROLLED_BACK, WriteKind.FAILED, WriteKind.TRIGGER, WriteKind.SCHEME))
          .stream()
          .map(Enum::ordinal)
          .toArray(Integer[]::new);

  /** Of every run of this JVM: a run that is repeated must not hide what the first one found. */
  private static final List<Anomaly> FOUND = new ArrayList<>();

  @Test
  void everyReadIsOneThatTheDatabaseCouldHaveAnswered() throws Exception {
    System.out.println("proof: seed " + SEED + " (-Dlarder.proof.seed), " + SECONDS + " s");
    ProofReport report =
        settings(SECONDS, new Client.Pace(2, 2), null, "larder.invalidation=table").run(() -> {});

    check(report, SECONDS, READS);
    if (SECONDS >= LONG) {
      assertThat(report.hitRatio()).as("part of the queries that were hits").isGreaterThan(0.5);
    }
  }

  /**
   * With cells that nearly all values share, the usual number of them, and one for each value. With
   * the fewest cells the queries must pay, too, so that their admission comes and goes.
   */
  @ParameterizedTest
  @ValueSource(ints = {4, 4_096, 1 << 20})
  void everyReadIsOneThatTheDatabaseCouldHaveAnsweredByKey(int cells) throws Exception {
    System.out.printf(
        "proof: seed %d (-Dlarder.proof.seed), by key with %,d cells, %d s%n",
        SEED, cells, KEYS_SECONDS);
    ProofRun run =
        settings(
            KEYS_SECONDS,
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
    check(report, KEYS_SECONDS, 1);
    assertThat(run.narrowedHits()).as("hits by key").isGreaterThan(report.hits() / 4);
  }

  /** However fast a query is, one of several that miss it at once asks for all. */
  @ParameterizedTest
  @ValueSource(strings = {"table", "key"})
  void everyReadIsOneThatTheDatabaseCouldHaveAnsweredWhereMissesWait(String invalidation)
      throws Exception {
    System.out.printf(
        "proof: seed %d (-Dlarder.proof.seed), misses wait, by %s, %d s%n",
        SEED, invalidation, KEYS_SECONDS);
    boolean byKey = invalidation.equals("key");
    ProofRun run =
        settings(
            KEYS_SECONDS,
            new Client.Pace(40, 6),
            byKey ? Line.LISTED : null,
            "larder.invalidation=" + invalidation);
    ForcedFlights.force(Duration.ofMillis(20));
    ProofReport report;
    try {
      report = run.run(() -> {});
    } finally {
      ForcedFlights.force(Duration.ZERO);
    }

    System.out.println("proof: hits after a wait=" + run.flightHits());
    check(report, 0, 1);
    assertThat(run.flightHits()).as("hits after a wait").isPositive();
  }

  /** Indexes, keys and types of columns come and go, through Larder and past it. */
  @Test
  void everyReadIsOneThatTheDatabaseCouldHaveAnsweredWhereSchemesChange() throws Exception {
    System.out.println("proof: seed " + SEED + ", schemes change, " + KEYS_SECONDS + " s");
    ProofRun run =
        new ProofRun(
            new ProofRun.Settings(
                SEED,
                Duration.ofSeconds(KEYS_SECONDS),
                Duration.ofMillis(3000),
                new Client.Pace(4, 4),
                Set.of(WriteKind.SCHEME, WriteKind.AUTOCOMMIT, WriteKind.EXPLICIT),
                Line.HOT_1,
                false,
                null,
                "larder.invalidation=key"));
    ProofReport report = run.run(() -> {});

    System.out.println("proof: hits by key=" + run.narrowedHits());
    check(report, 0, 1);
    assertThat(run.narrowedHits()).as("hits by key").isPositive();
    assertThat(report.counts().kinds())
        .as("kinds of writes")
        .containsKeys(WriteKind.SLOW.ordinal());
  }

  /**
   * No row is older than declared, and none takes its session back. Only what may be outdated for a
   * short time is ever asked for again in the background: writes come in bursts.
   */
  @ParameterizedTest
  @CsvSource({"table, 200", "key, 200", "key, 40"})
  void everyReadIsAtMostAsOutdatedAsDeclared(String invalidation, long millis) throws Exception {
    System.out.printf(
        "proof: seed %d (-Dlarder.proof.seed), outdated by %d ms at most, by %s, %d s%n",
        SEED, millis, invalidation, KEYS_SECONDS);
    Duration most = Duration.ofMillis(millis);
    ProofRun run = outdated(KEYS_SECONDS, invalidation, most, most, false);
    ProofReport report = run.run(() -> {});

    System.out.printf(
        "proof: outdated hits=%d, replaced in the background=%d%n",
        run.staleHits(), run.staleRefreshes());
    check(report, 0, 1);
    assertThat(run.staleHits()).as("outdated hits").isPositive();
    if (most.compareTo(STALENESS) < 0) {
      assertThat(run.staleRefreshes()).as("replaced in the background").isPositive();
    }
  }

  @Test
  void aReadThatIsMoreOutdatedThanDeclaredIsFound() throws Exception {
    ProofRun run = outdated(120, "table", STALENESS, STALENESS.dividedBy(4), true);
    ProofReport report = run.run(() -> {});

    assertThat(report.anomalies()).as("anomalies with seed %s", SEED).isNotEmpty();
  }

  /** Hot queries are also asked by Larder itself, as after a start. */
  @ParameterizedTest
  @ValueSource(strings = {"table", "key"})
  void everyReadIsOneThatTheDatabaseCouldHaveAnsweredBesideAWarmStart(String invalidation)
      throws Exception {
    System.out.printf(
        "proof: seed %d (-Dlarder.proof.seed), warm start, by %s, %d s%n",
        SEED, invalidation, KEYS_SECONDS);
    ProofRun run =
        settings(
            KEYS_SECONDS,
            new Client.Pace(8, 6, 5),
            invalidation.equals("key") ? Line.LISTED : null,
            "larder.invalidation=" + invalidation + "&" + ProofRun.WARMED + "=1000");
    ProofReport report = run.run(() -> {});

    System.out.println("proof: asked in the background=" + run.warmed());
    check(report, 0, 1);
    assertThat(run.warmed()).as("asked in the background").isPositive();
  }

  private static ProofRun outdated(
      long seconds, String invalidation, Duration staleness, Duration bound, boolean untilAnomaly) {
    return new ProofRun(
        new ProofRun.Settings(
                SEED,
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

  private static void check(ProofReport report, long seconds, long reads) {
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

  private static ProofRun settings(
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
