package dev.larder.jdbc.driver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.bypass.BypassReason;
import dev.larder.jdbc.DriverVersionQuery;
import dev.larder.jdbc.OtherDrivers;
import dev.larder.jdbc.TestDatabase;
import dev.larder.jdbc.replay.MatrixTable;
import dev.larder.jdbc.statement.DriverVersionProbe;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The driver's internals are what Larder takes them for in other versions of the driver too. */
@Tag("proof")
class DriverVersionsTest {
  @AutoClose private static TestDatabase database;

  @BeforeAll
  static void createTable() throws SQLException {
    database = TestDatabase.create();
    MatrixTable.create(database);
    database.execute(
        "CREATE TABLE item (id int)",
        "INSERT INTO item VALUES (1)",
        "CREATE TABLE part (f float8)",
        "INSERT INTO part VALUES (1)");
  }

  @ParameterizedTest
  @CsvSource({
    "42.2.29, prepareThreshold=-1",
    "42.5.6, prepareThreshold=1",
    "42.7.0, preferQueryMode=simple",
    "42.7.11, prepareThreshold=-1"
  })
  void replayEqualsLiveWithOlderDrivers(String version, String mode) throws Exception {
    List<String> found =
        OtherDrivers.with(version, DriverVersionProbe.class, database.url() + "&" + mode);

    assertThat(found.get(0)).isEqualTo(version);
    assertThat(Long.parseLong(found.get(1))).isGreaterThan(MatrixTable.queryColumns() * 500L);
    assertThat(found.get(2)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"42.2.29", "42.5.6", "42.7.0", "42.7.11"})
  void queriesAreCachedWithOlderDrivers(String version) throws Exception {
    List<String> found = OtherDrivers.with(version, DriverVersionQuery.class, database.url());

    assertThat(found).containsExactly("not bypassed", "hit", "[1]", "extensions", "hit again");
  }

  @ParameterizedTest
  @ValueSource(strings = {"42.2.29", "42.5.6", "42.7.0", "42.7.11"})
  void formatsAreThoseOfTheDriverAloneWithOlderDrivers(String version) throws Exception {
    List<String> found = OtherDrivers.with(version, DriverVersionFormats.class, database.url());

    assertThat(found.get(0)).isEqualTo(found.get(1)).contains("[1], [1.0]");
    assertThat(found.get(2)).isEqualTo("hits");
  }

  @Test
  void aDriverWithoutWhatReplayNeedsIsUsedWithoutCache() throws Exception {
    List<String> found =
        OtherDrivers.without(
            "dev.larder.jdbc.driver.DriverInternals", DriverVersionQuery.class, database.url());

    assertThat(found)
        .containsExactly(
            BypassReason.DRIVER.description(), "no hit", "[1]", "extensions", "no hit");
  }

  @Test
  void driverWithoutWhatReplayNeedsIsUnsupportedAndNamed() throws Exception {
    List<String> found =
        OtherDrivers.without(
            "org.postgresql.jdbc.PgResultSet", DriverVersionProbe.class, database.url());

    assertThat(found.get(0)).isEqualTo("unsupported");
    assertThat(found.get(1))
        .contains("PostgreSQL JDBC Driver 42.7.0", "nothing is cached", "PgResultSet");
  }
}
