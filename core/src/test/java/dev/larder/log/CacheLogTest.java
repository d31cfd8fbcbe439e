package dev.larder.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.log.CacheLog.Trouble;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a line of the log says. */
@Tag("each-jdk")
final class CacheLogTest {
  /** Keeps what is logged. */
  private static final class Kept extends Handler {
    private final List<String> lines = new ArrayList<>();

    @Override
    public void publish(LogRecord line) {
      lines.add(line.getMessage());
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }

  @Test
  void aCloserCureTakesThePlaceOfTheUsualOne() {
    Logger logger = Logger.getLogger("dev.larder");
    Kept kept = new Kept();
    logger.addHandler(kept);
    try {
      CacheLog.troubleToCure(Trouble.FEED_STANDBY, "a server: it is *", "do this");
      CacheLog.troubleToCure(Trouble.FEED_STANDBY, "a server: it is *", "not again so soon");
    } finally {
      logger.removeHandler(kept);
    }
    assertThat(kept.lines)
        .containsExactly(
            "LRD-032 the server would count the change feed as a synchronous standby; Larder goes"
                + " on without (a server: it is *). Cure: do this.");
  }
}
