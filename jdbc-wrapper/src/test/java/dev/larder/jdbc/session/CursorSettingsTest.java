package dev.larder.jdbc.session;

import static dev.larder.jdbc.LarderProbe.rows;
import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.ProtocolFixture;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows that set something when they are fetched, of which Larder does not see all. */
final class CursorSettingsTest extends ProtocolFixture {
  private static final String AT = "SELECT at FROM event";
  private static final String SET =
      "SELECT set_config('TimeZone', zone, false) FROM zones ORDER BY id";

  @BeforeEach
  void createZones() throws SQLException {
    run(
        one,
        "CREATE TABLE event (at timestamptz)",
        "INSERT INTO event VALUES ('2020-01-01 12:00:00+00')",
        "CREATE TABLE zones (id int, zone text)",
        "INSERT INTO zones VALUES (1, 'UTC'), (2, 'Asia/Tokyo')");
    LarderProbe.awaitCatalog(one);
    for (String zone : List.of("Asia/Tokyo", "UTC")) {
      run(two, "SET TIME ZONE '" + zone + "'");
      LarderProbe.fill(two, AT);
    }
    for (Connection connection : List.of(one, past)) {
      run(connection, "SET TIME ZONE 'UTC'");
      connection.setAutoCommit(false);
    }
  }

  private static String twice(Connection connection) throws SQLException {
    return rows(connection, AT) + "" + rows(connection, AT);
  }

  private static List<String> inPortions(Connection connection) throws SQLException {
    List<String> said = new ArrayList<>();
    try (Statement statement = connection.createStatement()) {
      statement.setFetchSize(1);
      ResultSet result = statement.executeQuery(SET);
      while (result.next()) {
        said.add(twice(connection));
      }
    }
    connection.commit();
    said.add(twice(connection));
    connection.commit();
    return said;
  }

  @Test
  void settingsThatAPortionSetsAreSeen() throws SQLException {
    assertThat(inPortions(one)).isEqualTo(inPortions(past));
  }

  private static List<String> byCursor(Connection connection, String declare) throws SQLException {
    List<String> said = new ArrayList<>();
    run(connection, declare + SET);
    for (int i = 0; i < 2; i++) {
      said.addAll(rows(connection, "FETCH 1 FROM c"));
      said.add(twice(connection));
    }
    connection.commit();
    said.add(twice(connection));
    connection.commit();
    return said;
  }

  @ParameterizedTest
  @ValueSource(strings = {"DECLARE c CURSOR FOR ", "DECLARE c CURSOR WITH HOLD FOR "})
  void settingsThatAFetchSetsAreSeen(String declare) throws SQLException {
    assertThat(byCursor(one, declare)).isEqualTo(byCursor(past, declare));
  }

  @Test
  void aCallThatSetsSomethingAtOnceKeepsTheTransactionCached() throws SQLException {
    try (Statement statement = one.createStatement()) {
      statement.setFetchSize(10);
      assertThat(rows(statement.executeQuery("SELECT set_config('TimeZone', 'Asia/Tokyo', true)")))
          .containsExactly("Asia/Tokyo");
    }
    assertThat(LarderProbe.isHit(one, AT)).isTrue();
    one.commit();
  }
}
