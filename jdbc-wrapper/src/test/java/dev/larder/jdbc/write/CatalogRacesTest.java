package dev.larder.jdbc.write;

import static dev.larder.jdbc.LarderProbe.rows;
import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.ProtocolFixture;
import dev.larder.jdbc.statement.CachingConnection;
import dev.larder.watch.Catalog;
import java.io.IOException;
import java.io.StringWriter;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.PGConnection;
import org.postgresql.PGStatement;

/** What appears in the catalog between the look-up of a statement and its execution. */
@Tag("regression")
final class CatalogRacesTest extends ProtocolFixture {
  private static final String UPDATE = "UPDATE item SET name = 'new' WHERE id = 1";

  /** The trigger writes the other table, once it gets the advisory lock 5. */
  private static final String[] TRIGGER = {
    "BEGIN",
    "CREATE FUNCTION audit() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
        + " PERFORM pg_advisory_xact_lock(5);"
        + " UPDATE other SET note = 'audited'; RETURN NULL; END $$",
    "CREATE TRIGGER audit AFTER UPDATE ON item EXECUTE FUNCTION audit()"
  };

  private Catalog catalog() throws SQLException {
    return one.unwrap(CachingConnection.class).physical().cache().database().catalog();
  }

  private void awaitBlockedOnAdvisoryLock(int pid) throws SQLException {
    awaitAtServer(
        "SELECT count(*) > 0 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND pid = "
            + pid);
  }

  @Test
  void aTriggerThatAnotherConnectionCreatesMeanwhileMakesNothingStale() throws Exception {
    fillBoth();
    run(past, "SELECT pg_advisory_lock(5)");
    try (var writer = LarderProbe.connect(database)) {
      int pid = pid(writer);
      run(two, TRIGGER);
      Future<?> write = asyncRun(writer, UPDATE);
      awaitBlocked(pid);
      run(two, "COMMIT");
      awaitBlockedOnAdvisoryLock(pid);
      LarderProbe.awaitCatalog(one);
      assertLive(one, NOTES, "x");
      assertLive(one, NOTES, "x");
      run(past, "SELECT pg_advisory_unlock(5)");
      get(write);
      assertCachedAgain(one, NOTES, "audited");
      assertCachedAgain(one, ITEMS, "new", "b");
    }
  }

  @Test
  void aBodyThatIsReplacedWhileAWriteWaitsMakesNothingStale() throws Exception {
    run(
        past,
        "CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
            + " PERFORM pg_advisory_xact_lock(5); PERFORM 1 FROM seen; RETURN NULL; END $$",
        "CREATE TABLE seen (id int)",
        "CREATE FUNCTION audit() RETURNS trigger LANGUAGE plpgsql AS"
            + " $$ BEGIN INSERT INTO seen VALUES (1); RETURN NULL; END $$",
        "CREATE TRIGGER wait BEFORE UPDATE ON item EXECUTE FUNCTION wait()",
        "CREATE TRIGGER audit AFTER UPDATE ON item EXECUTE FUNCTION audit()");
    run(two, "CREATE TABLE noticed ()");
    LarderProbe.awaitCatalog(one);
    fillBoth();
    run(past, "SELECT pg_advisory_lock(5)");
    try (var writer = LarderProbe.connect(database)) {
      int pid = pid(writer);
      Future<?> write = asyncRun(writer, UPDATE);
      awaitBlockedOnAdvisoryLock(pid);
      assertHit(one, NOTES, "x");
      run(
          two,
          "CREATE OR REPLACE FUNCTION audit() RETURNS trigger LANGUAGE plpgsql AS"
              + " $$ BEGIN UPDATE other SET note = 'audited'; RETURN NULL; END $$");
      LarderProbe.awaitCatalog(one);
      assertLive(one, NOTES, "x");
      assertLive(one, NOTES, "x");
      run(past, "SELECT pg_advisory_unlock(5)");
      get(write);
      assertCachedAgain(one, NOTES, "audited");
      assertCachedAgain(one, ITEMS, "new", "b");
    }
  }

  @Test
  void aTransactionReadsWhatATriggerWroteThatItDidNotKnowOf() throws Exception {
    fillBoth();
    try (var writer = LarderProbe.connect(database)) {
      int pid = pid(writer);
      run(two, TRIGGER);
      writer.setAutoCommit(false);
      Future<?> write = asyncRun(writer, UPDATE);
      awaitBlocked(pid);
      run(two, "COMMIT");
      get(write);
      fillBoth();
      assertLive(writer, NOTES, "audited");
      assertHit(one, NOTES, "x");
      writer.commit();
      assertCachedAgain(one, NOTES, "audited");
    }
  }

  @Test
  void aTriggerOfSomebodyElseIsFoundByPollingAlsoForAWriteUnderWay() throws Exception {
    fillBoth();
    run(two, "SELECT pg_advisory_lock(5)");
    try (var writer = LarderProbe.connect(database)) {
      int pid = pid(writer);
      run(past, TRIGGER);
      Future<?> write = asyncRun(writer, UPDATE);
      awaitBlocked(pid);
      long before = catalog().version();
      run(past, "COMMIT");
      awaitBlockedOnAdvisoryLock(pid);
      await(
          () -> {
            rows(one, NOTES);
            return catalog().version() > before;
          });
      LarderProbe.awaitCatalog(one);
      assertLive(one, NOTES, "x");
      assertLive(one, NOTES, "x");
      run(two, "SELECT pg_advisory_unlock(5)");
      get(write);
      assertThat(rows(one, NOTES)).containsExactly("audited");
      assertCachedAgain(one, NOTES, "audited");
      fillBoth();
      run(past, "UPDATE other SET note = 'x'");
      run(two, "UPDATE item SET name = 'again' WHERE id = 1");
      assertCachedAgain(one, NOTES, "audited");
    }
  }

