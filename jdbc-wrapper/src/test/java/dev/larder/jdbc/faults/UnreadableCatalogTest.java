package dev.larder.jdbc.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.jdbc.LarderCaches;
import dev.larder.jdbc.LarderLog;
import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.TestDatabase;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

/** A catalog that cannot be read is LRD-003: nothing is cached, nothing is wrong. */
final class UnreadableCatalogTest {
  private static final String READ = "SELECT name FROM item";
  private static final long PATIENCE_NANOS = 30_000_000_000L;

  private static long reported() {
    return LarderCaches.troubles().getOrDefault("LRD-003", 0L);
  }

  @Test
  void itIsReportedAndQueriesReachTheDatabaseUntilItCanBeRead() throws SQLException {
    LarderLog log = LarderLog.open();
    try (log;
        TestDatabase database = TestDatabase.create()) {
      database.execute(
          "CREATE TABLE item (name text)",
          "INSERT INTO item VALUES ('first')",
          "CREATE ROLE blind_reader LOGIN",
          "GRANT ALL ON item TO blind_reader",
          "REVOKE SELECT ON pg_catalog.pg_trigger FROM PUBLIC");
      long before = reported();
      String url =
          database
              .larderUrl("larder.writers=this-jvm")
              .replace("user=postgres", "user=blind_reader");
      assertThat(url).contains("user=blind_reader");
      try (Connection blind = DriverManager.getConnection(url)) {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        int reads = 0;
        while (reported() == before) {
          assertThat(LarderProbe.rows(blind, READ)).containsExactly("first");
          reads++;
          assertThat(System.nanoTime()).as("not reported").isLessThan(deadline);
        }
        LarderProbe.run(blind, "UPDATE item SET name = 'second'");
        assertThat(LarderProbe.rows(blind, READ)).containsExactly("second");
        assertThat(LarderProbe.hits(blind)).isZero();
        assertThat(LarderProbe.rows(blind, "SHOW larder.bypasses"))
            .anySatisfy(row -> assertThat(row).startsWith("the catalog is not loaded yet,"));
        assertThat(reads).isPositive();

        database.execute("GRANT SELECT ON pg_catalog.pg_trigger TO PUBLIC");
        while (LarderProbe.hits(blind) == 0) {
          assertThat(LarderProbe.rows(blind, READ)).containsExactly("second");
          assertThat(System.nanoTime()).as("never cached again").isLessThan(deadline);
        }
      } finally {
        database.execute("DROP OWNED BY blind_reader", "DROP ROLE blind_reader");
      }
    }
    // Another test of this JVM may have had its line within the last ten minutes.
    assertThat(log.messages())
        .filteredOn(message -> message.startsWith("LRD-003"))
        .allSatisfy(
            message ->
                assertThat(message).contains("nothing is cached until it can", "Cure: check"));
  }
}
