package dev.larder.memcached;

import static dev.larder.memcached.LarderInstance.ask;
import static dev.larder.memcached.LarderInstance.askUntilHit;
import static dev.larder.memcached.LarderInstance.count;
import static dev.larder.memcached.LarderInstance.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.remote.AnnounceLock;
import dev.larder.testing.NeedsProgram;
import dev.larder.testing.Program;
import java.sql.BatchUpdateException;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyManager;

/** Every way to write is told to the other instance, and none behaves otherwise than without. */
@NeedsProgram(Program.MEMCACHED)
@Tag("regression")
class SharedWritesTest extends TwoInstances {
  private static final String LOCKS =
      "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND classid = "
          + AnnounceLock.CLASS_ID;

  private static final String READ_OTHER = "SELECT v FROM u WHERE id = 1";

  @BeforeEach
  void warmUp() throws Exception {
    run(outside, "CREATE TABLE u (id int PRIMARY KEY, v text); INSERT INTO u VALUES (1, 'a')");
    run(
        outside,
        "CREATE PROCEDURE p(x text) LANGUAGE plpgsql AS $$ BEGIN"
            + " UPDATE t SET v = x; COMMIT; UPDATE u SET v = x; COMMIT; END $$");
    run(
        outside,
        "CREATE FUNCTION f(x text) RETURNS text LANGUAGE plpgsql AS $$ BEGIN"
            + " UPDATE t SET v = x; RETURN x; END $$");
    run(
        outside,
        "CREATE FUNCTION g() RETURNS int LANGUAGE plpgsql AS $$ BEGIN"
            + " RETURN (SELECT count(*) FROM t); END $$");
    warm();
  }

  private void warm() throws SQLException {
    for (Connection connection : new Connection[] {first, second}) {
      askUntilHit(connection, READ);
      askUntilHit(connection, READ_OTHER);
    }
  }

  private void assertSeen(String value) throws SQLException {
    assertThat(ask(second, READ)).isEqualTo(value);
    assertThat(ask(first, READ)).isEqualTo(value);
    assertThat(askUntilHit(second, READ)).isEqualTo(value);
    assertThat(askUntilHit(first, READ)).isEqualTo(value);
    assertThat(ask(outside, "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'"))
        .as("announce locks")
        .isEqualTo("0");
    assertThat(first.getAutoCommit()).isTrue();
  }

  @Test
  void textThatReturnsRows() throws Exception {
    assertThat(ask(first, "UPDATE t SET v = 'b' RETURNING v")).isEqualTo("b");
    assertSeen("b");
  }

  @Test
  void rowsThatWouldBeFetchedInPortionsAreAllThere() throws Exception {
    try (PreparedStatement insert =
        first.prepareStatement(
            "INSERT INTO t SELECT i, 'x' FROM generate_series(2, 100) i RETURNING id")) {
      insert.setFetchSize(10);
      int rows = 0;
      try (ResultSet result = insert.executeQuery()) {
        while (result.next()) {
          rows++;
        }
      }
      assertThat(rows).isEqualTo(99);
    }
    assertThat(ask(second, "SELECT count(*) FROM t")).isEqualTo("100");
    assertSeen("a");
  }

  @Test
  void generatedKeysAreThere() throws Exception {
    try (Statement statement = first.createStatement()) {
      assertThat(
              statement.executeUpdate(
                  "UPDATE t SET v = 'b' WHERE id = 1", Statement.RETURN_GENERATED_KEYS))
          .isEqualTo(1);
      try (ResultSet keys = statement.getGeneratedKeys()) {
        assertThat(keys.next()).isTrue();
        assertThat(keys.getString("v")).isEqualTo("b");
      }
    }
    assertSeen("b");
  }

  /** The rows of a cursor WITH HOLD come while the transaction commits. */
  @Test
  void whatFirstWritesDuringTheCommit() throws Exception {
    first.setAutoCommit(false);
    run(first, "DECLARE held CURSOR WITH HOLD FOR SELECT f('b')");
    first.commit();
    first.setAutoCommit(true);
    assertSeen("b");
    run(first, "BEGIN; DECLARE later CURSOR WITH HOLD FOR SELECT f('c')");
    run(first, "COMMIT");
    assertSeen("c");
    run(first, "DO $$ BEGIN EXECUTE $d$DECLARE z CURSOR WITH HOLD FOR SELECT f('d')$d$; END $$");
    assertSeen("d");
    run(first, "CLOSE ALL");
  }

