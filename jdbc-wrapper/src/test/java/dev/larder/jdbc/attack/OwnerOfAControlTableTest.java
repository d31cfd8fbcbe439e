package dev.larder.jdbc.attack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.TestDatabase;
import dev.larder.testing.Waiting;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Somebody who may create tables in {@code public} creates one by which Larder is switched off. */
@Tag("each-server")
class OwnerOfAControlTableTest {
  private static final String READ = "SELECT n FROM item";

  private TestDatabase database;
  private String evil;
  private String team;

  @BeforeEach
  void create() throws SQLException {
    database = TestDatabase.create();
    evil = "evil_" + database.name();
    team = "team_" + database.name();
    database.execute(
        "CREATE TABLE item AS SELECT 1 AS n",
        "CREATE ROLE " + evil + " LOGIN",
        "CREATE ROLE " + team,
        "GRANT " + team + " TO " + evil,
        "GRANT CREATE ON SCHEMA public TO " + evil + ", " + team);
  }

  @AfterEach
  void close() throws SQLException {
    database.execute("DROP OWNED BY " + evil + ", " + team, "DROP ROLE " + evil + ", " + team);
    database.close();
  }

  private Connection connectAsEvil() throws SQLException {
    return DriverManager.getConnection(database.url().replace("user=postgres", "user=" + evil));
  }

  private static void createTable(Connection connection) throws SQLException {
    LarderProbe.run(
        connection,
        "CREATE TABLE public.larder_control (scope text, name text, setting text, value text)",
        "INSERT INTO public.larder_control VALUES ('all', NULL, 'enabled', 'off')");
  }

  private static String settings(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SHOW larder.cache")) {
      row.next();
      return String.valueOf(row.getString("database_settings"));
    }
  }

  private static void assertIgnored(Connection connection) throws SQLException {
    Waiting.until(
        "the table to be looked at", () -> settings(connection).contains("its owner must be"));
    assertThat(settings(connection)).doesNotContain("enabled=off");
    LarderProbe.fill(connection, READ);
  }

  @Test
  void lockOfTheirOwnTableSwitchesNothingOff() throws SQLException {
    try (Connection locker = connectAsEvil()) {
      createTable(locker);
      locker.setAutoCommit(false);
      LarderProbe.run(locker, "LOCK TABLE public.larder_control IN ACCESS EXCLUSIVE MODE");

      try (Connection starting = LarderProbe.connect(database)) {
        assertIgnored(starting);
      }
    }
  }

  @Test
  void rowsOfTheirOwnTableAreNotBelievedEvenByASuperuser() throws SQLException {
    try (Connection owner = connectAsEvil()) {
      createTable(owner);
    }
    try (Connection starting = LarderProbe.connect(database)) {
      assertIgnored(starting);
    }
  }

  @Test
  void tableThatIsGivenToARoleOfManyIsNotBelieved() throws SQLException {
    try (Connection owner = connectAsEvil()) {
      createTable(owner);
      LarderProbe.run(owner, "ALTER TABLE public.larder_control OWNER TO " + team);
    }
    try (Connection starting = LarderProbe.connect(database)) {
      assertIgnored(starting);
    }
  }
}
