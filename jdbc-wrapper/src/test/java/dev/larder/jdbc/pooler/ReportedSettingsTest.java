package dev.larder.jdbc.pooler;

import static dev.larder.jdbc.LarderProbe.hits;
import static dev.larder.jdbc.LarderProbe.rows;
import static dev.larder.jdbc.LarderProbe.run;
import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.jdbc.PgBouncer;
import dev.larder.jdbc.TestDatabase;
import dev.larder.testing.NeedsProgram;
import dev.larder.testing.Program;
import dev.larder.testing.Waiting;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.TimeZone;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * PgBouncer keeps for each client what the server reports, the time zone among it, and gives it
 * back to the client in each session: what one client has of it says nothing of the others.
 */
@NeedsProgram(Program.PGBOUNCER)
@Tag("regression")
final class ReportedSettingsTest {
  private static final String READ = "SELECT at::text FROM event WHERE id = 1";
  private static final String NOON = "2020-01-01 12:00:00+00";
  private static final String INTERVAL = "larder.pooler.interval=100ms";

  private final TimeZone before = TimeZone.getDefault();
  private TestDatabase database;

  @BeforeEach
  void create() throws SQLException {
    TimeZone.setDefault(TimeZone.getTimeZone("UTC"));
    database = TestDatabase.create();
    database.execute(
        "CREATE TABLE event (id int PRIMARY KEY, at timestamptz)",
        "INSERT INTO event VALUES (1, '2020-01-01 12:00Z')",
        "CREATE FUNCTION move(zone text) RETURNS text LANGUAGE plpgsql AS"
            + " $$ BEGIN RETURN set_config('TimeZone', zone, false); END $$");
  }

  @AfterEach
  void drop() throws SQLException {
    TimeZone.setDefault(before);
    database.close();
  }

  private static void assertHits(Connection connection, String expected) throws Exception {
    Waiting.until(
        "a hit",
        () -> {
          long before = hits(connection);
          assertThat(rows(connection, READ)).containsExactly(expected);
          return hits(connection) > before;
        });
  }

  @ParameterizedTest
  @CsvSource({
    "transaction, SET TIME ZONE 'Asia/Tokyo', 2020-01-01 21:00:00+09",
    "session, SET TIME ZONE 'Asia/Tokyo', 2020-01-01 21:00:00+09",
    "transaction, 'SELECT set_config(''TimeZone'', ''Asia/Tokyo'', false)', 2020-01-01 21:00:00+09",
    "transaction, SELECT move('Asia/Tokyo'), 2020-01-01 21:00:00+09",
    "session, SELECT move('Asia/Tokyo'), 2020-01-01 21:00:00+09"
  })
  void whatOneClientSetsIsNotThatOfTheOthers(String mode, String set, String shown)
      throws Exception {
    try (PgBouncer pooler = PgBouncer.start(database, mode, 4);
        Connection one = pooler.connectThroughLarder("postgres", INTERVAL);
        Connection two = pooler.connectThroughLarder("postgres", INTERVAL)) {
      assertHits(one, NOON);
      run(one, set);
      for (int i = 0; i < 5; i++) {
        assertThat(rows(one, READ)).containsExactly(shown);
        assertHits(two, NOON);
        Waiting.pass(Duration.ofMillis(110));
      }
    }
  }

  @Test
  void clientsWhoBeganInTwoZonesHitTheirOwn() throws Exception {
    try (PgBouncer pooler = PgBouncer.start(database, "transaction", 4);
        Connection two = pooler.connectThroughLarder("postgres", INTERVAL)) {
      TimeZone.setDefault(TimeZone.getTimeZone("Asia/Tokyo"));
      try (Connection one = pooler.connectThroughLarder("postgres", INTERVAL)) {
        for (int i = 0; i < 3; i++) {
          assertHits(one, "2020-01-01 21:00:00+09");
          assertHits(two, NOON);
          Waiting.pass(Duration.ofMillis(110));
        }
      }
    }
  }
}
