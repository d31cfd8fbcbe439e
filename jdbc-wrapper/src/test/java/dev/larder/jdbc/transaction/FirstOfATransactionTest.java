package dev.larder.jdbc.transaction;

import static dev.larder.jdbc.LarderProbe.awaitCatalog;
import static dev.larder.jdbc.LarderProbe.rows;
import static dev.larder.jdbc.LarderProbe.run;
import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A text or a batch whose first statement must run before the transaction has a snapshot: Larder
 * sends nothing of its own before it, though a question or DISCARD PLANS be due.
 */
@Tag("regression")
final class FirstOfATransactionTest {
  private TestDatabase database;
  private Connection one;
  private Connection two;
  private Connection bare;

  @BeforeEach
  void open() throws SQLException {
    database = TestDatabase.create();
    database.execute(
        "CREATE TABLE t (id int PRIMARY KEY, v int)",
        "INSERT INTO t VALUES (1, 1)",
        "CREATE TABLE log (v int)",
        "CREATE TABLE other (v int)",
        "CREATE FUNCTION nothing() RETURNS trigger LANGUAGE plpgsql AS"
            + " $$ BEGIN PERFORM 1; RETURN NULL; END $$",
        "CREATE TRIGGER nothing AFTER UPDATE ON t FOR EACH ROW EXECUTE FUNCTION nothing()");
    one = LarderProbe.connect(database);
    two = LarderProbe.connect(database);
    bare = database.connect();
    rows(one, "SELECT v FROM other");
    rows(one, "SELECT v FROM other");
  }

  @AfterEach
  void close() throws SQLException {
    one.close();
    two.close();
    bare.close();
    database.close();
  }

  private void change() throws SQLException {
    run(two, "ALTER TABLE other ADD COLUMN more int");
    awaitCatalog(two);
  }

  private static void send(Connection connection, String text) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      if (text.startsWith("batch ")) {
        for (String each : text.substring(6).split("; ")) {
          statement.addBatch(each);
        }
        statement.executeBatch();
      } else {
        statement.execute(text);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "LOCK TABLE t IN SHARE MODE; INSERT INTO log SELECT v FROM t WHERE id = 1",
        "batch LOCK TABLE t IN SHARE MODE; INSERT INTO log SELECT v FROM t WHERE id = 1"
      })
  void aLockIsWaitedForBefore(String text) throws Exception {
    change();
    run(one, "BEGIN ISOLATION LEVEL REPEATABLE READ");
    run(two, "BEGIN", "UPDATE t SET v = 100 WHERE id = 1");
    ExecutorService thread = Executors.newSingleThreadExecutor();
    Future<?> locked =
        thread.submit(
            () -> {
              send(one, text);
              return null;
            });
    while (rows(bare, "SELECT 1 FROM pg_locks WHERE NOT granted").isEmpty()) {
      assertThat(locked.isDone()).isFalse();
      Thread.onSpinWait();
    }
    run(two, "COMMIT");
    locked.get();
    run(one, "COMMIT");
    thread.shutdown();
    assertThat(rows(bare, "SELECT v FROM log")).containsExactly("100");
  }

  /** The server fetches the rows of a cursor without a snapshot. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "FETCH 1 FROM c",
        "MOVE 1 FROM c",
        "FETCH 1 FROM c; SHOW work_mem",
        "batch MOVE 1 FROM c; LOCK TABLE t IN ACCESS SHARE MODE"
      })
  void aCursorIsReadBefore(String text) throws SQLException {
    run(one, "BEGIN", "DECLARE c CURSOR WITH HOLD FOR SELECT v FROM log", "COMMIT");
    change();
    run(one, "BEGIN ISOLATION LEVEL REPEATABLE READ");
    send(one, text);
    run(two, "UPDATE t SET v = 77 WHERE id = 1");
    assertThat(rows(one, "SELECT v FROM t WHERE id = 1")).containsExactly("77");
    run(one, "COMMIT");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ; UPDATE t SET v = 6 WHERE id = 1",
        "batch SET TRANSACTION ISOLATION LEVEL REPEATABLE READ; UPDATE t SET v = 6 WHERE id = 1"
      })
  void theLevelIsSetBefore(String text) throws SQLException {
    for (int turn = 0; turn < 3; turn++) {
      if (turn == 1) {
        change();
      }
      run(one, "BEGIN");
      if (turn == 2) {
        run(two, "ALTER TABLE other ADD COLUMN yet_more int");
        awaitCatalog(two);
      }
      send(one, text);
      run(one, "COMMIT", "UPDATE t SET v = 1 WHERE id = 1");
    }
    assertThat(rows(one, "SELECT v FROM t")).isEqualTo(rows(bare, "SELECT v FROM t"));
  }
}
