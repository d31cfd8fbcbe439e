package dev.larder.jdbc.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DriverCheckTest {
  @Test
  void driverOnTheClassPathIsSupported() {
    assertThat(PostgresResults.unsupportedReason()).isNull();
    assertThat(PostgresResults.supported()).isTrue();
  }
}
