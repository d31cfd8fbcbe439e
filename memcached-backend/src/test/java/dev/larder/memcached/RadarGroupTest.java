package dev.larder.memcached;

import static dev.larder.memcached.LarderInstance.ask;
import static dev.larder.memcached.LarderInstance.askUntilHit;
import static dev.larder.memcached.LarderInstance.run;
import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.testing.NeedsProgram;
import dev.larder.testing.Program;
import dev.larder.testing.Waiting;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Who shares results is no stranger to the radar. */
@Tag("proof")
@NeedsProgram(Program.MEMCACHED)
class RadarGroupTest extends TwoInstances {
  private static final String OTHER = "SELECT v FROM u WHERE id = 1";
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  /** As while a setting is rolled out: whoever writes tells the others all the same. */
  @Test
  void instancesWithOtherSettingsForThemselvesAreNoStrangers() throws Exception {
    run(outside, "CREATE TABLE u AS SELECT 1 AS id, text 'x' AS v");
    String other =
        url(
                "boundedStaleness",
                "larder.memcached.nearCache=off",
                "larder.memcached.maxEntryBytes=5000")
            .replace("timeout=2000ms", "timeout=3000ms");
    try (LarderInstance instance = new LarderInstance(other);
        Connection writer = instance.connect()) {
      askUntilHit(first, READ);
      askUntilHit(first, OTHER);
      askUntilHit(writer, READ);
      await(first, "t", "watching");
      await(first, "u", "watching");
      String told = "SELECT pg_stat_get_tuples_updated('t'::regclass)";
      for (int i = 0; Long.parseLong(String.valueOf(ask(outside, told))) < 10; i++) {
        run(writer, "UPDATE t SET v = 'w" + i + "' WHERE id = 1");
      }
      // A stranger's row in the other table is found, and nothing in this one.
      run(outside, "UPDATE u SET v = 'y'");
      await(first, "u", "foreign writes");
      await(first, "t", "watching");
      assertThat(shown(first, "t", "foreign_rows")).isEqualTo("0");
      assertThat(ask(first, READ)).isEqualTo(ask(outside, READ));
    }
  }

  private void await(Connection connection, String table, String state) throws SQLException {
    Waiting.until(
        PATIENCE,
        () -> table + " is not " + state,
        () -> {
          ask(connection, READ); // Nobody looks for an idle cache.
          ask(second, READ);
          return state.equals(shown(connection, table, "radar"));
        });
  }

  private static String shown(Connection connection, String table, String column)
      throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SHOW larder.tables")) {
      while (row.next()) {
        if (row.getString("table_name").equals("public." + table)) {
          return row.getString(column);
        }
      }
    }
    return "";
  }
}
