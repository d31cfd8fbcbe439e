package dev.larder.jdbc.write;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.jdbc.LarderCaches;
import dev.larder.jdbc.LarderLog;
import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** LRD-030 says which trigger or function emptied the cache, and what to declare. */
final class UndeclaredWritesTest {
  private static final String READ = "SELECT name FROM item";
  private static final long PATIENCE_NANOS = 30_000_000_000L;

  private LarderLog log;

  private TestDatabase database;

  @BeforeEach
  void create() throws SQLException {
    database = TestDatabase.create();
    database.execute(
        "CREATE TABLE item (name text)",
        "INSERT INTO item VALUES ('first')",
        "CREATE TABLE orders (id int, state text)",
        "CREATE TABLE audit_log (at timestamptz, id int)",
        "CREATE FUNCTION audit() RETURNS trigger LANGUAGE plpgsql AS $$ #variable_conflict use_column\nBEGIN"
            + " INSERT INTO audit_log VALUES (clock_timestamp(), new.id)"
            + " ON CONFLICT DO NOTHING; RETURN new; END $$",
        "CREATE TRIGGER audit_orders AFTER INSERT ON orders FOR EACH ROW EXECUTE FUNCTION audit()",
        "CREATE FUNCTION close_order(which int) RETURNS void LANGUAGE plpgsql AS"
            + " $$ #variable_conflict use_column\nBEGIN"
            + " UPDATE orders SET state = 'closed' WHERE id = which; END $$");
    log = LarderLog.open();
  }

  @AfterEach
  void close() throws SQLException {
    log.close();
    database.close();
  }

  /** Writes until the line is there, and returns it. */
  private String reported(Connection connection, String write) throws SQLException {
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    while (true) {
      LarderProbe.fill(connection, READ);
      assertThat(LarderProbe.isHit(connection, READ)).isTrue();
      LarderProbe.run(connection, write);
      assertThat(LarderProbe.isHit(connection, READ)).as("nothing was emptied").isFalse();
      List<String> found =
          log.messages().stream().filter(message -> message.startsWith("LRD-030")).toList();
      if (!found.isEmpty()) {
        assertThat(found).hasSize(1);
        return found.get(0);
      }
      assertThat(System.nanoTime()).as("not reported").isLessThan(deadline);
    }
  }

  @Test
  void aTriggerIsNamedWithWhatItsBodyWritesAndIsPreciseOnceThatIsDeclared() throws SQLException {
    long before = LarderCaches.troubles().getOrDefault("LRD-030", 0L);
    try (Connection connection = LarderProbe.connect(database)) {
      assertThat(reported(connection, "INSERT INTO orders VALUES (1, 'open')"))
          .isEqualTo(
              "LRD-030 INSERT orders emptied 1 results: trigger audit_orders. Declare"
                  + " larder.triggers.writes=audit_orders=audit_log if that is all it writes.");
    }
    assertThat(LarderCaches.troubles()).containsEntry("LRD-030", before + 1);
    try (Connection connection =
        LarderProbe.connect(database, "larder.triggers.writes=audit_orders%3Daudit_log")) {
      LarderProbe.fill(connection, READ);
      LarderProbe.fill(connection, "SELECT count(*) FROM audit_log");
      LarderProbe.run(connection, "INSERT INTO orders VALUES (2, 'open')");
      assertThat(LarderProbe.isHit(connection, READ)).isTrue();
      assertThat(LarderProbe.isHit(connection, "SELECT count(*) FROM audit_log")).isFalse();
    }
  }

  @Test
  void aFunctionIsNamedWithWhatItsBodyWrites() throws SQLException {
    try (Connection connection = LarderProbe.connect(database)) {
      assertThat(reported(connection, "SELECT close_order(1)"))
          .isEqualTo(
              "LRD-030 a call emptied 1 results: function close_order. Declare"
                  + " larder.functions.writes=close_order=orders if that is all it writes.");
    }
  }
}
