package dev.larder.jdbc.attack;

import static dev.larder.jdbc.LarderProbe.awaitCatalog;
import static dev.larder.jdbc.LarderProbe.fill;
import static dev.larder.jdbc.LarderProbe.rows;
import static dev.larder.jdbc.LarderProbe.run;
import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.TestDatabase;
import dev.larder.testing.Waiting;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A column has the row type of a table, and DDL of that table changes how its values read. */
@Tag("regression")
final class RowTypeOfAnAlteredTableTest {
  private TestDatabase database;
  private Connection a;
  private Connection b;

  @BeforeEach
  void create() throws SQLException {
    database = TestDatabase.create();
    database.execute(
        "CREATE TABLE address (street text)",
        "CREATE TABLE person (id int, home address)",
        "INSERT INTO person VALUES (1, row('s'))");
    a = LarderProbe.connect(database);
    b = LarderProbe.connect(database);
  }

  @AfterEach
  void drop() throws SQLException {
    a.close();
    b.close();
    database.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT home FROM person",
        "SELECT home::text FROM person",
        "SELECT to_json(home)::text FROM person",
        "SELECT person FROM person"
      })
  void aColumnAddedThroughLarderIsSeen(String query) throws SQLException {
    fill(a, query);
    run(b, "ALTER TABLE address ADD COLUMN city text");
    assertThat(rows(a, query)).isEqualTo(live(query));
    awaitCatalog(a);
    assertThat(rows(a, query)).isEqualTo(live(query));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ALTER TABLE address ADD COLUMN city text",
        "ALTER TABLE address RENAME COLUMN street TO road",
      })
  void aChangeByOthersIsSeenOnceTheCatalogWasCompared(String ddl) throws SQLException {
    String query = "SELECT to_json(home)::text FROM person";
    fill(a, query);
    long before = LarderProbe.catalogVersion(a);
    database.execute(ddl);
    Waiting.until("the change is found", () -> LarderProbe.catalogVersion(a) != before);
    awaitCatalog(a);
    assertThat(rows(a, query)).isEqualTo(live(query));
  }

  private List<String> live(String query) throws SQLException {
    try (Connection bare = database.connect()) {
      return rows(bare, query);
    }
  }
}