  @Test
  void readersAndWritersThatNeverPauseAreCachedAgainAfterDdl() throws Exception {
    fillBoth();
    AtomicBoolean stopped = new AtomicBoolean();
    List<Future<?>> clients = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      String sql = i == 0 ? "UPDATE other SET note = note" : ITEMS;
      clients.add(
          async(
              () -> {
                try (Connection client = LarderProbe.connect(database)) {
                  while (!stopped.get()) {
                    run(client, sql);
                  }
                }
                return true;
              }));
    }
    run(two, "COMMENT ON TABLE item IS 'read the catalog again'");
    long before = LarderProbe.hits(one);
    await(() -> LarderProbe.hits(one) > before + 1000);
    stopped.set(true);
    for (Future<?> client : clients) {
      get(client);
    }
  }

  // ---- queries that write by the time they run

  private static final String LABELS = "SELECT label(name) FROM item";
  private static final String[] HARMLESS = {
    "CREATE FUNCTION label(text) RETURNS text LANGUAGE sql IMMUTABLE AS 'SELECT $1'",
    "CREATE VIEW named AS SELECT name FROM item",
  };

  /** The function writes the other table, once it gets the advisory lock 5. */
  private static final String[] WRITING_FUNCTION = {
    "BEGIN",
    "LOCK TABLE item IN ACCESS EXCLUSIVE MODE",
    "CREATE OR REPLACE FUNCTION label(text) RETURNS text LANGUAGE plpgsql VOLATILE AS $$ BEGIN"
        + " PERFORM pg_advisory_xact_lock(5);"
        + " UPDATE other SET note = 'audited'; RETURN $1; END $$",
    "CREATE OR REPLACE VIEW named AS SELECT label(name) AS name FROM item"
  };

  /** The ways in which a query may reach the server. */
  private enum Way {
    PLAIN,
    PREPARED,
    VIEW,
    COPY,
    CURSOR;

    void run(Connection connection) throws SQLException, IOException {
      switch (this) {
        case PLAIN -> rows(connection, LABELS);
        case VIEW -> rows(connection, "SELECT name FROM named");
        case PREPARED -> {
          try (PreparedStatement select = connection.prepareStatement(LABELS + " WHERE id < ?")) {
            // Prepared at the server, and to be planned again.
            select.unwrap(PGStatement.class).setPrepareThreshold(-1);
            select.setInt(1, 9);
            select.executeQuery().close();
          }
        }
        case COPY ->
            connection
                .unwrap(PGConnection.class)
                .getCopyAPI()
                .copyOut("COPY (" + LABELS + ") TO STDOUT", new StringWriter());
        case CURSOR ->
            LarderProbe.run(
                connection,
                "BEGIN",
                "DECLARE c CURSOR FOR " + LABELS,
                "FETCH ALL FROM c",
                "COMMIT");
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Way.class)
  void aQueryThatIsTurnedIntoAWriterWhileItWaitsMakesNothingStale(Way way) throws Exception {
    prepareHarmless();
    run(past, "SELECT pg_advisory_lock(5)");
    try (var reader = LarderProbe.connect(database)) {
      int pid = pid(reader);
      run(two, WRITING_FUNCTION);
      Future<?> query = asyncQuery(way, reader);
      awaitBlocked(pid);
      run(two, "COMMIT");
      awaitBlockedOnAdvisoryLock(pid);
      LarderProbe.awaitCatalog(one);
      rows(one, NOTES);
      rows(one, NOTES);
      run(past, "SELECT pg_advisory_unlock(5)");
      get(query);
      assertThat(rows(one, NOTES)).containsExactly("audited");
      assertCachedAgain(one, NOTES, "audited");
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aTransactionWhoseQueryWasTurnedIntoAWriterCommitsAsAWriter(boolean byLarder)
      throws Exception {
    prepareHarmless();
    try (var reader = LarderProbe.connect(database)) {
      int pid = pid(reader);
      Connection changing = byLarder ? two : past;
      run(changing, WRITING_FUNCTION);
      reader.setAutoCommit(false);
      Future<?> query = asyncQuery(Way.PLAIN, reader);
      awaitBlocked(pid);
      run(changing, "COMMIT");
      get(query);
      if (!byLarder) {
        long before = catalog().version();
        await(
            () -> {
              rows(one, NOTES);
              return catalog().version() > before;
            });
      }
      fillBoth();
      assertLive(reader, NOTES, "audited");
      assertHit(one, NOTES, "x");
      reader.commit();
      assertThat(rows(one, NOTES)).containsExactly("audited");
      assertCachedAgain(one, NOTES, "audited");
    }
  }

  @Test
  void aPreparedTransactionKeepsWhatItsQueriesMayHaveBecome() throws Exception {
    prepareHarmless();
    try (var reader = LarderProbe.connect(database)) {
      int pid = pid(reader);
      run(two, WRITING_FUNCTION);
      reader.setAutoCommit(false);
      Future<?> query = asyncQuery(Way.PLAIN, reader);
      awaitBlocked(pid);
      run(two, "COMMIT");
      get(query);
      run(reader, "PREPARE TRANSACTION 'turned'");
      fillBoth();
      run(two, "COMMIT PREPARED 'turned'");
      assertThat(rows(one, NOTES)).containsExactly("audited");
      assertCachedAgain(one, NOTES, "audited");
    }
  }

  private void prepareHarmless() throws SQLException {
    run(one, HARMLESS);
    fillBoth();
  }

  private Future<?> asyncQuery(Way way, Connection connection) {
    return async(
        () -> {
          way.run(connection);
          return true;
        });
  }
}
