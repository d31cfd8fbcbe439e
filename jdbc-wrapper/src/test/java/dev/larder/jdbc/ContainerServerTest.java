package dev.larder.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** With {@code -Ptestcontainers} the tests' databases are in a container, and not embedded. */
@Tag("docker")
final class ContainerServerTest {
  @Test
  void databasesOfTheTestsAreInTheContainer() throws Exception {
    assertThat(ContainerServer.isWanted()).as("-Ptestcontainers").isTrue();
    try (TestDatabase database = TestDatabase.create()) {
      assertThat(database.queryString("SELECT inet_server_port()")).isEqualTo("5432");
      assertThat(database.port()).as("on this machine").isNotEqualTo(5432);
    }
  }
}
