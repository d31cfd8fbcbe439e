package dev.larder.jdbc.write;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.bypass.BypassReason;
import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.ProtocolFixture;
import dev.larder.jdbc.statement.CachingConnection;
import dev.larder.testing.Waiting;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * An application with a temporary table in each transaction invalidates what it writes and nothing
 * else; what a temporary object does elsewhere is seen.
 */
@Tag("regression")
final class TemporaryTablesTest extends ProtocolFixture {
  private static long catalogVersion(Connection connection) throws SQLException {
    return connection
        .unwrap(CachingConnection.class)
        .physical()
        .cache()
        .database()
        .catalog()
        .version();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "CREATE TEMP TABLE work (id int) ON COMMIT DROP;"
            + "INSERT INTO work SELECT id FROM item;"
            + "CREATE INDEX ON work (id);ANALYZE work;SELECT count(*) FROM work;"
            + "UPDATE item SET name = 'c' WHERE id IN (SELECT id FROM work WHERE id = 1);"
            + "TRUNCATE work;DELETE FROM work",
        "CREATE LOCAL TEMPORARY TABLE IF NOT EXISTS work AS SELECT * FROM item;"
            + "UPDATE item SET name = 'c' WHERE id = 1;DROP TABLE IF EXISTS work"
      })
  void temporaryTableInEachTransactionCostsNothingElse(String statements) throws SQLException {
    fillBoth();
    long before = catalogVersion(one);
    two.setAutoCommit(false);
    for (int i = 0; i < 3; i++) {
      run(two, statements.split(";", -1));
      two.commit();
      assertHit(one, NOTES, "x");
      assertThat(catalogVersion(one)).isEqualTo(before);
      assertCachedAgain(one, ITEMS, "c", "b");
    }
    two.setAutoCommit(true);
    assertHit(two, NOTES, "x");
    assertHit(two, ITEMS, "c", "b");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "CREATE TEMP VIEW work AS SELECT * FROM item;INSERT INTO work VALUES (3, 'c')",
        "CREATE TEMP TABLE work (x int);"
            + "CREATE TRIGGER adds AFTER INSERT ON work EXECUTE FUNCTION add_row();"
            + "INSERT INTO work VALUES (1)",
        "CREATE TEMP TABLE work (x int DEFAULT add());INSERT INTO work DEFAULT VALUES",
        "CREATE TEMP TABLE work (id int, x code);INSERT INTO work (id) VALUES (1)",
        "CREATE TEMP TABLE work (LIKE coded);INSERT INTO work (id) VALUES (1)",
        "CREATE TEMP TABLE work AS SELECT * FROM coded;INSERT INTO work (id) VALUES (1)",
        "CREATE TEMP TABLE work (LIKE like_this INCLUDING ALL);INSERT INTO work DEFAULT VALUES",
        "CREATE TEMP TABLE work (x int);"
            + "CREATE RULE adds AS ON INSERT TO work DO ALSO INSERT INTO item VALUES (3, 'c');"
            + "INSERT INTO work VALUES (1)",
        "SELECT makes_work();INSERT INTO work VALUES (1)",
        "CREATE TEMP TABLE item (id int, name text);DROP TABLE item;INSERT INTO item VALUES (3, 'c')",
        "CREATE TEMP TABLE work (x int);DROP TABLE work;SELECT add()",
        "SET search_path = public, pg_temp;CREATE TEMP TABLE item (x int);"
            + "INSERT INTO item VALUES (3, 'c')"
      })
  void whatTemporaryObjectsWriteElsewhereIsSeen(String statements) throws SQLException {
    run(
        past,
        "CREATE FUNCTION add() RETURNS int LANGUAGE sql AS"
            + " $$ INSERT INTO item VALUES (3, 'c'); SELECT 1 $$",
        "CREATE TABLE like_this (x int DEFAULT add())",
        "CREATE DOMAIN code AS int DEFAULT add()",
        "CREATE TABLE coded (id int, x code)",
        "CREATE FUNCTION add_row() RETURNS trigger LANGUAGE plpgsql AS"
            + " 'BEGIN PERFORM add(); RETURN NULL; END'",
        "CREATE FUNCTION makes_work() RETURNS int LANGUAGE plpgsql AS 'BEGIN"
            + " CREATE TEMP TABLE work (x int);"
            + " CREATE TRIGGER adds AFTER INSERT ON work EXECUTE FUNCTION add_row();"
            + " RETURN 1; END'");
    try (Connection writer = LarderProbe.connect(database)) {
      run(writer, "COMMENT ON TABLE item IS 'the functions above are read now'");
      LarderProbe.awaitCatalog(writer);
      LarderProbe.fill(one, ITEMS);
      run(writer, statements.split(";", -1));
      assertThat(LarderProbe.rows(one, ITEMS)).containsExactly("a", "b", "c");
    }
  }

  @Test
  void whatATemporaryTableChecksMayComeToWrite() throws SQLException {
    run(
        one,
        "CREATE FUNCTION fits(int) RETURNS bool LANGUAGE plpgsql STABLE AS 'BEGIN RETURN true; END'");
    LarderProbe.awaitCatalog(one);
    run(two, "CREATE TEMP TABLE work (x int CHECK (fits(x)))");
    run(
        one,
        "CREATE OR REPLACE FUNCTION fits(int) RETURNS bool LANGUAGE plpgsql AS"
            + " $$BEGIN INSERT INTO public.item VALUES (3, 'c'); RETURN true; END$$");
    LarderProbe.awaitCatalog(one);
    LarderProbe.fill(one, ITEMS);
    run(two, "INSERT INTO work VALUES (1)");
    assertThat(LarderProbe.rows(one, ITEMS)).containsExactly("a", "b", "c");
  }

  @Test
  void whatNamesNoTemporaryTableHitsBesideOne() throws SQLException {
    fillBoth();
    run(two, "CREATE TEMP TABLE work (id int PRIMARY KEY, name text)");
    assertHit(two, NOTES, "x");
    assertHit(two, ITEMS, "a", "b");
    run(two, "INSERT INTO work VALUES (1, 'w')", "UPDATE work SET name = 'v'");
    assertHit(two, ITEMS, "a", "b");
    run(two, "UPDATE item SET name = 'c' WHERE id = 1");
    assertCachedAgain(two, ITEMS, "c", "b");
    assertHit(one, NOTES, "x");
    assertHit(one, ITEMS, "c", "b");
    two.setAutoCommit(false);
    assertHit(two, ITEMS, "c", "b");
    run(two, "UPDATE work SET name = 'u'");
    assertHit(two, NOTES, "x");
    try (PreparedStatement batch = two.prepareStatement("INSERT INTO work VALUES (?, ?)")) {
      for (int i = 2; i < 5; i++) {
        batch.setInt(1, i);
        batch.setString(2, "n");
        batch.addBatch();
      }
      batch.executeBatch();
    }
    assertHit(two, NOTES, "x");
    two.commit();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "CREATE TEMP TABLE item AS SELECT 5 AS id, 'hidden'::text AS name",
        "CREATE TEMP TABLE spare (id int CONSTRAINT item PRIMARY KEY)",
        "CREATE TEMP TABLE spare (id int);CREATE INDEX item ON spare (id)",
        "CREATE TEMP TABLE spare (id int);ALTER TABLE spare RENAME TO item",
        "CREATE TEMP TABLE spare (id int, name text);BEGIN;ALTER TABLE spare RENAME TO item;COMMIT",
        "CREATE TEMP TABLE item (id int, name text);BEGIN;DROP TABLE item;ROLLBACK",
        "BEGIN;SAVEPOINT s;CREATE TEMP TABLE item (id int, name text);SAVEPOINT t;"
            + "DROP TABLE item;ROLLBACK TO t;COMMIT",
        "CREATE TEMP VIEW item AS SELECT 5 AS id, 'hidden'::text AS name",
        "CREATE TEMP SEQUENCE item",
        "CREATE TEMP TABLE spare (id int);DO 'BEGIN EXECUTE ''ALTER TABLE spare RENAME TO item''!END'",
        "CREATE FUNCTION hide() RETURNS int LANGUAGE sql AS"
            + " 'ALTER TABLE pg_temp.spare RENAME TO item! SELECT 1';"
            + "CREATE TEMP TABLE spare (id int, name text);SELECT hide()",
      })
  void whatATemporaryObjectHidesIsNoHit(String statements) throws SQLException {
    fillBoth();
    run(two, texts(statements));
    try (Connection bare = database.connect()) {
      run(bare, texts(statements.replace("CREATE FUNCTION", "CREATE OR REPLACE FUNCTION")));
      assertThat(answer(two, ITEMS)).isEqualTo(answer(bare, ITEMS));
      assertThat(answer(two, ITEMS)).isEqualTo(answer(bare, ITEMS));
    }
    // Counted by another session: to this one, what counts may be a write of anything.
    long hits = LarderProbe.hits(one);
    Waiting.until(
        "a hit beside it",
        () -> {
          assertThat(LarderProbe.rows(two, NOTES)).containsExactly("x");
          return LarderProbe.hits(one) > hits;
        });
  }

  /** A temporary table may inherit from one that is not: its rows are those of its session. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "CREATE TEMP TABLE spare () INHERITS (item)",
        "BEGIN;CREATE TEMP TABLE spare () INHERITS (item);COMMIT",
        "CREATE TEMP TABLE spare (id int NOT NULL, name text);ALTER TABLE spare INHERIT item",
        "CREATE TABLE middle () INHERITS (item);CREATE TEMP TABLE spare () INHERITS (middle)",
      })
  void rowsOfATemporaryChildAreThoseOfItsSession(String statements) throws SQLException {
    fillBoth();
    run(two, texts(statements));
    LarderProbe.awaitCatalog(two);
    assertThat(LarderProbe.rows(one, ITEMS)).containsExactly("a", "b");
    run(two, "INSERT INTO spare VALUES (3, 'c')");
    for (int i = 0; i < 3; i++) {
      assertThat(LarderProbe.rows(two, ITEMS)).containsExactly("a", "b", "c");
      assertThat(LarderProbe.rows(one, ITEMS)).containsExactly("a", "b");
    }
    run(one, "UPDATE item SET name = 'd' WHERE id = 1");
    for (int i = 0; i < 3; i++) {
      assertThat(LarderProbe.rows(two, ITEMS)).containsExactly("d", "b", "c");
      assertThat(LarderProbe.rows(one, ITEMS)).containsExactly("d", "b");
    }
    run(two, "DROP TABLE spare");
    assertCachedAgain(two, ITEMS, "d", "b");
  }

  /** The names of types and partitions are shown with their schema where another one hides them. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT pg_typeof(m) FROM moods",
        "SELECT pg_catalog.\"pg_typeof\"(m)::text FROM moods",
        "SELECT tableoid::regclass FROM parts",
        "SELECT tableoid::regclass::text FROM parts",
        "SELECT current_schema, id FROM moods",
        "SELECT current_schema() FROM moods",
        "SELECT shown FROM types",
        "SELECT shown FROM tables",
        "SELECT shown FROM schemas",
        "SELECT id FROM guarded"
      })
  void whatATemporaryObjectHasShownOtherwiseIsNoHit(String read) throws SQLException {
    run(
        one,
        "CREATE TYPE mood AS ENUM ('glad')",
        "CREATE TABLE moods (id int, m mood)",
        "INSERT INTO moods VALUES (1, 'glad')",
        "CREATE TABLE parts (id int) PARTITION BY RANGE (id)",
        "CREATE TABLE low PARTITION OF parts FOR VALUES FROM (0) TO (9)",
        "INSERT INTO parts VALUES (1)",
        "CREATE VIEW types AS SELECT pg_typeof(m)::text AS shown FROM moods",
        "CREATE VIEW tables AS SELECT tableoid::regclass::text AS shown FROM parts",
        "CREATE VIEW schemas AS SELECT current_schema() AS shown FROM moods",
        "CREATE TABLE guarded (id int, m mood)",
        "INSERT INTO guarded VALUES (1, 'glad')",
        "ALTER TABLE guarded ENABLE ROW LEVEL SECURITY",
        "ALTER TABLE guarded FORCE ROW LEVEL SECURITY",
        "CREATE POLICY shown ON guarded USING (pg_typeof(m)::text = 'mood')",
        "DROP ROLE IF EXISTS timid",
        "CREATE ROLE timid",
        "GRANT SELECT ON guarded, moods, parts, types, tables, schemas TO timid");
    LarderProbe.awaitCatalog(one);
    String[] hiding = {
      "SET ROLE timid", "CREATE TEMP TABLE mood (id int)", "CREATE TEMP TABLE low (id int)"
    };
    try (Connection bare = database.connect();
        Connection clean = database.connect()) {
      run(one, "SET ROLE timid");
      run(clean, "SET ROLE timid");
      run(two, hiding);
      run(bare, hiding);
      if (read.contains("schema")) {
        run(two, "SET search_path = pg_temp, public");
        run(bare, "SET search_path = pg_temp, public");
      }
      shown(two, read); // So that the server has told what is temporary.
      for (int i = 0; i < 4; i++) {
        LarderProbe.fill(one, read);
        assertThat(shown(one, read)).isEqualTo(shown(clean, read));
        assertThat(shown(two, read)).isEqualTo(shown(bare, read));
      }
    } finally {
      run(past, "DROP OWNED BY timid", "DROP ROLE timid");
    }
  }

  private static String shown(Connection connection, String sql) throws SQLException {
    return LarderProbe.rows(connection, sql).toString().replaceAll("pg_temp_\\d+", "pg_temp");
  }

  @Test
  void functionThatReadsByNameSeesTheTemporaryTable() throws SQLException {
    run(
        one,
        "CREATE FUNCTION items() RETURNS bigint STABLE LANGUAGE plpgsql AS"
            + " 'BEGIN RETURN (SELECT count(*) FROM item); END'");
    String read = "SELECT items(), note FROM other";
    LarderProbe.rows(one, read);
    run(two, "CREATE TEMP TABLE item (id int)");
    assertThat(LarderProbe.rows(two, read)).containsExactly("0,x");
    assertThat(LarderProbe.rows(two, read)).containsExactly("0,x");
    assertThat(LarderProbe.rows(one, read)).containsExactly("2,x");
  }

  /** Semicolons within a text are written as exclamation marks. */
  private static String[] texts(String statements) {
    String[] texts = statements.split(";", -1);
    Arrays.setAll(texts, i -> texts[i].replace('!', ';'));
    return texts;
  }

  private static List<String> answer(Connection connection, String sql) {
    try {
      return LarderProbe.rows(connection, sql);
    } catch (SQLException e) {
      return List.of(String.valueOf(e.getSQLState()));
    }
  }

  @Test
  void ddlOfOthersCostsASessionWithATemporaryTableNothingElse() throws SQLException {
    fillBoth();
    run(two, "CREATE TEMP TABLE work (x int)");
    run(one, "CREATE FUNCTION fits(int) RETURNS bool LANGUAGE sql IMMUTABLE AS 'SELECT true'");
    LarderProbe.awaitCatalog(one);
    fillBoth();
    run(two, "UPDATE item SET name = 'c' WHERE id = 1");
    assertHit(one, NOTES, "x");
    assertCachedAgain(one, ITEMS, "c", "b");
  }

  @Test
  void nameOfATemporaryTableThatIsGoneMayBeThatOfAnother() throws SQLException {
    fillBoth();
    two.setAutoCommit(false);
    run(two, "CREATE TEMP TABLE work (id int)");
    two.rollback();
    run(past, "CREATE VIEW work AS SELECT id, name FROM item");
    run(two, "INSERT INTO work VALUES (3, 'c')");
    two.commit();
    assertThat(LarderProbe.rows(one, ITEMS)).containsExactly("a", "b", "c");
  }

  /**
   * What runs before the catalog is known may create anything; that is not why nothing is cached.
   */
  @Test
  void withoutACatalogNoSessionIsSaidToHaveAny() throws SQLException {
    past.setAutoCommit(false);
    run(past, "LOCK TABLE pg_catalog.pg_policy IN ACCESS EXCLUSIVE MODE");
    run(one, "COMMENT ON TABLE other IS 'changed'", "RESET larder.statistics");
    run(two, "UPDATE item SET name = 'c' WHERE id = 1");
    assertLive(two, ITEMS, "c", "b");
    assertThat(LarderProbe.reason(two, ITEMS))
        .contains(BypassReason.CATALOG_LOADING.description())
        .doesNotContain(BypassReason.TEMPORARY_TABLE.description());

    past.rollback();
    assertCachedAgain(two, ITEMS, "c", "b");
  }
}
