package dev.larder.jdbc.hit;

import dev.larder.jdbc.TestDatabase;
import org.junit.jupiter.api.Test;

/** What a cold query costs the server that many threads ask for at once. */
final class StampedeTest {
  @Test
  void theServerRunsForTwoHundredThreadsWhatItRunsForOne() throws Exception {
    try (TestDatabase database = TestDatabase.create()) {
      Stampede.of(200, database);
    }
  }
}
