package dev.larder.memcached.spy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class QuietLoggerTest {
  private static final String NAME = QuietLoggerTest.class.getName();

  private final Logger logger = Logger.getLogger(NAME);
  private final List<LogRecord> records = new ArrayList<>();
  private final Handler handler =
      new Handler() {
        @Override
        public void publish(LogRecord entry) {
          records.add(entry);
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  @BeforeEach
  void listen() {
    handler.setLevel(Level.ALL);
    logger.setUseParentHandlers(false);
    logger.addHandler(handler);
  }

  @AfterEach
  void end() {
    logger.removeHandler(handler);
    logger.setUseParentHandlers(true);
    logger.setLevel(null);
  }

  @Test
  void whatNobodyWantsIsNotEvenMadeAText() {
    logger.setLevel(Level.SEVERE);
    QuietLogger quiet = new QuietLogger(NAME);
    Object message =
        new Object() {
          @Override
          public String toString() {
            throw new AssertionError("made a text");
          }
        };
    quiet.debug(message);
    quiet.info(message);
    quiet.warn(message);
    assertThat(records).isEmpty();
    assertThat(quiet.isDebugEnabled()).isFalse();
    assertThat(quiet.isInfoEnabled()).isFalse();
  }

  @Test
  void everyLevelHasItsOwn() {
    logger.setLevel(Level.ALL);
    QuietLogger quiet = new QuietLogger(NAME);
    RuntimeException thrown = new RuntimeException("why");
    quiet.trace("t");
    quiet.debug("d");
    quiet.info("i");
    quiet.warn("w");
    quiet.error("e", thrown);
    quiet.fatal("f");
    assertThat(records)
        .extracting(LogRecord::getLevel)
        .containsExactly(
            Level.FINEST, Level.FINE, Level.INFO, Level.WARNING, Level.SEVERE, Level.SEVERE);
    assertThat(records)
        .extracting(LogRecord::getMessage)
        .containsExactly("t", "d", "i", "w", "e", "f");
    assertThat(records.get(4).getThrown()).isSameAs(thrown);
    assertThat(quiet.isTraceEnabled()).isTrue();
  }
}
