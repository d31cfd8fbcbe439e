package dev.larder.jdbc.freshness;

import static dev.larder.jdbc.LarderProbe.fill;
import static dev.larder.jdbc.LarderProbe.rows;
import static dev.larder.jdbc.LarderProbe.run;
import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.jdbc.LarderCaches;
import dev.larder.testing.Waiting;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Somebody who writes past Larder is noticed, and said to be. */
@Tag("proof")
@Tag("each-server")
final class RadarTest extends RadarCase {
  @Test
  void whoeverConnectsByTheUrlOfTheMetadataIsNoticed() throws SQLException {
    try (Connection outside = DriverManager.getConnection(connection.getMetaData().getURL())) {
      run(outside, "UPDATE item SET name = 'b'");
      await("item", "radar", "foreign writes");
    }
    assertThat(rows(connection, ITEM)).containsExactly("b");
  }

  @Test
  void aWriterPastLarderIsNoticedAndItsResultsAreReadAgain() throws SQLException {
    long troubles = LarderCaches.troubles().getOrDefault("LRD-002", -1L);
    run(connection, "UPDATE item SET name = 'b'");
    fill(connection, ITEM);
    try (Connection outside = database.connect()) {
      outside.setClientInfo("ApplicationName", "a nightly job");
      run(outside, "UPDATE item SET name = 'c'", "INSERT INTO item VALUES (2, 'd')");
      await("item", "radar", "foreign writes");
    }
    assertThat(rows(connection, ITEM)).containsExactly("c", "d");
    assertThat(status("item")).containsEntry("foreign_rows", "2");
    assertThat(status("other"))
        .containsEntry("foreign_rows", "0")
        .containsEntry("radar", "watching");
    awaitLogged("LRD-002 public.item: ");
    assertThat(log.messages())
        .anySatisfy(
            text ->
                assertThat(text)
                    .startsWith("LRD-002 public.item: ")
                    .contains("rows changed in", "'a nightly job'", "Cure: "));
    assertThat(LarderCaches.troubles().get("LRD-002")).isGreaterThan(troubles);
  }

  /** It is said after it is shown. */
  private void awaitLogged(String beginning) {
    Waiting.until(
        beginning, () -> log.messages().stream().anyMatch(text -> text.startsWith(beginning)));
  }

  @Test
  void aTableThatSomebodyEmptiesIsNoticed() throws SQLException {
    database.execute("TRUNCATE item");
    await("item", "radar", "foreign writes");
    assertThat(rows(connection, ITEM)).isEmpty();
  }

  @Test
  void aMaterializedViewThatSomebodyEmptiesIsReadAnew() throws SQLException {
    run(connection, "CREATE MATERIALIZED VIEW names AS SELECT name FROM item");
    fill(connection, "SELECT name FROM names");
    await("names", "radar", "watching");
    database.execute("DELETE FROM item", "REFRESH MATERIALIZED VIEW names");
    // The catalog tells: the server has written the view anew.
    Waiting.until(
        "the view is read anew", () -> rows(connection, "SELECT name FROM names").isEmpty());
  }
}
