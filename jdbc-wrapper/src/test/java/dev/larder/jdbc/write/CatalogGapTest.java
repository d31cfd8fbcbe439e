package dev.larder.jdbc.write;

import static dev.larder.jdbc.LarderProbe.awaitCatalog;
import static dev.larder.jdbc.LarderProbe.fill;
import static dev.larder.jdbc.LarderProbe.isHit;
import static dev.larder.jdbc.LarderProbe.rows;
import static dev.larder.jdbc.LarderProbe.run;
import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.TestDatabase;
import dev.larder.jdbc.statement.CachingConnection;
import dev.larder.testing.Waiting;
import dev.larder.watch.Catalog;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Statements while the catalog is compared with the database: they write what they say. */
final class CatalogGapTest {
  private static final String ITEM = "SELECT name FROM item WHERE id = 1";
  private static final String OTHER = "SELECT name FROM other WHERE id = 1";
  private static final String OTHER_ROW = "SELECT name FROM other WHERE id = 2";
  private static final String LOG = "SELECT count(*) FROM log";

  private TestDatabase database;
  private Connection reader;
  private Connection writer;

  @BeforeEach
  void create() throws SQLException {
    database = TestDatabase.create();
    database.execute(
        "CREATE TABLE item (id int PRIMARY KEY, name text)",
        "INSERT INTO item VALUES (1, 'a')",
        "CREATE TABLE other (id int PRIMARY KEY, name text)",
        "INSERT INTO other VALUES (1, 'b')",
        "CREATE TABLE log (what text)",
        "CREATE FUNCTION log_it() RETURNS int LANGUAGE sql"
            + " AS 'INSERT INTO log VALUES (1); SELECT 1'",
        "CREATE FUNCTION log_that() RETURNS trigger LANGUAGE plpgsql"
            + " AS $$ BEGIN INSERT INTO log VALUES (1); RETURN NULL; END $$",
        "CREATE FUNCTION pure() RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT 1'");
    database.awaitCountOf(3);
    reader = LarderProbe.connect(database);
    writer = LarderProbe.connect(database);
    fill(reader, ITEM);
    fill(reader, LOG);
  }

  @AfterEach
  void drop() throws SQLException {
    reader.close();
    writer.close();
    database.close();
  }

  private static Catalog catalog(Connection connection) throws SQLException {
    return connection.unwrap(CachingConnection.class).physical().cache().database().catalog();
  }

  private long writesOfEverything() throws SQLException {
    return LarderProbe.count(reader, "writes_of_everything");
  }

  @Test
  void aQueryIsNoWriteAndNoResultIsLost() throws SQLException {
    long before = writesOfEverything();
    catalog(reader).reloadRequested();
    assertThat(rows(reader, OTHER)).containsExactly("b");
    assertThat(rows(reader, ITEM)).containsExactly("a");
    awaitCatalog(reader);
    assertThat(writesOfEverything()).isEqualTo(before);
    assertThat(isHit(reader, ITEM)).isTrue();
  }

  @Test
  void aTransactionThatBeginsInTheGapHitsAfterIt() throws SQLException {
    fill(reader, OTHER);
    reader.setAutoCommit(false);
    catalog(reader).reloadRequested();
    rows(reader, ITEM);
    awaitCatalog(reader);
    assertThat(isHit(reader, OTHER)).isTrue();
    reader.commit();
  }

  @Test
  void aQueryThatWritesDoesSoInTheGap() throws SQLException {
    catalog(reader).reloadRequested();
    rows(writer, "SELECT log_it()");
    awaitCatalog(reader);
    assertThat(rows(reader, LOG)).containsExactly("1");
  }

  @Test
  void aFunctionThatOthersHaveTurnedIntoAWriterIsFoundBeforeTheNextHit() throws SQLException {
    database.execute(
        "CREATE OR REPLACE FUNCTION pure() RETURNS int LANGUAGE sql"
            + " AS 'INSERT INTO log VALUES (1); SELECT 1'");
    catalog(reader).reloadRequested();
    rows(writer, "SELECT pure()");
    awaitCatalog(reader);
    assertThat(rows(reader, LOG)).containsExactly("1");
  }

  @Test
  void aFunctionThatThisConnectionHasTurnedIntoAWriterIsFoundToo() throws SQLException {
    run(
        writer,
        "CREATE OR REPLACE FUNCTION pure() RETURNS int LANGUAGE sql"
            + " AS 'INSERT INTO log VALUES (1); SELECT 1'");
    rows(writer, "SELECT pure()");
    assertThat(rows(reader, LOG)).containsExactly("1");
    awaitCatalog(reader);
    assertThat(rows(reader, LOG)).containsExactly("1");
  }

