package dev.larder.jdbc.proof.suite;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * SQL files through Larder and past it: those of {@code -Dlarder.suite}, or a few of our own. See
 * {@code docs/proof-suites.md}.
 */
@Tag("gate")
@Tag("each-server")
final class SqlSuiteTest {
  private static final String OWN = "src/test/resources/dev/larder/jdbc/proof/suite/sql";
  private static final Path FOLDER = Path.of(System.getProperty("larder.suite", OWN));
  private static final String FILES = System.getProperty("larder.suite.files", ".*");
  private static final long PAST = Long.getLong("larder.suite.past", 0);

  /** So many answers may be otherwise than those of the bare servers. */
  private static final long DIFFERENCES = Long.getLong("larder.suite.differences", 0);

  @AutoClose private static SqlSuite suite;

  @BeforeAll
  static void start() throws IOException {
    suite = new SqlSuite();
  }

  @Test
  void everyHitIsWhatTheServerSays() throws Exception {
    SuiteCounts counts = suite.run(FOLDER, FILES, Path.of("target", "suite"), PAST);
    System.out.println(counts.summary());
    assertThat(counts.hits).as("hits compared").isPositive();
    if (PAST > 0) {
      assertThat(counts.stale).as("stale rows after writes past Larder").isPositive();
      return;
    }
    assertThat(counts.stale).as("hits that the server contradicts").isZero();
    assertThat(SuiteCounts.sum(counts.differences))
        .as("answers otherwise than the bare servers': see target/suite/differences.txt")
        .isLessThanOrEqualTo(DIFFERENCES);
  }

  @Test
  void writesPastLarderAreNoticed() throws Exception {
    SuiteCounts counts = suite.run(Path.of(OWN), ".*", Path.of("target", "suite-past"), 1);
    assertThat(counts.past).as("writes past Larder").isPositive();
    assertThat(counts.stale).as("stale rows after them").isPositive();
  }
}
