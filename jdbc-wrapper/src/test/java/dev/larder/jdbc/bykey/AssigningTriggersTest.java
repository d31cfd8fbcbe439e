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
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A BEFORE trigger costs the keys of those columns alone that its body assigns. */
@Tag("each-server")
@Tag("regression")
final class AssigningTriggersTest {
  private static final String ONE = "SELECT n FROM task WHERE id = 1";
  private static final String LIST = "SELECT id, n FROM task WHERE owner = 10";
  private static final String OTHER = "SELECT id, n FROM task WHERE owner = 20";
  private static final String NAMES = "SELECT id, name FROM task ORDER BY id";
  private static final List<String> QUERIES = List.of(ONE, LIST, OTHER, NAMES);

  @AutoClose private TestDatabase database;
  @AutoClose private Connection connection;
  @AutoClose private Connection bare;

  @BeforeEach
  void create() throws SQLException {
    database = TestDatabase.create();
    database.execute(
        "CREATE TABLE task (id int PRIMARY KEY, owner int, n int DEFAULT 0, name text,"
            + " updated_at timestamptz)",
        "CREATE INDEX ON task (owner)",
        "CREATE TABLE owners (id int, next int)",
        "INSERT INTO owners VALUES (10, 20), (20, 10), (30, 20)",
        "INSERT INTO task VALUES (1, 10, 0, 'a'), (2, 10, 0, 'b'), (3, 20, 0, 'c')");
    connection = LarderProbe.connect(database, "larder.invalidation=key");
    bare = database.connect();
    trigger(connection, "NEW.updated_at := clock_timestamp(); RETURN NEW;");
    awaitCatalog(connection);
    // Only once a write has named columns, results are kept by those of them that they use.
    run(connection, "UPDATE task SET n = 1 WHERE id = 3");
  }

  private static void trigger(Connection on, String body) throws SQLException {
    run(
        on,
        "CREATE OR REPLACE FUNCTION assign() RETURNS trigger LANGUAGE plpgsql AS $$ DECLARE r"
            + " record; BEGIN "
            + body
            + " END $$",
        "DROP TRIGGER IF EXISTS assigning ON task",
        "CREATE TRIGGER assigning BEFORE INSERT OR UPDATE ON task FOR EACH ROW"
            + " EXECUTE FUNCTION assign()");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "UPDATE task SET n = 2 WHERE id = 3 | true, true, false, true",
        "UPDATE task SET n = n + 1 WHERE id = 1 | false, false, true, true",
        "INSERT INTO task (id, owner) VALUES (4, 20) | true, true, false, false",
        "INSERT INTO task (id, owner) VALUES (3, 20) ON CONFLICT (id) DO UPDATE SET n = 7"
            + " | true, true, false, false",
      })
  void aTimeOfTheLastChangeCostsNoKeys(String write, String hits) throws SQLException {
    for (String query : QUERIES) {
      fill(connection, query);
    }
    run(connection, write);
    List<Boolean> found = new ArrayList<>();
    for (String query : QUERIES) {
      found.add(isHit(connection, query));
      assertThat(rows(connection, query)).isEqualTo(rows(bare, query));
    }
    assertThat(found).hasToString('[' + hits + ']');
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "NEW.owner := 20; RETURN NEW;",
        "NEW.owner = NEW.owner + 10; NEW.n = 5; RETURN coalesce(NEW, OLD);",
        "SELECT next INTO NEW.owner FROM owners WHERE id = NEW.owner; RETURN NEW;",
        "EXECUTE 'SELECT 20' INTO NEW.owner; RETURN NEW;",
        "r := NEW; r.owner := 20; RETURN r;",
        "NEW.id := NEW.id + 100; RETURN NEW;",
        "IF TG_OP = 'UPDATE' THEN OLD.owner := 20; RETURN OLD; END IF; RETURN NEW;",
        "FOR NEW.owner, NEW.n IN SELECT 20, 9 LOOP NULL; END LOOP; RETURN NEW;",
        "NEW := jsonb_populate_record(NEW, '{\"owner\": 20}'); RETURN NEW;",
        "assign.NEW.owner := 20; RETURN NEW;",
        "GET DIAGNOSTICS NEW.owner = ROW_COUNT; RETURN NEW;",
        "DECLARE a int; DECLARE n ALIAS FOR new; BEGIN n.owner := 20; RETURN NEW; END;",
        "DECLARE a int; DECLARE new task := NEW; BEGIN new.owner := 20; RETURN NEW; END;",
        "DECLARE new record; BEGIN SELECT 1 AS id, 20 AS owner, 3 AS n, 'x' AS name,"
            + " now() AS updated_at INTO new; RETURN new; END;",
      })
  void whatABodyAssignsIsNotWhatIsWritten(String body) throws SQLException {
    trigger(connection, body);
    awaitCatalog(connection);
    for (String write :
        List.of(
            "UPDATE task SET n = 3 WHERE id = 1",
            "UPDATE task SET owner = 10, name = 'x' WHERE owner = 20 AND id < 4",
            "INSERT INTO task (id, owner, n) VALUES (50, 10, 1)",
            "INSERT INTO task (id, owner, n) VALUES (2, 10, 1) ON CONFLICT (id)"
                + " DO UPDATE SET name = 'y'")) {
      for (String query : QUERIES) {
        fill(connection, query);
      }
      try {
        run(connection, write);
      } catch (SQLException e) {
        assertThat(e.getSQLState()).as(e.getMessage()).isEqualTo("23505");
      }
      for (String query : QUERIES) {
        assertThat(rows(connection, query)).as(write + " / " + query).isEqualTo(rows(bare, query));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"perform", "raise", "assert", "exit", "continue", "get", "insert"})
  void aFunctionMayBeCalledLikeAStatement(String name) throws SQLException {
    run(
        connection,
        "CREATE FUNCTION "
            + name
            + "() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
            + name
            + ".NEW.owner := 20; RETURN NEW; END $$",
        "DROP TRIGGER assigning ON task",
        "CREATE TRIGGER assigning BEFORE UPDATE ON task FOR EACH ROW EXECUTE FUNCTION "
            + name
            + "()");
    awaitCatalog(connection);
    fill(connection, OTHER);
    run(connection, "UPDATE task SET n = 3 WHERE id = 1");
    assertThat(rows(connection, OTHER)).isEqualTo(rows(bare, OTHER));
  }

  @Test
  void aBodyThatIsReplacedCountsAtOnce() throws SQLException {
    fill(connection, LIST);
    fill(connection, OTHER);
    trigger(connection, "NEW.owner := 20; RETURN NEW;");
    run(connection, "UPDATE task SET n = 3 WHERE id = 1");
    assertThat(rows(connection, OTHER)).isEqualTo(rows(bare, OTHER));
    assertThat(rows(connection, LIST)).isEqualTo(rows(bare, LIST));
    trigger(bare, "NEW.owner := 10; RETURN NEW;");
    awaitCatalog(connection);
    fill(connection, LIST);
    run(connection, "UPDATE task SET n = 4 WHERE id = 1");
    assertThat(rows(connection, LIST)).isEqualTo(rows(bare, LIST));
  }
}
