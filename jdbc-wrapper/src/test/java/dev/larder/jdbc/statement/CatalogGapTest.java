package dev.larder.jdbc.statement;

import static dev.larder.jdbc.statement.LarderProbe.awaitCatalog;
import static dev.larder.jdbc.statement.LarderProbe.fill;
import static dev.larder.jdbc.statement.LarderProbe.isHit;
import static dev.larder.jdbc.statement.LarderProbe.rows;
import static dev.larder.jdbc.statement.LarderProbe.run;
import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.jdbc.TestDatabase;
import dev.larder.watch.Catalog;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What queries do while the catalog is compared with the database: they read, and no more. */
final class CatalogGapTest {
  private static final String ITEM = "SELECT name FROM item WHERE id = 1";
  private static final String OTHER = "SELECT name FROM other WHERE id = 1";
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
        "CREATE FUNCTION pure() RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT 1'");
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
