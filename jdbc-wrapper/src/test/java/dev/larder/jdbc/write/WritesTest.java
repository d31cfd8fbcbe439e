package dev.larder.jdbc.write;

import static dev.larder.jdbc.LarderProbe.rows;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.ProtocolFixture;
import java.io.ByteArrayOutputStream;
import java.io.Reader;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.sql.BatchUpdateException;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;
import org.postgresql.copy.CopyManager;
import org.postgresql.copy.CopyOut;

/** Every way in which a statement or a call of the driver writes. */
@Tag("each-server")
@Tag("regression")
final class WritesTest extends ProtocolFixture {
  private static final byte[] ROW = "3\tcopied\n".getBytes(StandardCharsets.UTF_8);

  private CopyManager copy(Connection connection) throws SQLException {
    return connection.unwrap(PGConnection.class).getCopyAPI();
  }

  @Test
  void whatIsBeingReadWhileTheCacheIsClearedIsNotKept() throws Exception {
    String query = "SELECT name FROM item WHERE id = 1";
    fillBoth();
    try (Connection locker = database.connect()) {
      locker.setAutoCommit(false);
      run(locker, "LOCK TABLE item IN ACCESS EXCLUSIVE MODE");
      int pid = pid(two);
      Future<List<String>> reading = async(() -> LarderProbe.rows(two, query));
      awaitBlocked(pid);
      run(one, "RESET larder.cache");
      locker.rollback();
      assertThat(get(reading)).containsExactly("a");
    }
    assertLive(one, query, "a");
    assertHit(one, query, "a");
  }

