package dev.larder.jdbc.bykey;

import static dev.larder.jdbc.LarderProbe.fill;
import static dev.larder.jdbc.LarderProbe.isHit;
import static dev.larder.jdbc.LarderProbe.rows;
import static dev.larder.jdbc.LarderProbe.run;
import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.TestDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A row that a transaction has inserted by a known key, and changes by that key, has no old values
 * that others could have read; any other row has.
 */
@Tag("regression")
final class OwnInsertsTest {
  private static final List<String> LISTS =
      List.of(
          "SELECT n FROM item WHERE owner = 7",
          "SELECT id, n FROM item WHERE owner = 8",
          "SELECT id, n FROM item WHERE owner = 9",
          "SELECT id, owner FROM item WHERE n = 0",
          "SELECT owner FROM item WHERE id = 1",
          "SELECT owner FROM item WHERE id = 100",
          "SELECT id FROM item WHERE code = 'c1'",
          "SELECT id FROM item WHERE code = 'c100'",
          "SELECT count(*) FROM item");

  private TestDatabase database;
  private Connection writer;
  private Connection reader;
  private Connection bare;

  /** Of the catalog when a script began. */
  private long version;

  @BeforeEach
  void create() throws SQLException {
    database = TestDatabase.create();
    database.execute(
        "CREATE TABLE item (id int PRIMARY KEY, code varchar(4) UNIQUE, owner int, n int DEFAULT 0)",
        "CREATE INDEX ON item (owner)",
        "INSERT INTO item VALUES (1, 'c1', 7), (2, 'c2', 7), (3, 'c3', 8), (4, 'c4', 9)");
    connect();
    bare = database.connect();
  }

  private void connect(String... parameters) throws SQLException {
    List<String> all = new ArrayList<>(List.of(parameters));
    all.add("larder.invalidation=key");
    writer = LarderProbe.connect(database, all.toArray(String[]::new));
    reader = LarderProbe.connect(database, all.toArray(String[]::new));
    run(reader, "UPDATE item SET n = 0 WHERE id = 4");
  }

  @AfterEach
  void close() throws SQLException {
    writer.close();
    reader.close();
    bare.close();
    database.close();
  }

  private List<String> hits() throws SQLException {
    List<String> hits = new ArrayList<>();
    for (String list : LISTS) {
      if (isHit(reader, list)) {
        hits.add(list.substring(Math.max(0, list.indexOf("WHERE"))));
      }
    }
    return hits;
  }

  private void assertRight(String when) throws SQLException {
    for (String list : LISTS) {
      assertThat(rows(reader, list)).as(when + ": " + list).isEqualTo(rows(bare, list));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "INSERT INTO item (id, owner) VALUES (100, NULL); UPDATE item SET owner = 8 WHERE id = 100",
        "INSERT INTO item (id, owner) SELECT 100, 8; DELETE FROM item WHERE id = 100",
        "INSERT INTO item (id) VALUES (100); UPDATE item SET owner = 9 WHERE id = 100"
            + "; UPDATE item SET owner = 8, n = 5 WHERE id IN (100)",
        "INSERT INTO item (id, code) VALUES (100, 'new'); UPDATE item SET owner = 8 WHERE code = 'new'",
        "INSERT INTO item (id, code) VALUES (100, 'x'), (101, 'y')"
            + "; SELECT count(*) FROM item; UPDATE item SET owner = 8 WHERE id = ANY (ARRAY[100, 101])",
      })
  void aRowOfItsOwnHasNoOldValues(String script) throws SQLException {
    for (String list : LISTS) {
      fill(reader, list);
    }
    writer.setAutoCommit(false);
    for (String sql : script.split("; ")) {
      run(writer, sql);
    }
    writer.commit();
    assertThat(hits()).contains("WHERE owner = 7", "WHERE id = 1", "WHERE code = 'c1'");
    assertRight(script);
  }

