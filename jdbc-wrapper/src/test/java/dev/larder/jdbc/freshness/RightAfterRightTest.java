package dev.larder.jdbc.freshness;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.jdbc.TestDatabase;
import dev.larder.jdbc.freshness.RightAfterRight.Pair;
import dev.larder.testing.Waiting;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A right that others give and take back before Larder has compared the catalog. */
@Tag("regression")
@Tag("each-server")
class RightAfterRightTest {
  private static final int PAIRS = Integer.getInteger("larder.rights.pairs", 200);
  private static final int DATABASES = 20;
  private static final Duration PROMISED = Duration.ofSeconds(6);

  private TestDatabase database;
  private RightAfterRight rights;

  @BeforeEach
  void create() throws SQLException {
    database = TestDatabase.create();
    rights = new RightAfterRight(database);
  }

  @AfterEach
  void drop() throws SQLException {
    rights.close();
    database.close();
  }

  @Test
  void whatWasReadWithTheRightIsNotReadWithoutIt() throws SQLException {
    List<String> kept = new ArrayList<>();
    for (Pair pair : rights.pairs()) {
      String query = rights.readsWith(pair, Duration.ZERO);
      try {
        Waiting.until(
            PROMISED,
            pair::toString,
            () -> {
              rights.compare();
              return rights.agrees(query);
            });
      } catch (AssertionError e) {
        kept.add(pair.there());
      }
    }
    assertThat(kept).isEmpty();
  }

  /** Each on a database of its own, so that many wait at once. */
  @Test
  @Tag("proof")
  void atRandomMoments() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(DATABASES);
    try {
      List<Callable<List<String>>> runs = new ArrayList<>();
      for (int seed = 0; seed < DATABASES; seed++) {
        Random random = new Random(seed);
        runs.add(() -> run(random));
      }
      for (Future<List<String>> kept : threads.invokeAll(runs)) {
        assertThat(kept.get()).isEmpty();
      }
    } finally {
      threads.shutdownNow();
    }
  }

  /** Returns the changes after which Larder answered otherwise than the driver. */
  private static List<String> run(Random random) throws SQLException {
    List<String> kept = new ArrayList<>();
    try (TestDatabase own = TestDatabase.create();
        RightAfterRight rights = new RightAfterRight(own)) {
      List<Pair> pairs = rights.pairs();
      for (int i = 0; i < PAIRS / DATABASES; i++) {
        Pair pair = pairs.get(random.nextInt(pairs.size()));
        Duration apart = Duration.ofMillis(random.nextInt((int) PROMISED.toMillis()));
        String query = rights.readsWith(pair, apart);
        Waiting.pass(PROMISED);
        if (!rights.agrees(query)) {
          kept.add(i + ": " + pair.there());
        }
      }
    }
    return kept;
  }
}
