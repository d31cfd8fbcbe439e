package dev.larder.jdbc.attack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.jdbc.LarderCache;
import dev.larder.jdbc.LarderCaches;
import dev.larder.jdbc.LarderLog;
import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.TestDatabase;
import dev.larder.testing.Waiting;
import java.sql.Connection;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Somebody gives objects names that forge lines, steer a terminal or turn the text around. */
class MakerOfNamesTest {
  private static final String NAME = "a\nLRD-012 forged\u001b[31m\u202e\u2028";
  private static final String SHOWN = "a\\nLRD-012 forged\\u001b[31m\\u202e\\u2028";
  private static final String READ = "SELECT n FROM \"" + NAME + "\"";

  @AutoClose private TestDatabase database;

  @BeforeEach
  void create() throws Exception {
    database = TestDatabase.create();
    database.execute(
        "CREATE TABLE \"" + NAME + "\" (n int)",
        "CREATE TABLE item (n int)",
        "CREATE FUNCTION change() RETURNS trigger LANGUAGE plpgsql AS"
            + " 'BEGIN EXECUTE ''SELECT '' || 1; RETURN new; END'",
        "CREATE TRIGGER \""
            + NAME
            + "\" AFTER INSERT ON item FOR EACH ROW"
            + " EXECUTE FUNCTION change()");
  }

  @Test
  void nameOfATriggerForgesNoLineOfTheLog() throws Exception {
    try (Connection connection = LarderProbe.connect(database);
        LarderLog log = LarderLog.open()) {
      Waiting.until(
          "a line that names the trigger",
          () -> {
            LarderProbe.fill(connection, READ);
            LarderProbe.run(connection, "INSERT INTO item VALUES (1)");
            return log.messages().stream().anyMatch(line -> line.startsWith("LRD-030"));
          });

      assertThat(log.messages())
          .anyMatch(line -> line.contains(SHOWN))
          .noneMatch(line -> line.contains("\n") || line.contains("\u001b"));
    }
  }

  @Test
  void namesAreEscapedWhereTheyAreShownAndFoundByThat() throws Exception {
    try (Connection connection = LarderProbe.connect(database)) {
      LarderProbe.fill(connection, READ);
      String escaped = READ.replace(NAME, SHOWN);

      assertThat(LarderProbe.rows(connection, "SHOW larder.tables"))
          .anyMatch(row -> row.contains("public." + SHOWN))
          .noneMatch(row -> row.contains("\n"));
      assertThat(LarderProbe.rows(connection, "SHOW larder.queries"))
          .anyMatch(row -> row.contains(escaped))
          .noneMatch(row -> row.contains("\n"));
      LarderCache cache = cache(connection);
      assertThat(cache.tables()).extracting("table_name").contains("public." + SHOWN);
      assertThat(cache.invalidations()).containsKey("public." + SHOWN);
      assertThat(cache.clearQuery(escaped)).isEqualTo(1);
      LarderProbe.fill(connection, READ);
      assertThat(cache.clearTable("public." + SHOWN)).isTrue();
      assertThat(LarderProbe.isHit(connection, READ)).isFalse();
    }
  }

  private static LarderCache cache(Connection connection) throws Exception {
    String database =
        LarderProbe.rows(
                connection,
                "SELECT system_identifier || '/' || d.oid FROM pg_control_system(), pg_database d"
                    + " WHERE datname = current_database()")
            .get(0);
    List<LarderCache> caches =
        LarderCaches.all().stream().filter(each -> each.database().equals(database)).toList();
    assertThat(caches).hasSize(1);
    return caches.get(0);
  }
}
