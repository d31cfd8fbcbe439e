package dev.larder.jdbc.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.jdbc.TestDatabase;
import java.sql.Connection;
import java.sql.DriverManager;
import org.junit.jupiter.api.Test;

class DriverCheckTest {
  @Test
  void driverOnTheClassPathIsSupported() throws Exception {
    try (TestDatabase database = TestDatabase.create();
        Connection connection = DriverManager.getConnection(database.url())) {
      Connection closed = DriverManager.getConnection(database.url());
      closed.close();
      PostgresResults.unsupportedReason(closed); // Proves nothing.
      assertThat(PostgresResults.unsupportedReason(connection)).isNull();
    }
  }
}
