package dev.larder.jdbc.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Sessions with random settings read through random policies, views, functions, operators and
 * casts, and get the rows that they get without a cache. {@code larder.proof.readers} is the number
 * of worlds, of eight programs each.
 */
final class ReadSettingsTest {
  private static final int WORLDS = Integer.getInteger("larder.proof.readers", 26);
  private static final int PROGRAMS = 8;
  private static final long SEED = Long.getLong("larder.proof.seed", 1);

  @Test
  void everySessionGetsItsOwnRows() throws SQLException {
    try (ReaderHunt hunt = new ReaderHunt(new Random(SEED))) {
      for (int i = 0; i < WORLDS; i++) {
        hunt.next();
        for (int j = 0; j < PROGRAMS; j++) {
          hunt.program();
        }
      }
      System.out.printf(
          "proof: read settings: programs=%d reads=%d hits=%d%n",
          WORLDS * PROGRAMS, hunt.reads, hunt.hits);
      assertThat(hunt.hits)
          .as("hits of %d reads, seed %d", hunt.reads, SEED)
          .isGreaterThan(hunt.reads / 4);
    }
  }
}