  @Test
  void statementBatchesInvalidateEveryTableTheyName() throws SQLException {
    fillBoth();
    try (Statement statement = two.createStatement()) {
      statement.addBatch("UPDATE item SET name = 'n' WHERE id = 1");
      statement.addBatch("UPDATE other SET note = 'y'");
      statement.executeBatch();
      assertLive(one, ITEMS, "n", "b");
      assertLive(one, NOTES, "y");
      two.setAutoCommit(false);
      statement.addBatch("UPDATE item SET name = 'm' WHERE id = 1");
      statement.executeLargeBatch();
      assertHit(one, ITEMS, "n", "b");
      assertLive(two, ITEMS, "m", "b");
      two.commit();
      assertLive(one, ITEMS, "m", "b");
      assertHit(one, NOTES, "y");
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void preparedBatchesInvalidate(boolean rewritten) throws SQLException {
    fillBoth();
    try (Connection writer = LarderProbe.connect(database, "reWriteBatchedInserts=" + rewritten);
        PreparedStatement insert = writer.prepareStatement("INSERT INTO item VALUES (?, ?)")) {
      for (int i = 3; i <= 6; i++) {
        insert.setInt(1, i);
        insert.setString(2, "r" + i);
        insert.addBatch();
      }
      insert.executeBatch();
    }
    assertLive(one, ITEMS, "a", "b", "r3", "r4", "r5", "r6");
    assertHit(one, NOTES, "x");
  }

  @Test
  void aBatchThatFailsHalfwayIsFollowed() throws SQLException {
    fillBoth();
    try (PreparedStatement insert = two.prepareStatement("INSERT INTO item VALUES (?, 'r')")) {
      for (int id : new int[] {3, 1, 4}) {
        insert.setInt(1, id);
        insert.addBatch();
      }
      assertThatThrownBy(insert::executeBatch).isInstanceOf(BatchUpdateException.class);
    }
    assertCachedAgain(one, ITEMS, rows(past, ITEMS).toArray(String[]::new));
    try (Statement statement = two.createStatement()) {
      statement.addBatch("UPDATE item SET name = 'kept' WHERE id = 2");
      statement.addBatch("COMMIT");
      statement.addBatch("INSERT INTO item VALUES (1, 'twice')");
      assertThatThrownBy(statement::executeBatch).isInstanceOf(BatchUpdateException.class);
    }
    assertCachedAgain(one, ITEMS, rows(past, ITEMS).toArray(String[]::new));
    assertHit(two, NOTES, "x");
  }

  @Test
  void severalStatementsInOneTextAreFollowedAcrossTheirCommitsAndRollbacks() throws SQLException {
    fillBoth();
    run(two, "UPDATE item SET name = 'n' WHERE id = 1; UPDATE other SET note = 'y'");
    assertLive(one, ITEMS, "n", "b");
    assertLive(one, NOTES, "y");
    run(two, "BEGIN; UPDATE item SET name = 'm' WHERE id = 1");
    assertLive(two, ITEMS, "m", "b");
    run(two, "COMMIT; SELECT 1");
    assertLive(one, ITEMS, "m", "b");
    run(two, "BEGIN; UPDATE item SET name = 'l' WHERE id = 1; COMMIT");
    assertLive(one, ITEMS, "l", "b");
    assertHit(one, ITEMS, "l", "b");
    two.setAutoCommit(false);
    run(two, "UPDATE item SET name = 'lost' WHERE id = 1");
    run(two, "ROLLBACK; UPDATE other SET note = 'z'");
    assertThat(rows(past, NOTES)).containsExactly("z");
    assertLive(one, NOTES, "z");
    two.rollback();
    assertCachedAgain(one, ITEMS, "l", "b");
  }

  @Test
  void aBatchThatRollsBackAndWritesIsFollowed() throws SQLException {
    fillBoth();
    run(two, "BEGIN", "UPDATE item SET name = 'lost' WHERE id = 1");
    try (Statement statement = two.createStatement()) {
      statement.addBatch("ROLLBACK");
      statement.addBatch("UPDATE other SET note = 'z'");
      statement.executeBatch();
    }
    assertLive(one, NOTES, "z");
    assertCachedAgain(one, ITEMS, "a", "b");
  }

  @Test
  void returningAndGeneratedKeysInvalidateInEveryForm() throws SQLException {
    run(past, "CREATE TABLE keyed (id serial PRIMARY KEY, note text)");
    run(one, "COMMENT ON TABLE keyed IS 'read the catalog again'");
    LarderProbe.awaitCatalog(one);
    String sql = "SELECT note FROM keyed ORDER BY id";
    LarderProbe.fill(one, sql);
    String insert = "INSERT INTO keyed (note) VALUES ('k')";
    try (Statement statement = two.createStatement()) {
      statement.executeUpdate(insert, Statement.RETURN_GENERATED_KEYS);
      assertKey(statement, 1);
      assertLive(one, sql, "k");
      assertHit(one, sql, "k");
      statement.execute(insert, new String[] {"id"});
      assertKey(statement, 2);
      assertLive(one, sql, "k", "k");
      assertHit(one, sql, "k", "k");
      statement.executeLargeUpdate(insert, Statement.RETURN_GENERATED_KEYS);
      assertKey(statement, 3);
      assertLive(one, sql, "k", "k", "k");
      assertHit(one, sql, "k", "k", "k");
      assertThat(LarderProbe.rows(statement.executeQuery(insert + " RETURNING id")))
          .containsExactly("4");
      assertLive(one, sql, "k", "k", "k", "k");
      assertThat(statement.execute(insert + " RETURNING id")).isTrue();
      assertThat(LarderProbe.rows(statement.getResultSet())).containsExactly("5");
      assertLive(one, sql, "k", "k", "k", "k", "k");
    }
    try (PreparedStatement statement = two.prepareStatement(insert, new String[] {"id"})) {
      statement.executeUpdate();
      assertKey(statement, 6);
    }
    try (PreparedStatement statement =
        two.prepareStatement(insert, Statement.RETURN_GENERATED_KEYS)) {
      statement.execute();
      assertKey(statement, 7);
    }
    assertCachedAgain(one, sql, "k", "k", "k", "k", "k", "k", "k");
  }

  private static void assertKey(Statement statement, int id) throws SQLException {
    try (ResultSet keys = statement.getGeneratedKeys()) {
      assertThat(keys.next()).isTrue();
      assertThat(keys.getInt("id")).isEqualTo(id);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "INSERT INTO item VALUES (1, 'z') ON CONFLICT (id) DO UPDATE SET name = excluded.name",
        "MERGE INTO item USING other ON item.id = other.id WHEN MATCHED THEN UPDATE SET name = 'z'",
        "WITH w AS (UPDATE item SET name = 'z' WHERE id = 1 RETURNING id) SELECT * FROM w",
        "WITH w AS (SELECT 1 AS k) UPDATE item SET name = 'z' FROM w WHERE id = w.k",
        "EXPLAIN ANALYZE UPDATE item SET name = 'z' WHERE id = 1",
        "DO $$ BEGIN UPDATE item SET name = 'z' WHERE id = 1; END $$",
        "DO $$ BEGIN UPDATE item SET name = 'z' WHERE id = 1; COMMIT; PERFORM 1; END $$",
        "CALL renaming()",
        "SELECT rename('z')",
        "SELECT rename(note || 'z') FROM (SELECT '' AS note) x",
        "VALUES (rename('z'))",
        "SELECT * FROM rename('z')",
        "COPY (SELECT rename('z')) TO '/dev/null'",
        "PREPARE p AS UPDATE item SET name = 'z' WHERE id = 1; EXECUTE p; DEALLOCATE p",
        "UPDATE writable SET name = 'z' WHERE id = 1"
      })
  void everyStatementThatWritesInvalidates(String sql) throws SQLException {
    run(
        past,
        "CREATE FUNCTION rename(t text) RETURNS int LANGUAGE plpgsql AS $$ BEGIN"
            + " UPDATE item SET name = t WHERE id = 1; RETURN 1; END $$",
        "CREATE PROCEDURE renaming() LANGUAGE plpgsql AS $$ BEGIN"
            + " UPDATE item SET name = 'z' WHERE id = 1; COMMIT; PERFORM 1; END $$",
        "CREATE VIEW writable AS SELECT * FROM item");
    run(one, "COMMENT ON TABLE item IS 'read the catalog again'");
    fillBoth();
    run(two, sql);
    LarderProbe.awaitCatalog(one);
    assertLive(one, ITEMS, "z", "b");
    assertHit(one, ITEMS, "z", "b");
    run(past, "UPDATE item SET name = 'a' WHERE id = 1");
    run(two, "UPDATE item SET name = 'b' WHERE id = 2");
    fillBoth();
    if (!sql.contains("COMMIT") && !sql.startsWith("CALL")) {
      run(two, "BEGIN", sql);
      LarderProbe.awaitCatalog(two);
      assertLive(two, ITEMS, "z", "b");
      run(two, "ROLLBACK");
      assertCachedAgain(two, ITEMS, "a", "b");
    }
  }

  @Test
  void callsByCallableStatementInvalidate() throws SQLException {
    run(
        past,
        "CREATE FUNCTION rename(t text) RETURNS int LANGUAGE plpgsql AS $$ BEGIN"
            + " UPDATE item SET name = t WHERE id = 1; RETURN 1; END $$");
    fillBoth();
    try (CallableStatement call = two.prepareCall("{? = call rename(?)}")) {
      call.registerOutParameter(1, java.sql.Types.INTEGER);
      call.setString(2, "called");
      call.execute();
    }
    assertCachedAgain(one, ITEMS, "called", "b");
  }

  @Test
  void copyInvalidatesWhenItEnds() throws Exception {
    fillBoth();
    CopyIn in = copy(two).copyIn("COPY item FROM STDIN");
    in.writeToCopy(ROW, 0, ROW.length);
    in.flushCopy();
    assertLive(one, ITEMS, "a", "b");
    in.endCopy();
    assertLive(one, ITEMS, "a", "b", "copied");
    assertHit(one, ITEMS, "a", "b", "copied");
    assertHit(one, NOTES, "x");
    copy(two).copyIn("COPY other FROM STDIN (FORMAT csv)", new StringReader("2,y\n"));
    assertLive(one, NOTES, "x", "y");
    assertHit(one, NOTES, "x", "y");
  }

  @Test
  void aCopyThatIsCancelledOrFailsLeavesItsTableCached() throws Exception {
    fillBoth();
    CopyIn in = copy(two).copyIn("COPY item FROM STDIN");
    in.writeToCopy(ROW, 0, ROW.length);
    in.cancelCopy();
    assertCachedAgain(one, ITEMS, "a", "b");
    assertThatThrownBy(
            () -> copy(two).copyIn("COPY item FROM STDIN", new StringReader("not a number\tx\n")))
        .isInstanceOf(SQLException.class);
    assertCachedAgain(one, ITEMS, "a", "b");
    assertThatThrownBy(() -> copy(two).copyIn("COPY item FROM STDIN", new FailingReader()))
        .isInstanceOf(Exception.class);
    assertCachedAgain(one, ITEMS, "a", "b");
    assertThatThrownBy(() -> copy(two).copyIn("COPY nothing FROM STDIN"))
        .isInstanceOf(SQLException.class);
    assertCachedAgain(one, ITEMS, "a", "b");
    assertCachedAgain(two, NOTES, "x");
  }

  @Test
  void aCopyThatTheServerRefusesWhileItIsWrittenLeavesItsTableCached() throws Exception {
    fillBoth();
    CopyIn in = copy(two).copyIn("COPY item FROM STDIN");
    byte[] wrong = "wrong\n".repeat(10_000).getBytes(StandardCharsets.UTF_8);
    assertThatThrownBy(
            () -> {
              for (int i = 0; i < 10; i++) {
                in.writeToCopy(wrong, 0, wrong.length);
                in.flushCopy();
              }
              in.endCopy();
            })
        .isInstanceOf(SQLException.class);
    assertThat(in.isActive()).isFalse();
    assertCachedAgain(one, ITEMS, "a", "b");
  }

  @Test
  void aCopyWhoseConnectionIsLostLeavesItsTableCached() throws Exception {
    fillBoth();
    int pid = pid(two);
    CopyIn in = copy(two).copyIn("COPY item FROM STDIN");
    run(past, "SELECT pg_terminate_backend(" + pid + ")");
    awaitGone(pid);
    assertThatThrownBy(
            () -> {
              for (int i = 0; i < 1000; i++) {
                in.writeToCopy(ROW, 0, ROW.length);
                in.flushCopy();
              }
              in.endCopy();
            })
        .isInstanceOf(SQLException.class);
    await(() -> LarderProbe.isHit(one, ITEMS));
    assertHit(one, ITEMS, "a", "b");
    assertThatThrownBy(() -> two.close()).isInstanceOf(SQLException.class);
  }

  @Test
  void aCopyThatIsLeftOpenWhenItsConnectionIsClosedLeavesItsTableCached() throws Exception {
    fillBoth();
    CopyIn in = copy(two).copyIn("COPY item FROM STDIN");
    in.writeToCopy(ROW, 0, ROW.length);
    assertLive(one, ITEMS, "a", "b");
    two.abort(Runnable::run);
    await(() -> LarderProbe.isHit(one, ITEMS));
    assertHit(one, ITEMS, "a", "b");
    assertThatThrownBy(in::endCopy).isInstanceOf(SQLException.class);
    assertHit(one, ITEMS, "a", "b");
  }

  @Test
  void copyInATransactionIsDirtyAndPublishedAtItsEnd() throws Exception {
    fillBoth();
    two.setAutoCommit(false);
    copy(two).copyIn("COPY item FROM STDIN", new StringReader("3\tcopied\n"));
    assertHit(one, ITEMS, "a", "b");
    assertLive(two, ITEMS, "a", "b", "copied");
    two.rollback();
    assertHit(two, ITEMS, "a", "b");
    copy(two).copyIn("COPY item FROM STDIN", new StringReader("3\tcopied\n"));
    two.commit();
    assertLive(one, ITEMS, "a", "b", "copied");
  }

  @Test
  void copyOutDisturbsNobodyUnlessItsQueryWrites() throws Exception {
    run(
        past,
        "CREATE FUNCTION rename(t text) RETURNS int LANGUAGE plpgsql AS $$ BEGIN"
            + " UPDATE item SET name = t WHERE id = 1; RETURN 1; END $$");
    fillBoth();
    copy(two).copyOut("COPY item TO STDOUT", new ByteArrayOutputStream());
    CopyOut out = copy(two).copyOut("COPY item TO STDOUT");
    while (out.readFromCopy() != null) {
      assertHit(one, ITEMS, "a", "b");
    }
    assertHit(one, ITEMS, "a", "b");
    copy(two)
        .copyOut(
            "COPY (UPDATE item SET name = 'n' WHERE id = 1 RETURNING id) TO STDOUT",
            new ByteArrayOutputStream());
    assertLive(one, ITEMS, "n", "b");
  }

  @Test
  @SuppressWarnings("deprecation")
  void fastpathInvalidatesEverything() throws Exception {
    run(
        past,
        "CREATE FUNCTION rename(t text) RETURNS int LANGUAGE plpgsql AS $$ BEGIN"
            + " UPDATE item SET name = t WHERE id = 1; RETURN 1; END $$");
    fillBoth();
    var fastpath = two.unwrap(PGConnection.class).getFastpathAPI();
    int function = Integer.parseInt(rows(past, "SELECT 'rename'::regproc::oid::int").get(0));
    fastpath.fastpath(
        function,
        new org.postgresql.fastpath.FastpathArg[] {
          new org.postgresql.fastpath.FastpathArg("fast")
        });
    assertCachedAgain(one, ITEMS, "fast", "b");
    assertCachedAgain(two, NOTES, "x");
  }

  @Test
  void largeObjectsDisturbNobodyAndAreReadFromTheServer() throws Exception {
    fillBoth();
    two.setAutoCommit(false);
    var objects = two.unwrap(PGConnection.class).getLargeObjectAPI();
    long oid = objects.createLO();
    String sql = "SELECT lo_get(" + oid + ") FROM item WHERE id = 1";
    for (String text : new String[] {"one", "two"}) {
      try (var object = objects.open(oid)) {
        object.write(text.getBytes(StandardCharsets.UTF_8));
      }
      two.commit();
      long hits = LarderProbe.hits(one);
      assertThat(rows(one, sql)).isEqualTo(rows(past, sql)).hasSize(1);
      assertThat(LarderProbe.hits(one)).isEqualTo(hits);
    }
    assertHit(one, ITEMS, "a", "b");
    assertHit(one, NOTES, "x");
  }

  @Test
  void updatableRowsInvalidate() throws SQLException {
    fillBoth();
    try (Statement statement =
            two.createStatement(ResultSet.TYPE_SCROLL_SENSITIVE, ResultSet.CONCUR_UPDATABLE);
        ResultSet row = statement.executeQuery("SELECT id, name FROM item WHERE id = 1")) {
      row.next();
      row.updateString("name", "row");
      row.updateRow();
    }
    assertCachedAgain(one, ITEMS, "row", "b");
    assertCachedAgain(two, NOTES, "x");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "TRUNCATE item CASCADE",
        "DROP TABLE item CASCADE; CREATE TABLE item (id int, name text)",
        "ALTER TABLE item RENAME TO gone; CREATE TABLE item (id int, name text)",
        "ALTER TABLE item RENAME name TO old; ALTER TABLE item ADD name text; DELETE FROM item",
        "DELETE FROM item"
      })
  void whatEmptiesATableInvalidatesIt(String sql) throws SQLException {
    for (boolean transaction : List.of(false, true)) {
      fillBoth();
      two.setAutoCommit(!transaction);
      for (String statement : sql.split("; ")) {
        run(two, statement);
      }
      if (transaction) {
        LarderProbe.awaitCatalog(two);
        assertLive(two, ITEMS);
        assertHit(one, NOTES, "x");
        two.rollback();
      } else {
        assertCachedAgain(one, ITEMS);
        run(
            past,
            "DROP TABLE IF EXISTS item CASCADE",
            "DROP TABLE IF EXISTS gone CASCADE",
            "CREATE TABLE item (id int PRIMARY KEY, name text)",
            "INSERT INTO item VALUES (1, 'a'), (2, 'b')");
        run(two, "COMMENT ON TABLE item IS 'read the catalog again'");
      }
      assertCachedAgain(one, ITEMS, "a", "b");
    }
  }

  @Test
  void truncateReachesTheTablesThatReferToIt() throws SQLException {
    run(
        one,
        "CREATE TABLE child (id int REFERENCES item ON DELETE CASCADE)",
        "INSERT INTO child VALUES (1)");
    LarderProbe.awaitCatalog(one);
    fillBoth();
    LarderProbe.fill(one, "SELECT id FROM child");
    run(two, "TRUNCATE item CASCADE");
    assertCachedAgain(one, "SELECT id FROM child");
    run(two, "INSERT INTO item VALUES (1, 'a')", "INSERT INTO child VALUES (1)");
    assertCachedAgain(one, "SELECT id FROM child", "1");
    run(two, "DELETE FROM item");
    assertCachedAgain(one, "SELECT id FROM child");
    LarderProbe.awaitCatalog(one);
    assertHit(one, NOTES, "x");
  }

  @Test
  void newTablesAndMaterializedViewsAreSeen() throws SQLException {
    run(one, "CREATE MATERIALIZED VIEW names AS SELECT name FROM item");
    LarderProbe.awaitCatalog(one);
    LarderProbe.fill(one, "SELECT name FROM names ORDER BY name");
    run(two, "UPDATE item SET name = 'n' WHERE id = 1");
    assertHit(one, "SELECT name FROM names ORDER BY name", "a", "b");
    run(two, "REFRESH MATERIALIZED VIEW names");
    assertLive(one, "SELECT name FROM names ORDER BY name", "b", "n");
    run(two, "SELECT name INTO copied FROM item");
    assertCachedAgain(one, "SELECT count(*) FROM copied", "2");
    run(two, "DROP TABLE copied", "CREATE TABLE copied AS SELECT 1 AS one");
    assertCachedAgain(one, "SELECT count(*) FROM copied", "1");
  }

  @Test
  void ddlInATransactionIsKnownWhenItsCommitReturns() throws SQLException {
    fillBoth();
    two.setAutoCommit(false);
    run(
        two,
        "CREATE FUNCTION audit() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
            + " UPDATE other SET note = 'audited'; RETURN NULL; END $$",
        "CREATE TRIGGER audit AFTER UPDATE ON item EXECUTE FUNCTION audit()");
    assertThat(rows(one, NOTES)).containsExactly("x");
    two.commit();
    fillBoth();
    run(one, "UPDATE item SET name = 'n' WHERE id = 1");
    assertCachedAgain(two, NOTES, "audited");
  }

  @Test
  void revokedRightsAreMissedAtOnce() throws SQLException {
    String role = "reader_" + database.name();
    run(past, "CREATE ROLE " + role, "GRANT SELECT ON item TO " + role);
    fillBoth();
    run(one, "SET ROLE " + role);
    assertCachedAgain(one, ITEMS, "a", "b");
    run(two, "REVOKE SELECT ON item FROM " + role);
    LarderProbe.awaitCatalog(two);
    assertThatThrownBy(() -> rows(one, ITEMS)).isInstanceOf(SQLException.class);
    run(one, "RESET ROLE");
    assertCachedAgain(one, ITEMS, "a", "b");
    run(past, "DROP ROLE " + role);
  }

  private static final class FailingReader extends Reader {
    @Override
    public int read(char[] buffer, int offset, int length) {
      throw new IllegalStateException("the application's reader fails");
    }

    @Override
    public void close() {}
  }
}