  /** Whatever fires a trigger that was put off has written a row before. */
  @Test
  void triggerThatIsPutOffUntilTheCommit() throws Exception {
    run(
        first,
        "CREATE FUNCTION late() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
            + " PERFORM f('late'); RETURN NULL; END $$;"
            + " CREATE TABLE w (id int);"
            + " CREATE CONSTRAINT TRIGGER late AFTER INSERT ON w DEFERRABLE INITIALLY DEFERRED"
            + " FOR EACH ROW EXECUTE FUNCTION late();"
            + " CREATE FUNCTION fill() RETURNS int LANGUAGE sql AS 'INSERT INTO w VALUES (1);"
            + " SELECT 1'");
    warm();
    first.setAutoCommit(false);
    ask(first, "SELECT fill()");
    assertThat(ask(second, READ)).isEqualTo("a");
    first.commit();
    first.setAutoCommit(true);
    assertSeen("late");
  }

  @Test
  void statementThatFailsLeavesNothing() throws Exception {
    assertThatThrownBy(() -> run(first, "INSERT INTO t VALUES (1, 'again')"))
        .extracting("SQLState")
        .isEqualTo("23505");
    assertSeen("a");
    run(first, "UPDATE t SET v = 'b'");
    assertSeen("b");
  }

  @Test
  void failureAtTheCommitIsTheStatements() throws Exception {
    run(outside, "ALTER TABLE u ADD FOREIGN KEY (id) REFERENCES t DEFERRABLE INITIALLY DEFERRED");
    assertThatThrownBy(() -> run(first, "INSERT INTO u VALUES (7, 'x')"))
        .extracting("SQLState")
        .isEqualTo("23503");
    assertThat(ask(outside, "SELECT count(*) FROM u")).isEqualTo("1");
    assertSeen("a");
  }

  @Test
  void writeOfAReadOnlyConnectionInAutocommit() throws Exception {
    first.setReadOnly(true);
    run(first, "UPDATE t SET v = 'b'");
    first.setReadOnly(false);
    assertSeen("b");
  }

  @Test
  void batchKeepsWhatCameBeforeItsFailure() throws Exception {
    try (PreparedStatement insert = first.prepareStatement("UPDATE t SET v = ? WHERE id = 1")) {
      for (String value : new String[] {"b", "c"}) {
        insert.setString(1, value);
        insert.addBatch();
      }
      assertThat(insert.executeBatch()).containsExactly(1, 1);
    }
    assertSeen("c");
    try (Statement batch = first.createStatement()) {
      batch.addBatch("UPDATE t SET v = 'd'");
      batch.addBatch("INSERT INTO t VALUES (1, 'again')");
      assertThatThrownBy(batch::executeBatch).isInstanceOf(BatchUpdateException.class);
    }
    assertSeen(String.valueOf(ask(outside, READ)));
  }

  @Test
  void severalStatementsInOneText() throws Exception {
    run(first, "UPDATE t SET v = 'b'; UPDATE u SET v = 'b'");
    assertThat(ask(second, READ_OTHER)).isEqualTo("b");
    assertSeen("b");
    run(first, "BEGIN; UPDATE t SET v = 'c'; COMMIT; UPDATE u SET v = 'c'");
    assertThat(ask(second, READ_OTHER)).isEqualTo("c");
    assertSeen("c");
  }

  @Test
  void procedureThatCommitsTwice() throws Exception {
    run(first, "CALL p('b')");
    assertThat(ask(second, READ_OTHER)).isEqualTo("b");
    assertSeen("b");
    try (CallableStatement call = first.prepareCall("CALL p(?)")) {
      call.setString(1, "c");
      call.execute();
    }
    assertThat(ask(second, READ_OTHER)).isEqualTo("c");
    assertSeen("c");
  }

  @Test
  void functionThatWritesAndOneThatDoesNot() throws Exception {
    assertThat(ask(first, "SELECT f('b')")).isEqualTo("b");
    assertSeen("b");
    long before = count(second, "near_hits");
    assertThat(ask(first, "SELECT g()")).isEqualTo("1");
    ask(second, READ);
    assertThat(count(second, "near_hits")).as("nothing was invalidated").isEqualTo(before + 1);
  }

