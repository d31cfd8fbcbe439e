package dev.larder.jdbc.freshness;

import static dev.larder.jdbc.LarderProbe.fill;
import static dev.larder.jdbc.LarderProbe.rows;
import static dev.larder.jdbc.LarderProbe.run;
import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.TestDatabase;
import dev.larder.jdbc.wrap.LarderConnections;
import dev.larder.testing.Waiting;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The radar takes nobody for somebody who writes past Larder, and does not say more than it sees.
 */
@Tag("proof")
final class QuietRadarTest extends RadarCase {
  /** One of the partitions is empty, and was so before. */
  @Test
  void whatIsWrittenAnewWithTheRowsThatItHadIsNot() throws SQLException {
    run(
        connection,
        "CREATE TABLE parts (id int) PARTITION BY RANGE (id)",
        "CREATE TABLE part PARTITION OF parts FOR VALUES FROM (0) TO (10)",
        "CREATE TABLE spare PARTITION OF parts FOR VALUES FROM (10) TO (20)",
        "INSERT INTO parts VALUES (1)",
        "CREATE TABLE hollow (id int)",
        "CREATE MATERIALIZED VIEW names AS SELECT name FROM item");
    for (String table : new String[] {"parts", "hollow", "names"}) {
      fill(connection, "SELECT * FROM " + table);
      await(table, "radar", "watching");
    }
    long version = LarderProbe.catalogVersion(connection);
    database.execute("VACUUM FULL part", "VACUUM FULL hollow", "VACUUM FULL names");
    Waiting.until(
        "the catalog is compared", () -> LarderProbe.catalogVersion(connection) != version);
    LarderProbe.awaitCatalog(connection);
    await("other", "radar", "watching");
    database.execute("INSERT INTO other VALUES (2)");
    await("other", "radar", "foreign writes");
    assertThat(log.messages())
        .filteredOn(text -> text.startsWith("LRD-002"))
        .allSatisfy(text -> assertThat(text).startsWith("LRD-002 public.other"));
  }

  @Test
  void whatIsWrittenThroughLarderIsNot() throws SQLException {
    try (Connection writer = LarderProbe.connect(database)) {
      run(writer, "INSERT INTO other VALUES (1)");
      for (int i = 0; i < 200; i++) {
        run(writer, "UPDATE item SET name = 'n" + i + "'");
        rows(connection, ITEM);
      }
      run(writer, "TRUNCATE item");
    }
    database.execute("VACUUM FULL other", "VACUUM other");
    // Somebody else's row in the other table is found, and by the same look nothing in this one.
    database.execute("INSERT INTO other VALUES (2)");
    await("other", "radar", "foreign writes");
    assertThat(status("other")).containsEntry("foreign_rows", "1");
    await("item", "radar", "watching");
    assertThat(status("item")).containsEntry("foreign_rows", "0");
    assertThat(log.messages()).noneMatch(text -> text.startsWith("LRD-002 public.item"));
  }

  @Test
  void nobodyIsSaidToWatchWithoutAConnectionToWatchOn() throws SQLException {
    assertThat(LarderConnections.makeRoom()).isTrue();
    await("item", "radar", "blind");
  }

  /** In a database of its own, where nobody else's connection can be asked. */
  @Test
  void aUserWhoMayNotAskLosesNothing() throws SQLException {
    try (TestDatabase guarded = TestDatabase.create()) {
      guarded.execute(
          "CREATE TABLE item (id int, name text)",
          "INSERT INTO item VALUES (1, 'a')",
          "REVOKE EXECUTE ON FUNCTION pg_stat_get_tuples_inserted(oid) FROM PUBLIC",
          "DROP ROLE IF EXISTS modest",
          "CREATE ROLE modest LOGIN",
          "GRANT SELECT ON item TO modest");
      try (Connection modest =
          LarderProbe.connect(
              guarded, "larder.name=modest", "user=modest", "larder.commands=all")) {
        fill(modest, ITEM);
        await(modest, "item", "radar", "off");
        fill(modest, ITEM);
        assertThat(rows(modest, "SELECT larder.purge('item')")).containsExactly("public.item");
        fill(modest, ITEM);
      } finally {
        guarded.execute("DROP OWNED BY modest", "DROP ROLE modest");
      }
    }
  }
}
