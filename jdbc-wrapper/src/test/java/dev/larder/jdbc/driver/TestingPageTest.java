package dev.larder.jdbc.driver;

import static dev.larder.jdbc.LarderProbe.fill;
import static dev.larder.jdbc.LarderProbe.isHit;
import static dev.larder.jdbc.LarderProbe.rows;
import static dev.larder.jdbc.LarderProbe.run;
import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.TestDatabase;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What {@code docs/testing.md} says of tests that give the database its rows back. */
final class TestingPageTest {
  private static final String NAMES = "SELECT name FROM item";
  private static final String RADAR_OFF = "larder.radar=off";

  @AutoClose private TestDatabase database;

  @BeforeEach
  void create() throws SQLException {
    database = TestDatabase.create();
    database.execute("CREATE TABLE item (name text)", "INSERT INTO item VALUES ('first')");
  }

  @Test
  void truncatePastLarderIsSeenAfterReset() throws SQLException {
    try (Connection larder = LarderProbe.connect(database, RADAR_OFF)) {
      fill(larder, NAMES);
      database.execute("TRUNCATE item");
      assertThat(rows(larder, NAMES)).as("the stale row that the page warns of").hasSize(1);
      run(larder, "RESET larder.cache");
      assertThat(rows(larder, NAMES)).isEmpty();
    }
  }

  @Test
  void truncateThroughLarderNeedsNoReset() throws SQLException {
    try (Connection larder = LarderProbe.connect(database, RADAR_OFF)) {
      fill(larder, NAMES);
      run(larder, "TRUNCATE item");
      assertThat(rows(larder, NAMES)).isEmpty();
    }
  }

  @Test
  void schemaMadeAgainPastLarderIsSeenAfterReset() throws SQLException {
    try (Connection larder = LarderProbe.connect(database, RADAR_OFF)) {
      fill(larder, NAMES);
      database.execute(
          "DROP TABLE item", "CREATE TABLE item (name text)", "INSERT INTO item VALUES ('second')");
      run(larder, "RESET larder.cache");
      assertThat(rows(larder, NAMES)).containsExactly("second");
    }
  }

  @Test
  void databaseMadeAgainFromItsTemplateIsAnotherDatabase() throws SQLException {
    String copy = database.name() + "_copy";
    String url = database.larderUrl("larder.writers=this-jvm", RADAR_OFF);
    String urlOfCopy = url.replace(database.name() + "?", copy + "?");
    try (Connection server = postgres()) {
      run(server, "CREATE DATABASE " + copy + " TEMPLATE " + database.name());
      try (Connection larder = DriverManager.getConnection(urlOfCopy)) {
        LarderProbe.awaitCatalog(larder);
        run(larder, "UPDATE item SET name = 'changed'");
        fill(larder, NAMES);
        assertThat(isHit(larder, NAMES)).isTrue();
      }
      run(
          server,
          "DROP DATABASE " + copy + " WITH (FORCE)",
          "CREATE DATABASE " + copy + " TEMPLATE " + database.name());
      try (Connection larder = DriverManager.getConnection(urlOfCopy)) {
        LarderProbe.awaitCatalog(larder);
        assertThat(rows(larder, NAMES)).containsExactly("first");
      }
      run(server, "DROP DATABASE " + copy + " WITH (FORCE)");
    }
  }

  private Connection postgres() throws SQLException {
    return DriverManager.getConnection(
        "jdbc:postgresql://127.0.0.1:" + database.port() + "/postgres?user=postgres");
  }
}