  @Test
  void foreignTableOfTheSameDatabase() throws Exception {
    run(
        outside,
        "CREATE EXTENSION postgres_fdw SCHEMA public;"
            + " CREATE SERVER loop FOREIGN DATA WRAPPER postgres_fdw"
            + " OPTIONS (host '127.0.0.1', port '"
            + postgres.ownPort()
            + "', dbname 'postgres');"
            + " CREATE USER MAPPING FOR postgres SERVER loop OPTIONS (user 'postgres');"
            + " CREATE FOREIGN TABLE far (id int, v text) SERVER loop"
            + " OPTIONS (schema_name 'public', table_name 't')");
    try {
      run(first, "UPDATE far SET v = 'b'");
      assertSeen("b");
      first.setAutoCommit(false);
      run(first, "UPDATE far SET v = 'c'");
      first.commit();
      first.setAutoCommit(true);
      assertSeen("c");
    } finally {
      run(outside, "DROP EXTENSION postgres_fdw CASCADE");
    }
  }

  @Test
  void functionThatWritesOverAConnectionOfItsOwn() throws Exception {
    run(first, "CREATE EXTENSION dblink SCHEMA public");
    warm();
    String to = "host=127.0.0.1 user=postgres dbname=postgres port=" + postgres.ownPort();
    String update = "SELECT dblink_exec('" + to + "', $$UPDATE t SET v = 'b'$$)";
    assertThat(ask(first, update)).isEqualTo("UPDATE 1");
    assertSeen("b");
  }

  @Test
  void functionThatOnlyReadsInvalidatesNothingBesideCommonExtensions() throws Exception {
    for (String extension : new String[] {"pgcrypto", "hstore", "postgres_fdw"}) {
      run(first, "CREATE EXTENSION " + extension + " SCHEMA public");
    }
    warm();
    long before = count(second, "near_hits");
    assertThat(ask(first, "SELECT g()")).isEqualTo("1");
    ask(second, READ);
    assertThat(count(second, "near_hits")).as("nothing was invalidated").isEqualTo(before + 1);
  }

  @Test
  void copyAndTruncate() throws Exception {
    run(first, "TRUNCATE t");
    assertThat(ask(second, "SELECT count(*) FROM t")).isEqualTo("0");
    run(first, "INSERT INTO t VALUES (1, 'b')");
    assertSeen("b");
  }

  @Test
  void cannotRunInABlock() throws Exception {
    run(first, "CREATE INDEX CONCURRENTLY i ON t (v)");
    run(first, "VACUUM t");
    run(first, "ALTER TABLE t RENAME v TO w");
    assertThatThrownBy(() -> ask(second, READ)).extracting("SQLState").isEqualTo("42703");
    run(first, "ALTER TABLE t RENAME w TO v");
    assertSeen("a");
  }

  @Test
  void triggerThatTheOtherInstanceCreated() throws Exception {
    run(
        second,
        "CREATE FUNCTION tf() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
            + " UPDATE u SET v = NEW.v; RETURN NEW; END $$");
    run(second, "CREATE TRIGGER tt AFTER UPDATE ON t FOR EACH ROW EXECUTE FUNCTION tf()");
    askUntilHit(second, READ_OTHER);
    run(first, "UPDATE t SET v = 'b'");

    assertThat(ask(second, READ_OTHER)).isEqualTo("b");
    assertSeen("b");
  }

  @Test
  void preparedTransaction() throws Exception {
    first.setAutoCommit(false);
    run(first, "UPDATE t SET v = 'b'");
    run(first, "PREPARE TRANSACTION 'g'");
    first.setAutoCommit(true);
    assertThat(askUntilHit(second, READ)).isEqualTo("a");
    run(first, "COMMIT PREPARED 'g'");
    assertSeen("b");
  }

  @Test
  void beginAndCommitByText() throws Exception {
    run(first, "BEGIN");
    run(first, "UPDATE t SET v = 'b'");
    assertThat(askUntilHit(second, READ)).isEqualTo("a");
    run(first, "COMMIT");
    assertSeen("b");

    run(first, "BEGIN");
    run(first, "UPDATE t SET v = 'c'");
    memcached.kill();
    assertThatThrownBy(() -> run(first, "COMMIT")).extracting("SQLState").isEqualTo("40001");
    memcached.restart();
    assertSeen("b");
  }

  @Test
  void repeatableReadSeesItsSnapshot() throws Exception {
    second.setAutoCommit(false);
    second.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
    assertThat(ask(second, READ)).isEqualTo("a");
    run(first, "UPDATE t SET v = 'b'");
    assertThat(askUntilHit(first, READ)).isEqualTo("b");

    assertThat(ask(second, READ)).isEqualTo("a");
    second.commit();
    assertThat(ask(second, READ)).isEqualTo("b");
    second.rollback();
    second.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
    second.setAutoCommit(true);
    assertSeen("b");
  }

