package dev.larder.jdbc.caching;

import static dev.larder.jdbc.caching.LarderProbe.rows;
import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.catalog.Catalog;
import java.sql.SQLException;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** A trigger that appears between the look-up of a write and its execution. */
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
      long before = catalog().generation();
      run(past, "COMMIT");
      awaitBlockedOnAdvisoryLock(pid);
      await(
          () -> {
            rows(one, NOTES);
            return catalog().generation() > before;
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
}
