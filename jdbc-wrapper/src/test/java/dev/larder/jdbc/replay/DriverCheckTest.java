package dev.larder.jdbc.replay;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DriverCheckTest {
  @Test
  void driverOnTheClassPathIsSupported() {
    assertThat(PostgresResults.unsupportedReason()).isNull();
    assertThat(PostgresResults.supported()).isTrue();
  }
}