  @Test
  void parametersNameTheRowToo() throws SQLException {
    for (String list : LISTS) {
      fill(reader, list);
    }
    writer.setAutoCommit(false);
    try (PreparedStatement insert =
            writer.prepareStatement("INSERT INTO item (id, owner) VALUES (?, ?)");
        PreparedStatement update =
            writer.prepareStatement("UPDATE item SET owner = ? WHERE id = ?")) {
      insert.setLong(1, 100);
      insert.setObject(2, null);
      insert.executeUpdate();
      update.setInt(1, 8);
      update.setInt(2, 100);
      update.executeUpdate();
      update.setInt(2, 3);
      assertThat(hits()).contains("WHERE owner = 7");
      update.executeUpdate();
    }
    writer.commit();
    assertThat(hits()).doesNotContain("WHERE owner = 7");
    assertRight("parameters");
  }

  /**
   * Of a line that begins with {@code !} the error is expected; {@code bare:} is another client.
   */
  private static final String SCRIPTS =
      """
      SAVEPOINT s; INSERT INTO item (id) VALUES (100); ROLLBACK TO s; other: INSERT INTO item VALUES (100, 'c100', 8); UPDATE item SET owner = 9 WHERE id = 100
      INSERT INTO item (id) VALUES (100); SAVEPOINT s; DELETE FROM item WHERE id = 100; UPDATE item SET id = 100 WHERE id = 1; UPDATE item SET owner = 9 WHERE id = 100
      INSERT INTO item (id) VALUES (100); DELETE FROM item WHERE id = 100; UPDATE item SET id = 100 WHERE id = 1; UPDATE item SET owner = 9 WHERE id = 100
      INSERT INTO item (id) VALUES (100); UPDATE item SET id = 101 WHERE id = 100; UPDATE item SET id = 100 WHERE owner = 8; UPDATE item SET owner = 9 WHERE id = 100
      SAVEPOINT s; !INSERT INTO item (id) VALUES (1); ROLLBACK TO s; UPDATE item SET owner = 9 WHERE id = 1
      INSERT INTO item (id) VALUES (1) LIMIT 0; UPDATE item SET owner = 9 WHERE id = 1
      INSERT INTO item (id) VALUES (1), (100) OFFSET 1; UPDATE item SET owner = 9 WHERE id = 1
      INSERT INTO item (id) VALUES (1) ON CONFLICT DO NOTHING; UPDATE item SET owner = 9 WHERE id = 1
      INSERT INTO item (id) VALUES (1), (100) ON CONFLICT DO NOTHING; UPDATE item SET owner = 9 WHERE id = 1
      INSERT INTO item (id) VALUES (1) ON CONFLICT (id) DO UPDATE SET n = 3; UPDATE item SET owner = 9 WHERE id = 1
      INSERT INTO item (id) SELECT 1 WHERE false; UPDATE item SET owner = 9 WHERE id = 1
      INSERT INTO item (id) SELECT 1 FROM item WHERE id = 77; DELETE FROM item WHERE id = 1
      INSERT INTO item (id, code) VALUES (100, 'c9  '); UPDATE item SET owner = 9 WHERE code = 'c1'
      INSERT INTO item (id) VALUES (100); UPDATE item SET owner = 9 WHERE id IN (1, 100)
      INSERT INTO item (id) VALUES (100); UPDATE item SET owner = 9 WHERE id = 100 OR n = 0
      INSERT INTO item (id) VALUES (100); UPDATE item SET owner = 9 WHERE id = 100 + 1 - 100
      INSERT INTO item (id) VALUES (100); UPDATE item SET owner = 9 WHERE id = 1::int
      INSERT INTO item (id) VALUES (100); COMMIT; other: UPDATE item SET owner = 8 WHERE id = 100; fill; UPDATE item SET owner = 9 WHERE id = 100
      INSERT INTO item (id) VALUES (100); ROLLBACK; other: INSERT INTO item VALUES (100, 'c100', 8); fill; UPDATE item SET owner = 9 WHERE id = 100
      INSERT INTO item (id) VALUES (100); COMMIT AND CHAIN; other: UPDATE item SET owner = 8 WHERE id = 100; fill; UPDATE item SET owner = 9 WHERE id = 100
      INSERT INTO item (id) VALUES (100); !SELECT 1 / 0; ROLLBACK; other: INSERT INTO item VALUES (100, 'c100', 8); fill; UPDATE item SET owner = 9 WHERE id = 100
      CREATE FUNCTION other() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN NEW.id := NEW.id + 100; RETURN NEW; END'; CREATE TRIGGER other BEFORE INSERT ON item FOR EACH ROW EXECUTE FUNCTION other(); COMMIT; catalog; INSERT INTO item (id) VALUES (1); UPDATE item SET owner = 9 WHERE id = 1
      CREATE FUNCTION other() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'; CREATE TRIGGER other BEFORE INSERT ON item FOR EACH ROW EXECUTE FUNCTION other(); COMMIT; catalog; INSERT INTO item (id) VALUES (1); UPDATE item SET owner = 9 WHERE id = 1
      CREATE FUNCTION other() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN NEW.id := 100; RETURN NEW; END'; CREATE TRIGGER other BEFORE INSERT ON item FOR EACH ROW EXECUTE FUNCTION other(); INSERT INTO item (id) VALUES (1); UPDATE item SET owner = 9 WHERE id = 1
      bare: CREATE FUNCTION other() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN NEW.id := 100; RETURN NEW; END'; bare: CREATE TRIGGER other BEFORE INSERT ON item FOR EACH ROW EXECUTE FUNCTION other(); INSERT INTO item (id) VALUES (1); UPDATE item SET owner = 9 WHERE id = 1; COMMIT; noticed
      ALTER TABLE item DROP CONSTRAINT item_pkey; catalog; INSERT INTO item (id) VALUES (1); UPDATE item SET owner = 9 WHERE id = 1
      INSERT INTO item (id) VALUES (100); TRUNCATE item; INSERT INTO item VALUES (1, 'c1', 8); UPDATE item SET owner = 9 WHERE id = 1
      WITH w AS (INSERT INTO item (id) VALUES (100) RETURNING id) SELECT * FROM w; UPDATE item SET owner = 9 WHERE id = 1
      """;

