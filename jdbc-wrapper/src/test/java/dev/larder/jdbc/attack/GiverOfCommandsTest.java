package dev.larder.jdbc.attack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.TestDatabase;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Somebody with a session through Larder looks at other roles' texts, and drops what they use. */
class GiverOfCommandsTest {
  private static final String OWN = "SELECT n FROM own";
  private static final String OTHERS = "SELECT n AS secret FROM others";

  private TestDatabase database;
  private String evil;

  @BeforeEach
  void create() throws SQLException {
    database = TestDatabase.create();
    evil = "evil_" + database.name();
    database.execute(
        "CREATE TABLE own AS SELECT 1 AS n",
        "CREATE TABLE others AS SELECT 1 AS n",
        "CREATE ROLE " + evil + " LOGIN",
        "GRANT SELECT ON own TO " + evil);
  }

  @AfterEach
  void close() throws SQLException {
    database.execute("DROP OWNED BY " + evil, "DROP ROLE " + evil);
    database.close();
  }

  private Connection connectAsEvil(String... options) throws SQLException {
    Connection connection =
        DriverManager.getConnection(
            database.larderUrl(options).replace("user=postgres", "user=" + evil)
                + "&larder.writers=this-jvm");
    LarderProbe.awaitCatalog(connection);
    return connection;
  }

  private static void assertRefused(Connection connection, String command) {
    assertThatThrownBy(() -> LarderProbe.run(connection, command))
        .as(command)
        .isInstanceOf(SQLException.class)
        .hasMessageContaining("larder.commands")
        .extracting("SQLState")
        .isEqualTo("42501");
  }

  @Test
  void roleWithoutRightsSeesItsOwnTextsAndChangesNothing() throws SQLException {
    try (Connection other = LarderProbe.connect(database);
        Connection connection = connectAsEvil()) {
      LarderProbe.fill(other, OTHERS);
      LarderProbe.fill(connection, OWN);

      assertThat(LarderProbe.rows(connection, "SHOW larder.queries"))
          .anyMatch(row -> row.contains(OWN))
          .noneMatch(row -> row.contains("secret"));
      for (String command :
          new String[] {
            "RESET larder.cache",
            "RESET larder.statistics",
            "RESET larder.quarantine",
            "RESET QUERY CACHE",
            "SELECT larder.purge('public.others')",
            "SHOW larder.advice",
            "SHOW larder.quarantine",
          }) {
        assertRefused(connection, command);
      }
      LarderProbe.run(
          connection, "SET larder.enabled = off", "RESET larder.enabled", "SHOW larder.cache");
      assertThat(LarderProbe.isHit(other, OTHERS)).isTrue();
      assertThat(LarderProbe.rows(other, "SHOW larder.queries"))
          .anyMatch(row -> row.contains("secret"))
          .anyMatch(row -> row.contains(OWN));
    }
  }

  @Test
  void rightsAtTheServerAllow() throws SQLException {
    database.execute("GRANT pg_monitor TO " + evil);
    try (Connection connection = connectAsEvil()) {
      LarderProbe.run(connection, "SHOW larder.quarantine", "SHOW larder.advice");
      assertRefused(connection, "RESET larder.cache");
    }
    database.execute("ALTER DATABASE " + database.name() + " OWNER TO " + evil);
    try (Connection connection = connectAsEvil()) {
      LarderProbe.run(connection, "RESET larder.cache");
    } finally {
      database.execute("ALTER DATABASE " + database.name() + " OWNER TO postgres");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"SHOW larder.cache", "SET larder.enabled = off", "RESET larder.cache"})
  void noneAllowsNoCommandToAnybody(String command) throws SQLException {
    try (Connection connection = database.connectThroughLarder("larder.commands=none")) {
      assertRefused(connection, command);
    }
  }

  @Test
  void configurationGoesBeforeRights() throws SQLException {
    try (Connection connection = connectAsEvil("larder.commands=all")) {
      LarderProbe.run(connection, "RESET larder.cache");
    }
    try (Connection connection = database.connectThroughLarder("larder.commands=status")) {
      assertRefused(connection, "RESET larder.cache");
      LarderProbe.run(connection, "SHOW larder.quarantine");
    }
  }
}
