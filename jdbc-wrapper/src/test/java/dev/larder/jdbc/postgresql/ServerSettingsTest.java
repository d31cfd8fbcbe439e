package dev.larder.jdbc.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.jdbc.TestDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Every setting that a session can change has been looked at. */
final class ServerSettingsTest {
  private static final String CHANGEABLE =
      "SELECT lower(name) FROM pg_settings WHERE name NOT LIKE '%.%'"
          + " AND context IN ('user', 'superuser', 'backend', 'superuser-backend')";

  @Test
  void everySettingOfAServerIsPartOfTheKeyOrKnownNotToMatter() throws SQLException {
    List<String> unknown = new ArrayList<>();
    List<String> twice = new ArrayList<>();
    try (TestDatabase database = TestDatabase.create();
        Connection connection = database.connect();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(CHANGEABLE)) {
      while (row.next()) {
        String name = row.getString(1);
        boolean read = ServerSettings.isAlwaysRead(name);
        boolean irrelevant = ServerSettings.isIrrelevant(name);
        (read ? twice : unknown).add(read == irrelevant ? name : "");
      }
    }
    assertThat(unknown).as("decide whether they decide rows").containsOnly("");
    assertThat(twice).containsOnly("");
  }

  @Test
  void aSettingThatNobodyHasLookedAtIsNotTakenForHarmless() {
    assertThat(ServerSettings.isIrrelevant("enable_something_new")).isFalse();
    assertThat(ServerSettings.isIrrelevant("log_context.tenant")).isFalse();
  }

  @Test
  void onlyATimeoutThatIsSurelyLongIsTakenForLong() {
    assertThat(List.of("0", "1000", "30000", "1s", "5 min", "2h"))
        .allMatch(ServerSettings::isLongTimeout);
    assertThat(List.of("1", "999", "0999", "1500us", "0.5s", "5000 us", "0x10", "default", ""))
        .noneMatch(ServerSettings::isLongTimeout);
  }
}