  @Test
  void aTableThatBecameAViewOverAWriterIsFoundToo() throws SQLException {
    run(
        writer,
        "BEGIN; DROP TABLE other; CREATE VIEW other AS SELECT 1 AS id, log_it()::text AS name;"
            + " COMMIT");
    rows(writer, OTHER);
    awaitCatalog(reader);
    assertThat(rows(reader, LOG)).containsExactly("1");
  }

  @Test
  void aWriteInTheGapLosesItsRowsAndNoOthers() throws SQLException {
    database.execute("INSERT INTO other VALUES (2, 'z')");
    fill(reader, OTHER);
    fill(reader, OTHER_ROW);
    long before = writesOfEverything();
    catalog(reader).reloadRequested();
    run(writer, "UPDATE other SET name = 'c' WHERE id = 1");
    awaitCatalog(reader);
    assertThat(rows(reader, OTHER)).containsExactly("c");
    assertThat(isHit(reader, ITEM)).isTrue();
    assertThat(isHit(reader, OTHER_ROW)).isTrue();
    assertThat(writesOfEverything()).isEqualTo(before);
  }

  @Test
  void aTransactionThatWritesInTheGapLosesItsTableOnly() throws SQLException {
    fill(reader, OTHER);
    writer.setAutoCommit(false);
    catalog(reader).reloadRequested();
    run(writer, "INSERT INTO item VALUES (2, 'x')", "UPDATE item SET name = 'd' WHERE id = 1");
    awaitCatalog(reader);
    assertThat(isHit(writer, OTHER)).isTrue();
    assertThat(rows(writer, ITEM)).containsExactly("d");
    assertThat(rows(reader, ITEM)).containsExactly("a");
    writer.commit();
    assertThat(rows(reader, ITEM)).containsExactly("d");
    assertThat(isHit(reader, OTHER)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aTriggerThatTheLastCatalogHasNotIsFoundBeforeTheNextHit(boolean others) throws SQLException {
    String trigger =
        "CREATE TRIGGER t AFTER UPDATE ON other FOR EACH ROW EXECUTE FUNCTION log_that()";
    if (others) {
      database.execute(trigger);
      catalog(reader).reloadRequested();
    } else {
      run(writer, trigger);
    }
    run(writer, "UPDATE other SET name = 'c' WHERE id = 1");
    awaitCatalog(reader);
    assertThat(rows(reader, LOG)).containsExactly("1");
    fill(reader, LOG);
    run(writer, "UPDATE other SET name = 'd' WHERE id = 1");
    assertThat(rows(reader, LOG)).containsExactly("2");
  }

  @Test
  void aTransactionWhoseTriggerIsFoundLaterHasWrittenEverything() throws SQLException {
    writer.setAutoCommit(false);
    database.execute(
        "CREATE TRIGGER t AFTER UPDATE ON other FOR EACH ROW EXECUTE FUNCTION log_that()");
    catalog(reader).reloadRequested();
    run(writer, "UPDATE other SET name = 'c' WHERE id = 1");
    awaitCatalog(reader);
    fill(reader, LOG);
    assertThat(rows(writer, LOG)).containsExactly("1");
    assertThat(rows(reader, LOG)).containsExactly("0");
    writer.commit();
    assertThat(rows(reader, LOG)).containsExactly("1");
  }

  @Test
  void aSettingThatATriggerChangesInTheGapIsKnown() throws SQLException {
    run(
        writer,
        "CREATE SCHEMA apart; CREATE TABLE apart.item (id int, name text);"
            + " INSERT INTO apart.item VALUES (1, 'apart')");
    awaitCatalog(writer);
    fill(writer, ITEM);
    fill(reader, ITEM);
    database.execute(
        "CREATE FUNCTION sets() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
            + " PERFORM set_config('search_path', 'apart', false); RETURN NULL; END $$",
        "CREATE TRIGGER t AFTER UPDATE ON other FOR EACH ROW EXECUTE FUNCTION sets()");
    catalog(reader).reloadRequested();
    run(writer, "UPDATE other SET name = 'c' WHERE id = 1");
    awaitCatalog(reader);
    fill(reader, ITEM);
    assertThat(rows(writer, ITEM)).containsExactly("apart");
  }

  /** As nobody knows what ran while there was no catalog, it is compared once more. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whatATriggerDoesToTheCatalogInTheGapIsFoundAtOnce(boolean inTransaction) throws Exception {
    try (Connection blocking = database.connect()) {
      blocking.setAutoCommit(false);
      run(blocking, "LOCK TABLE pg_range IN ACCESS EXCLUSIVE MODE");
      database.execute(
          "CREATE OR REPLACE FUNCTION log_that() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
              + " CREATE FUNCTION made() RETURNS int LANGUAGE sql AS 'SELECT 1'; RETURN NULL;"
              + " END $$",
          "CREATE TRIGGER t AFTER UPDATE ON other FOR EACH ROW EXECUTE FUNCTION log_that()");
      long before = LarderProbe.catalogVersion(reader);
      catalog(reader).reloadRequested();
      Waiting.until("Larder waits for the lock", () -> isAwaited(blocking));
      writer.setAutoCommit(!inTransaction);
      run(writer, "UPDATE other SET name = 'c' WHERE id = 1");
      if (inTransaction) {
        writer.commit();
      }
      blocking.rollback();
      // Sooner than every five seconds.
      Waiting.until(
          Duration.ofMillis(4500),
          () -> "both are found",
          () -> LarderProbe.catalogVersion(reader) >= before + 2);
    }
  }

  private static boolean isAwaited(Connection blocking) throws SQLException {
    return rows(
                blocking,
                "SELECT 1 FROM pg_locks WHERE relation = 'pg_range'::regclass AND NOT granted")
            .size()
        == 1;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ANALYZE",
        "ANALYZE other",
        "VACUUM ANALYZE other",
        "REINDEX TABLE other",
        "COMMENT ON TABLE other IS 'one'"
      })
  void whatChangesNoMeaningLosesNothing(String sql) throws SQLException {
    fill(reader, OTHER);
    long before = writesOfEverything();
    run(writer, sql);
    awaitCatalog(reader);
    assertThat(isHit(reader, ITEM)).isTrue();
    assertThat(isHit(reader, OTHER)).isTrue();
    catalog(reader).doubted(); // And nothing is lost as it is compared.
    run(writer, "UPDATE other SET name = 'c' WHERE id = 1");
    catalog(reader).reloadRequested();
    awaitCatalog(reader);
    assertThat(isHit(reader, ITEM)).isTrue();
    assertThat(rows(reader, OTHER)).containsExactly("c");
    assertThat(writesOfEverything()).isEqualTo(before);
  }

  /** It cannot be told from a right that came and went. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "VACUUM FULL other",
        "CLUSTER other USING other_pkey",
        "TRUNCATE empty",
      })
  void whatReplacesTheRowOfATableLosesThatTableAlone(String sql) throws SQLException {
    database.execute("CREATE TABLE empty (id int)");
    catalog(reader).reloadRequested();
    awaitCatalog(reader);
    fill(reader, ITEM);
    fill(reader, LOG);
    long before = writesOfEverything();
    run(writer, sql);
    catalog(reader).comparisonRequested();
    awaitCatalog(reader);
    assertThat(isHit(reader, ITEM)).isTrue();
    assertThat(isHit(reader, LOG)).isTrue();
    assertThat(writesOfEverything()).isEqualTo(before);
  }

  /** As after a minute without a statement. */
  @Test
  void theEndOfTheThreadThatComparesLosesNothing() throws Exception {
    long before = writesOfEverything();
    List<Thread> comparing =
        Thread.getAllStackTraces().keySet().stream()
            .filter(thread -> thread.getName().startsWith("larder-catalog"))
            .toList();
    assertThat(comparing).isNotEmpty();
    comparing.forEach(Thread::interrupt);
    for (Thread each : comparing) {
      each.join();
    }
    assertThat(rows(reader, OTHER)).containsExactly("b");
    awaitCatalog(reader);
    assertThat(isHit(reader, ITEM)).isTrue();
    assertThat(isHit(reader, LOG)).isTrue();
    assertThat(writesOfEverything()).isEqualTo(before);
  }

  @Test
  void readersBesideDdlWriteNothing() throws Exception {
    long before = writesOfEverything();
    for (int i = 0; i < 5; i++) {
      run(writer, "CREATE TABLE made_" + i + " (id int)");
      while (catalog(reader).current() == null) {
        rows(reader, OTHER);
      }
    }
    // The DDL itself, and the catalog that was found to differ.
    assertThat(writesOfEverything() - before).isLessThanOrEqualTo(10);
  }
}
