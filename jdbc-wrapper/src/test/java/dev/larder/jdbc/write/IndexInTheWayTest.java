package dev.larder.jdbc.write;

import static dev.larder.jdbc.LarderProbe.awaitCatalog;
import static dev.larder.jdbc.LarderProbe.fill;
import static dev.larder.jdbc.LarderProbe.isHit;
import static dev.larder.jdbc.LarderProbe.rows;
import static dev.larder.jdbc.LarderProbe.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * An index has a name among the relations of its schema. Where it comes nearer on the search path
 * than a table of that name, the server refuses to read it, and the table is found no more.
 */
@Tag("regression")
final class IndexInTheWayTest {
  private static final String READ = "SELECT name FROM item";
  private static final String PATH = "SET search_path = near, far";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "CREATE INDEX item ON near.other (id)",
        "CREATE INDEX CONCURRENTLY item ON near.other (id)",
        "ALTER TABLE near.other ADD CONSTRAINT item UNIQUE (id)",
      })
  void aTableBehindAnIndexOfItsNameIsNotRead(String ddl) throws SQLException {
    try (TestDatabase database = TestDatabase.create();
        Connection bare = database.connect()) {
      database.execute(
          "CREATE SCHEMA near",
          "CREATE SCHEMA far",
          "CREATE TABLE far.item (name text)",
          "INSERT INTO far.item VALUES ('far')",
          "CREATE TABLE near.other (id int)");
      try (Connection connection = LarderProbe.connect(database)) {
        run(connection, PATH);
        run(bare, PATH);
        fill(connection, READ);
        assertThat(isHit(connection, READ)).isTrue();
        run(connection, ddl);
        awaitCatalog(connection);
        assertThatThrownBy(() -> rows(bare, READ)).hasMessageContaining("cannot open relation");
        assertThatThrownBy(() -> rows(connection, READ))
            .hasMessageContaining("cannot open relation");
      }
    }
  }
}
