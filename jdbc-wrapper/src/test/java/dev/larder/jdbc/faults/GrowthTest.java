package dev.larder.jdbc.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.TestDatabase;
import dev.larder.jdbc.connection.PhysicalConnection;
import dev.larder.jdbc.statement.CachingConnection;
import java.lang.ref.WeakReference;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Nothing is kept for ever per connection, session setting, table or cache. */
@Tag("proof")
@Tag("each-jdk")
final class GrowthTest {
  private static final int CONNECTIONS = 200;

  private static long alive(List<? extends WeakReference<?>> references) {
    return references.stream().filter(reference -> reference.get() != null).count();
  }

  private static void awaitAlive(List<? extends WeakReference<?>> references, long atMost) {
    long deadline = System.nanoTime() + 60_000_000_000L;
    while (alive(references) > atMost && System.nanoTime() < deadline) {
      System.gc();
    }
    assertThat(alive(references)).isLessThanOrEqualTo(atMost);
  }

  private static PhysicalConnection physical(Connection connection) throws SQLException {
    return connection.unwrap(CachingConnection.class).physical();
  }

  @Test
  void aClosedConnectionLeavesNothingButItsEntries() throws SQLException {
    List<WeakReference<Object>> references = new ArrayList<>();
    try (TestDatabase database = TestDatabase.create()) {
      database.execute("CREATE TABLE item (id int)", "INSERT INTO item VALUES (1)");
      for (int i = 0; i < CONNECTIONS; i++) {
        String option = "options=-c%20app.tenant=" + i;
        try (Connection connection = database.connectThroughLarder(option)) {
          LarderProbe.run(connection, "SET app.other = 'o" + i + "'");
          LarderProbe.rows(connection, "SELECT id FROM item");
          references.add(new WeakReference<>(physical(connection)));
          references.add(new WeakReference<>(physical(connection).state().tracker()));
        }
      }
    }
    awaitAlive(references, 2);
  }

  @Test
  void cachesThatAreNoLongerUsedGoWithTheirEntries() throws SQLException {
    List<WeakReference<Object>> references = new ArrayList<>();
    try (TestDatabase database = TestDatabase.create()) {
      database.execute("CREATE TABLE item (id int)", "INSERT INTO item VALUES (1)");
      for (int i = 0; i < 100; i++) {
        try (Connection connection = LarderProbe.connect(database, "larder.name=named_" + i)) {
          LarderProbe.rows(connection, "SELECT id FROM item");
          references.add(new WeakReference<>(physical(connection).cache()));
        }
      }
      awaitAlive(references, 40);
    }
  }

  /** As a job does that loads each batch into a table of its own. */
  @Test
  void catalogsOfBeforeAreNotKeptByStatementsThatDoNotComeAgain() throws SQLException {
    List<WeakReference<Object>> catalogs = new ArrayList<>();
    try (TestDatabase database = TestDatabase.create();
        Connection connection = LarderProbe.connect(database)) {
      for (int i = 0; i < 30; i++) {
        LarderProbe.run(connection, "CREATE TABLE load_" + i + " (id int)");
        LarderProbe.awaitCatalog(connection);
        LarderProbe.run(connection, "INSERT INTO load_" + i + " VALUES (1)");
        LarderProbe.fill(connection, "SELECT id FROM load_" + i);
        catalogs.add(
            new WeakReference<>(physical(connection).cache().database().catalog().current()));
        LarderProbe.run(connection, "DROP TABLE load_" + i);
        LarderProbe.awaitCatalog(connection);
      }
      awaitAlive(catalogs, 2);
    }
  }

  /** As those of a pool that was busier once. */
  @Test
  void catalogsOfBeforeAreNotKeptByConnectionsThatNobodyUses() throws SQLException {
    List<WeakReference<Object>> catalogs = new ArrayList<>();
    List<Connection> idle = new ArrayList<>();
    try (TestDatabase database = TestDatabase.create();
        Connection connection = LarderProbe.connect(database)) {
      LarderProbe.run(connection, "CREATE TABLE item (id int)");
      for (int i = 0; i < 10; i++) {
        LarderProbe.run(connection, "CREATE TABLE load_" + i + " (id int)");
        Connection other = LarderProbe.connect(database);
        idle.add(other);
        LarderProbe.run(other, "SET search_path TO public");
        LarderProbe.fill(other, "SELECT id FROM item");
        catalogs.add(new WeakReference<>(physical(other).cache().database().catalog().current()));
      }
      LarderProbe.run(connection, "DROP TABLE load_0");
      LarderProbe.fill(connection, "SELECT id FROM item");
      awaitAlive(catalogs, 2);
      for (Connection other : idle) {
        other.close();
      }
    }
  }
}
