package dev.larder.jdbc.hit;

import dev.larder.jdbc.TestDatabase;
import dev.larder.jdbc.TestServer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** As {@link StampedeTest}, with as many connections as a server can just bear. */
@Tag("proof")
final class LargeStampedeTest {
  @Test
  void theServerRunsForAThousandThreadsWhatItRunsForOne() throws Exception {
    try (TestServer server = TestServer.start("max_connections=1100");
        TestDatabase database = TestDatabase.createOn(server)) {
      Stampede.of(1_000, database);
    }
  }
}
