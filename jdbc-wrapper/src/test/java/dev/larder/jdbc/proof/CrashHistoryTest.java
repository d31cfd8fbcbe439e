package dev.larder.jdbc.proof;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.jdbc.CrashingServer;
import dev.larder.jdbc.proof.workload.Client;
import dev.larder.jdbc.proof.workload.WriteKind;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The history of a server that is stopped at once ({@code immediate}) and started again while
 * everybody works, time and again: see {@code docs/proof.md}.
 */
@Tag("proof")
final class CrashHistoryTest {
  private static final long SECONDS = Long.getLong("larder.proof.crash.seconds", 6);
  private static final long SEED = Long.getLong("larder.proof.seed", System.nanoTime() % 1_000_000);

  /** Those that know their versions before they send a commit. */
  private static final Set<WriteKind> KINDS =
      Set.of(
          WriteKind.EXPLICIT,
          WriteKind.SAVEPOINT,
          WriteKind.ROLLED_BACK,
          WriteKind.BATCH,
          WriteKind.DELETES,
          WriteKind.COPY,
          WriteKind.UPDATABLE);

  @TempDir private Path directory;

  @Test
  void everyReadIsOneThatTheDatabaseCouldHaveAnswered() throws Exception {
    System.out.println("proof: seed " + SEED + " (-Dlarder.proof.seed), " + SECONDS + " s");
    try (CrashingServer server = CrashingServer.start(directory)) {
      ProofReport report =
          new ProofRun(
                  new ProofRun.Settings(
                      SEED,
                      Duration.ofSeconds(SECONDS),
                      Duration.ofMillis(700),
                      new Client.Pace(20, 5),
                      KINDS,
                      null,
                      false,
                      server))
              .run(() -> {});

      System.out.println(report.summary() + "\n" + report.kinds());
      System.out.println(report.totals());
      assertThat(report.anomalies()).as("anomalies with seed %s", SEED).isEmpty();
      assertThat(report.hits()).as("hits").isPositive();
      assertThat(report.faults()).as("crashes").isPositive();
      assertThat(report.counts().concurrentReads()).as("reads during a commit").isPositive();
    }
  }
}
