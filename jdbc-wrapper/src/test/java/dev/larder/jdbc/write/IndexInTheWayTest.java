package dev.larder.jdbc.write;

import static dev.larder.jdbc.LarderProbe.awaitCatalog;
import static dev.larder.jdbc.LarderProbe.fill;
import static dev.larder.jdbc.LarderProbe.isHit;
import static dev.larder.jdbc.LarderProbe.rows;
import static dev.larder.jdbc.LarderProbe.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.TestDatabase;
import dev.larder.jdbc.statement.CachingConnection;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * An index has a name among the relations of its schema. Where it comes nearer on the search path
 * than a table of that name, the server refuses to read it, and the table is found no more.
 */
@Tag("regression")
final class IndexInTheWayTest {
  private static final String READ = "SELECT name FROM item";
  private static final String PATH = "SET search_path = near, far";
  private static final String NO_TABLE = "cannot open relation";

  private TestDatabase database;
  private Connection connection;
  private Connection bare;

  @BeforeEach
  void open() throws SQLException {
    database = TestDatabase.create();
    database.execute(
        "CREATE SCHEMA near",
        "CREATE SCHEMA far",
        "CREATE TABLE far.item (name text)",
        "INSERT INTO far.item VALUES ('far')",
        "CREATE TABLE near.other (id int)",
        "CREATE INDEX apart ON near.other (id)",
        "CREATE TABLE far.other_id_idx1 (name text)",
        "CREATE TABLE near.parts (id int) PARTITION BY RANGE (id)");
    connection = LarderProbe.connect(database);
    bare = database.connect();
    run(connection, PATH);
    run(bare, PATH);
  }

  @AfterEach
  void close() throws SQLException {
    connection.close();
    bare.close();
    database.close();
  }

  private void compare() throws SQLException {
    connection
        .unwrap(CachingConnection.class)
        .physical()
        .cache()
        .database()
        .catalog()
        .comparisonRequested();
    awaitCatalog(connection);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "CREATE INDEX item ON near.other (id)",
        "CREATE INDEX CONCURRENTLY item ON near.other (id)",
        "CREATE UNIQUE INDEX IF NOT EXISTS \"item\" ON near.parts (id)",
        "CREATE INDEX U&\"it\\0065m\" ON near.other (id)",
        "ALTER TABLE near.other ADD CONSTRAINT item UNIQUE (id)",
        "ALTER INDEX near.apart RENAME TO item",
        "ALTER TABLE near.apart RENAME TO item",
        "CREATE TABLE near.made (id int CONSTRAINT item PRIMARY KEY)",
      })
  void aTableBehindAnIndexOfItsNameIsNotRead(String ddl) throws SQLException {
    for (Connection writer : new Connection[] {connection, bare}) {
      fill(connection, READ);
      assertThat(isHit(connection, READ)).isTrue();
      run(writer, ddl);
      compare();
      assertThatThrownBy(() -> rows(bare, READ)).hasMessageContaining(NO_TABLE);
      assertThatThrownBy(() -> rows(connection, READ)).hasMessageContaining(NO_TABLE);
      undo(ddl);
      compare();
    }
  }

  private void undo(String ddl) throws SQLException {
    if (ddl.contains("RENAME")) {
      run(bare, "ALTER INDEX near.item RENAME TO apart");
    } else if (ddl.contains("near.made")) {
      run(bare, "DROP TABLE near.made");
    } else if (ddl.contains("CONSTRAINT")) {
      run(bare, "ALTER TABLE near.other DROP CONSTRAINT item");
    } else {
      run(bare, "DROP INDEX near.item");
    }
  }

  @Test
  void aNameThatTheServerChoosesCanBeInTheWay() throws SQLException {
    String read = "SELECT name FROM other_id_idx1";
    run(bare, "CREATE INDEX ON near.other (id)");
    fill(connection, read);
    run(connection, "CREATE INDEX ON near.other (id)");
    assertThatThrownBy(() -> rows(connection, read)).hasMessageContaining(NO_TABLE);
  }

  @Test
  void anIndexOfAnotherNameTakesNothing() throws SQLException {
    fill(connection, READ);
    run(connection, "CREATE INDEX items ON near.other (id)");
    compare();
    assertThat(isHit(connection, READ)).isTrue();
    run(bare, "ALTER INDEX near.items RENAME TO others", "REINDEX INDEX near.others");
    compare();
    assertThat(isHit(connection, READ)).isTrue();
  }
}