  @Test
  void copyThroughTheDriversExtension() throws Exception {
    // Of another class loader: by name.
    Class<?> type = classOf(first, PGConnection.class);
    Object copies = type.getMethod("getCopyAPI").invoke(first.unwrap(type));
    classOf(first, CopyManager.class)
        .getMethod("copyIn", String.class, java.io.Reader.class)
        .invoke(copies, "COPY t FROM STDIN", new java.io.StringReader("2\tx\n"));
    assertThat(ask(second, "SELECT count(*) FROM t")).isEqualTo("2");
    assertSeen("a");
  }

  @SuppressWarnings("unchecked")
  private static <T> Class<T> classOf(Connection connection, Class<T> type) throws Exception {
    return (Class<T>) Class.forName(type.getName(), false, connection.getClass().getClassLoader());
  }

  @Test
  void unwrappedConnectionKeepsTheOtherInstanceFromCachingUntilItIsClosed() throws Exception {
    Connection third = one.connect();
    Connection driver =
        third.unwrap(
            (Class<? extends Connection>)
                Class.forName(
                        "org.postgresql.jdbc.PgConnection",
                        false,
                        third.getClass().getClassLoader())
                    .asSubclass(Connection.class));
    run(driver, "UPDATE t SET v = 'b'");
    long hits = count(second, "hits");
    assertThat(ask(second, READ)).isEqualTo("b");
    memcached.ask("flush_all");
    run(driver, "UPDATE t SET v = 'c'");
    assertThat(ask(second, READ)).isEqualTo("c");
    assertThat(count(second, "hits")).isEqualTo(hits);
    third.close();
    assertSeen("c");
  }

  @Test
  void lockOfAnOutsiderHoldsUpNobody() throws Exception {
    run(outside, "SELECT pg_advisory_lock(" + AnnounceLock.CLASS_ID + ", 1)");
    try (Connection third = one.connect();
        Statement statement = third.createStatement()) {
      statement.setQueryTimeout(3);
      statement.execute("DO $$BEGIN UPDATE t SET v = 'b'; END$$");
      statement.execute("DO $$BEGIN UPDATE t SET v = 'c'; END$$");
      assertThat(ask(outside, LOCKS)).isEqualTo("1");
    }
    run(outside, "SELECT pg_advisory_unlock_all()");
    assertSeen("c");
  }

  @Test
  void writerWhoseConnectionDiesLeavesItsTablesUncachedUntilItIsOver() throws Exception {
    Connection third = one.connect();
    String pid = ask(third, "SELECT pg_backend_pid()");
    run(outside, "BEGIN; LOCK TABLE u");
    CompletableFuture<Void> dying =
        CompletableFuture.runAsync(
            () ->
                assertThatThrownBy(() -> run(third, "UPDATE t SET v = 'b'; SELECT count(*) FROM u"))
                    .isInstanceOf(SQLException.class));
    try (Connection watching = postgres.connect()) {
      await(watching, "SELECT count(*) FROM pg_locks WHERE NOT granted AND pid = " + pid, "1");
      assertThat(ask(watching, LOCKS)).isEqualTo("1");
      third.abort(Runnable::run);
      dying.join();
      long hits = count(second, "hits");
      assertThat(ask(second, READ)).isEqualTo("a");
      assertThat(count(second, "hits")).as("nobody knows how it ends").isEqualTo(hits);
      run(outside, "COMMIT");
      await(watching, "SELECT count(*) FROM pg_stat_activity WHERE pid = " + pid, "0");
    }
    assertSeen(String.valueOf(ask(outside, READ)));
  }

  private static void await(Connection connection, String sql, String value) throws SQLException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!value.equals(ask(connection, sql))) {
      assertThat(System.nanoTime()).as(sql).isLessThan(deadline);
    }
  }

  /** To give a lock back is a query, after which the server refuses to change a level. */
  @Test
  void lockOfAFailedTextIsNotGivenBackBeforeTheLevelOfTheNextTransactionIsSet() throws Exception {
    run(first, "BEGIN");
    run(first, "UPDATE t SET v = 'b'");
    assertThatThrownBy(() -> run(first, "ROLLBACK TO s; SELECT 1; COMMIT"))
        .isInstanceOf(SQLException.class);
    run(first, "COMMIT AND CHAIN");
    run(first, "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ");
    assertThat(ask(first, "SHOW transaction_isolation")).isEqualTo("repeatable read");
    run(first, "COMMIT");
    assertThat(ask(outside, LOCKS)).isEqualTo("0");
  }
}
