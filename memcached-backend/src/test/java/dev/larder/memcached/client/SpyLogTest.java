package dev.larder.memcached.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.memcached.spy.QuietLogger;
import net.spy.memcached.compat.log.LoggerFactory;
import org.junit.jupiter.api.Test;

class SpyLogTest {
  @Test
  void spymemcachedMakesTheLogger() {
    SpyLog.useLoggingOfTheJdk();
    assertThat(LoggerFactory.getLogger(SpyLogTest.class)).isInstanceOf(QuietLogger.class);
    assertThat(System.getProperty("net.spy.log.LoggerImpl")).as("for others").isNull();
  }
}
