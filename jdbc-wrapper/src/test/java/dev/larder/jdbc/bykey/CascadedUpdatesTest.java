package dev.larder.jdbc.bykey;

import static dev.larder.jdbc.LarderProbe.awaitCatalog;
import static dev.larder.jdbc.LarderProbe.fill;
import static dev.larder.jdbc.LarderProbe.isHit;
import static dev.larder.jdbc.LarderProbe.rows;
import static dev.larder.jdbc.LarderProbe.run;
import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * ON UPDATE CASCADE, as Prisma declares each foreign key, concerns the child only where a column
 * that the key references may change.
 */
@Tag("each-server")
final class CascadedUpdatesTest {
  private static final String POSTS = "SELECT author, title FROM post ORDER BY id";

  @AutoClose private TestDatabase database;
  @AutoClose private Connection connection;
  @AutoClose private Connection bare;

  @BeforeEach
  void create() throws SQLException {
    database = TestDatabase.create();
    database.execute(
        "CREATE TABLE author (id int PRIMARY KEY, name text, logins int DEFAULT 0,"
            + " next int GENERATED ALWAYS AS (logins + 100) STORED UNIQUE)",
        "CREATE TABLE post (id int PRIMARY KEY, title text, author int REFERENCES author"
            + " ON UPDATE CASCADE ON DELETE RESTRICT)",
        "INSERT INTO author VALUES (1, 'ann', 1), (2, 'ben', 2)",
        "INSERT INTO post VALUES (1, 'one', 1), (2, 'two', 2)");
    connection = LarderProbe.connect(database, "larder.invalidation=key");
    bare = database.connect();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "UPDATE author SET name = 'x', logins = logins + 5 WHERE id = 1",
        "UPDATE author AS a SET (name, logins) = (SELECT title, id FROM post WHERE id = a.id)",
        "INSERT INTO author VALUES (1, 'x') ON CONFLICT (id) DO UPDATE SET name = excluded.name",
        "WITH u AS (UPDATE author SET name = 'x' RETURNING id, name) SELECT id, id FROM u",
      })
  void theChildsResultsOutliveAnUpdateOfOtherColumns(String update) throws SQLException {
    fill(connection, POSTS);
    run(connection, update);
    assertThat(isHit(connection, POSTS)).isTrue();
    assertThat(rows(connection, POSTS)).isEqualTo(rows(bare, POSTS));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "UPDATE author SET id = 7 WHERE id = 1",
        "UPDATE author SET name = 'x', id = id + 10",
        "UPDATE author SET name = 'x' IS DISTINCT FROM 'y', id = 7 WHERE id = 1",
        "UPDATE author SET (name, id) = ('x', 7) WHERE id = 1",
        "INSERT INTO author VALUES (1, 'x') ON CONFLICT (id) DO UPDATE SET id = 7",
        "MERGE INTO author USING (VALUES (1)) AS v (n) ON id = n"
            + " WHEN MATCHED THEN UPDATE SET id = 7",
      })
  void theChildFollowsItsParent(String update) throws SQLException {
    if (update.startsWith("MERGE") && bare.getMetaData().getDatabaseMajorVersion() < 15) {
      update = "UPDATE author SET id = 7 WHERE id = 1";
    }
    assertFollowed(POSTS, update);
  }

  @Test
  void aRenamedColumnIsTheKeysColumn() throws SQLException {
    fill(connection, POSTS);
    run(bare, "ALTER TABLE author RENAME COLUMN id TO number");
    run(connection, "ALTER TABLE author RENAME COLUMN name TO id");
    awaitCatalog(connection);
    assertFollowed(POSTS, "UPDATE author SET number = 7 WHERE number = 1");
    fill(connection, POSTS);
    run(connection, "UPDATE author SET id = 'x' WHERE number = 2");
    assertThat(isHit(connection, POSTS)).isTrue();
  }

  @Test
  void aTriggerMayChangeWhatTheUpdateDoesNotName() throws SQLException {
    run(
        connection,
        "CREATE FUNCTION renumber() RETURNS trigger LANGUAGE plpgsql AS"
            + " $$ BEGIN NEW.id := OLD.id + 10; RETURN NEW; END $$",
        "CREATE TRIGGER renumbering BEFORE UPDATE ON author FOR EACH ROW"
            + " EXECUTE FUNCTION renumber()");
    awaitCatalog(connection);
    assertFollowed(POSTS, "UPDATE author SET name = 'x' WHERE id = 1");
  }

  @Test
  void aTriggerOfAPartitionMayToo() throws SQLException {
    run(
        connection,
        "CREATE TABLE place (id int PRIMARY KEY, name text) PARTITION BY RANGE (id)",
        "CREATE TABLE places PARTITION OF place FOR VALUES FROM (1) TO (1000)",
        "CREATE TABLE visit (id int PRIMARY KEY, place int REFERENCES place ON UPDATE CASCADE)",
        "INSERT INTO place VALUES (1, 'here'), (2, 'there')",
        "INSERT INTO visit VALUES (1, 1), (2, 2)",
        "CREATE FUNCTION renumber() RETURNS trigger LANGUAGE plpgsql AS"
            + " $$ BEGIN NEW.id := OLD.id + 10; RETURN NEW; END $$");
    awaitCatalog(connection);
    String visits = "SELECT place FROM visit ORDER BY id";
    fill(connection, visits);
    run(connection, "UPDATE places SET name = 'x' WHERE id = 2");
    assertThat(isHit(connection, visits)).isTrue();
    assertFollowed(visits, "UPDATE places SET id = 3 WHERE id = 2");
    run(
        connection,
        "CREATE TRIGGER renumbering BEFORE UPDATE ON places FOR EACH ROW"
            + " EXECUTE FUNCTION renumber()");
    awaitCatalog(connection);
    assertFollowed(visits, "UPDATE place SET name = 'x' WHERE id = 1");
    assertFollowed(visits, "UPDATE places SET name = 'x' WHERE id = 11");
  }

  @Test
  void aGeneratedColumnChangesWithOthers() throws SQLException {
    run(
        connection,
        "CREATE TABLE visit (id int PRIMARY KEY, next int REFERENCES author (next)"
            + " ON UPDATE CASCADE)",
        "INSERT INTO visit VALUES (1, 101)");
    awaitCatalog(connection);
    assertFollowed("SELECT next FROM visit", "UPDATE author SET logins = 50 WHERE id = 1");
  }

  private void assertFollowed(String query, String update) throws SQLException {
    fill(connection, query);
    var before = rows(bare, query);
    run(connection, update);
    assertThat(rows(connection, query)).isEqualTo(rows(bare, query)).isNotEqualTo(before);
  }
}
