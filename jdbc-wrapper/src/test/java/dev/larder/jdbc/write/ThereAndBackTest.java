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
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The catalog changes and is back before it is compared; and words that only the server can read.
 */
@Tag("regression")
final class ThereAndBackTest {
  private static final String LOG = "SELECT count(*) FROM log";
  private static final String ITEM = "SELECT name FROM item WHERE id = 1";
  private TestDatabase database;
  private Connection reader;
  private Connection writer;
  private Connection ddl;

  private static String fn(String body) {
    return "CREATE OR REPLACE FUNCTION log_that() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
        + body
        + " RETURN NULL; END $$";
  }

  @BeforeEach
  void create() throws SQLException {
    database = TestDatabase.create();
    database.execute(
        "CREATE TABLE item (id int PRIMARY KEY, name text)",
        "INSERT INTO item VALUES (1, 'a')",
        "CREATE TABLE other (id int PRIMARY KEY, name text)",
        "INSERT INTO other VALUES (1, 'b')",
        "CREATE TABLE log (what text)",
        fn(""),
        "CREATE TRIGGER t AFTER UPDATE ON other FOR EACH ROW EXECUTE FUNCTION log_that()");
    reader = LarderProbe.connect(database);
    writer = LarderProbe.connect(database);
    ddl = LarderProbe.connect(database);
    fill(reader, ITEM);
    fill(reader, LOG);
  }

  @AfterEach
  void drop() throws SQLException {
    reader.close();
    writer.close();
    ddl.close();
    database.close();
  }

  @Test
  void thereAndBack() throws SQLException {
    try (Connection blocking = database.connect()) {
      blocking.setAutoCommit(false);
      block(blocking);
      run(ddl, fn("INSERT INTO log VALUES (1);"));
      writer.setAutoCommit(false);
      run(writer, "UPDATE other SET name = 'c' WHERE id = 1");
      run(ddl, fn(""));
      blocking.rollback();
    }
    awaitCatalog(reader);
    fill(reader, LOG);
    writer.commit();
    assertThat(rows(reader, LOG)).containsExactly("1");
  }

  private void block(Connection blocking) throws SQLException {
    database.execute("SELECT txid_current()"); // Else there is nothing to compare.
    run(blocking, "LOCK TABLE pg_policy IN ACCESS EXCLUSIVE MODE");
    reader
        .unwrap(CachingConnection.class)
        .physical()
        .cache()
        .database()
        .catalog()
        .reloadRequested();
    try {
      dev.larder.testing.Waiting.until(
          "lock",
          () ->
              rows(
                          blocking,
                          "SELECT 1 FROM pg_locks WHERE relation = 'pg_policy'::regclass AND NOT granted")
                      .size()
                  == 1);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private Object bare() throws SQLException {
    try (Connection c = database.connect()) {
      return rows(c, LOG);
    }
  }

  @Test
  void localCharacteristics() throws SQLException {
    run(writer, "SET default_transaction_isolation = 'serializable'");
    writer.setAutoCommit(false);
    run(writer, "SET LOCAL SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL READ COMMITTED");
    writer.commit();
    awaitCatalog(writer);
    rows(writer, "SELECT 1");
    writer.commit();
    boolean hit = isHit(writer, ITEM);
    assertThat(hit).isFalse();
  }

  @Test
  void settingThereAndBackLocked() throws SQLException {
    setting(true);
  }

  @Test
  void settingThereAndBackFree() throws SQLException {
    setting(false);
  }

  private void setting(boolean locked) throws SQLException {
    run(
        ddl,
        "CREATE SCHEMA apart; CREATE TABLE apart.item (id int, name text);"
            + " INSERT INTO apart.item VALUES (1, 'apart');"
            + " CREATE FUNCTION sets() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
            + " PERFORM set_config('search_path', 'apart', false); RETURN NULL; END $$");
    awaitCatalog(writer);
    fill(writer, ITEM);
    fill(reader, ITEM);
    try (Connection blocking = database.connect()) {
      blocking.setAutoCommit(false);
      if (locked) {
        block(blocking);
      }
      run(
          ddl,
          "CREATE TRIGGER u AFTER UPDATE ON public.other FOR EACH ROW EXECUTE FUNCTION sets()");
      run(writer, "UPDATE public.other SET name = 'c' WHERE id = 1");
      run(ddl, "DROP TRIGGER u ON public.other");
      blocking.rollback();
    }
    awaitCatalog(reader);
    fill(reader, ITEM);
    awaitCatalog(writer);
    Object first = rows(writer, ITEM);
    assertThat(rows(writer, ITEM)).containsExactly("apart");
  }

  @Test
  void unicodeSavepoint() throws SQLException {
    run(
        ddl,
        "CREATE SCHEMA apart; CREATE TABLE apart.item (id int, name text);"
            + " INSERT INTO apart.item VALUES (1, 'apart')");
    awaitCatalog(writer);
    fill(reader, ITEM);
    fill(writer, ITEM);
    writer.setAutoCommit(false);
    run(writer, "SAVEPOINT a", "SET search_path = apart");
    run(writer, "SAVEPOINT U&\"\\0061\"", "SET search_path = public", "ROLLBACK TO a");
    Object got = rows(writer, ITEM);
    assertThat(got).isEqualTo(java.util.List.of("apart"));
  }

  @Test
  void renameThereAndBack() throws SQLException {
    run(ddl, "CREATE SCHEMA s1; CREATE TABLE s1.item (id int, name text)");
    run(writer, "SET search_path = s1, public");
    awaitCatalog(writer);
    rows(writer, ITEM);
    rows(writer, ITEM);
    String read = "SELECT name FROM public.item WHERE id = 2";
    fill(reader, read);
    long version = LarderProbe.catalogVersion(reader);
    writer.setAutoCommit(false);
    try (Connection blocking = database.connect()) {
      blocking.setAutoCommit(false);
      block(blocking);
      run(ddl, "ALTER TABLE s1.item RENAME TO item_old");
      run(writer, "INSERT INTO item VALUES (2, 'new')");
      run(ddl, "ALTER TABLE s1.item_old RENAME TO item");
      blocking.rollback();
    }
    awaitCatalog(reader);
    fill(reader, read);
    writer.commit();
    assertThat(rows(reader, read)).containsExactly("new");
  }
}
