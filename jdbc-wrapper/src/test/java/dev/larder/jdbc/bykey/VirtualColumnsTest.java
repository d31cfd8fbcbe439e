package dev.larder.jdbc.bykey;

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
import org.junit.jupiter.api.Test;

/**
 * The server computes a virtual column when it reads a row, and that may fail for rows that no key
 * names. Such columns are of PostgreSQL 18.
 */
@Tag("each-server")
@Tag("regression")
final class VirtualColumnsTest {
  private static final String TABLE =
      "CREATE TABLE price (id int PRIMARY KEY, v int,"
          + " share int GENERATED ALWAYS AS (10 / (v - 5)) VIRTUAL)";

  private static final String READ =
      "SELECT id, v FROM price WHERE id IN (1, 2, 3, 4, 11, 12, 13, 14) AND share IS NOT NULL";

  @Test
  void aRowWhoseVirtualColumnFailsIsNoticedByAQueryByKey() throws SQLException {
    try (TestDatabase database = TestDatabase.create();
        Connection bare = database.connect();
        Connection connection = LarderProbe.connect(database, "larder.invalidation=key")) {
      if (bare.getMetaData().getDatabaseMajorVersion() < 18) {
        assertThatThrownBy(() -> run(bare, TABLE)).hasMessageContaining("VIRTUAL");
        return;
      }
      run(
          connection,
          TABLE,
          "INSERT INTO price (id, v) VALUES (1, 1), (2, 2), (3, 3), (4, 4)",
          "ANALYZE price"); // So few rows are read one after the other.
      fill(connection, READ);
      assertThat(isHit(connection, READ)).isTrue();
      run(connection, "INSERT INTO price (id, v) VALUES (99, 5)");
      assertThatThrownBy(() -> rows(bare, READ)).hasMessageContaining("division by zero");
      assertThatThrownBy(() -> rows(connection, READ)).hasMessageContaining("division by zero");
    }
  }
}