  @Test
  void anyOtherRowHas() throws SQLException {
    for (String parameters : List.of("", "autosave=always")) {
      for (String script : SCRIPTS.lines().toList()) {
        close();
        create();
        writer.close();
        reader.close();
        connect(parameters.isEmpty() ? new String[0] : new String[] {parameters});
        follow(script);
        assertRight(parameters + ' ' + script);
      }
    }
  }

  private void awaitNoticed() throws SQLException {
    long end = System.nanoTime() + 20_000_000_000L;
    while (LarderProbe.catalogVersion(reader) == version) {
      assertThat(System.nanoTime()).isLessThan(end);
      run(reader, "SELECT 1");
      Thread.onSpinWait();
    }
    LarderProbe.awaitCatalog(reader);
  }

  private void follow(String script) throws SQLException {
    for (String list : LISTS) {
      fill(reader, list);
    }
    version = LarderProbe.catalogVersion(reader);
    writer.setAutoCommit(false);
    for (String sql : script.split("; (?!RETURN|END)")) {
      if (sql.startsWith("bare: ")) {
        run(bare, sql.substring(6));
      } else if (sql.startsWith("other: ")) {
        run(reader, sql.substring(7));
      } else if (sql.equals("fill")) {
        for (String list : LISTS) {
          fill(reader, list);
        }
      } else if (sql.equals("noticed")) {
        awaitNoticed();
      } else if (sql.equals("catalog")) {
        LarderProbe.awaitCatalog(writer);
        LarderProbe.awaitCatalog(reader);
      } else if (sql.startsWith("!")) {
        try {
          run(writer, sql.substring(1));
          throw new AssertionError(sql);
        } catch (SQLException e) {
          assertThat(e.getSQLState()).isIn("23505", "22012");
        }
      } else {
        run(writer, sql);
      }
    }
    writer.commit();
  }
}
