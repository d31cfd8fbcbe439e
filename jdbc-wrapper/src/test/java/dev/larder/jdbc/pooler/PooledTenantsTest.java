package dev.larder.jdbc.pooler;

import static dev.larder.jdbc.LarderProbe.hits;
import static dev.larder.jdbc.LarderProbe.run;
import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.jdbc.PgBouncer;
import dev.larder.jdbc.TestDatabase;
import dev.larder.testing.NeedsProgram;
import dev.larder.testing.Program;
import dev.larder.testing.Waiting;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A session behind a pooler in which a tenant was once set differs from one in which none was: the
 * setting is empty, and no longer unset. The policy here tells the two apart.
 */
@NeedsProgram(Program.PGBOUNCER)
@Tag("regression")
final class PooledTenantsTest {
  private static final String READ = "SELECT v FROM t ORDER BY v";
  private static final String SET = "SELECT set_config('app.tenant', 'a', true)";
  private static final String ALL = "[10, 20]";

  private TestDatabase database;

  @BeforeEach
  void create() throws Exception {
    database = TestDatabase.create();
    database.execute(
        "CREATE TABLE t (v int PRIMARY KEY, tenant text)",
        "INSERT INTO t VALUES (10, 'a'), (20, 'b')",
        "ALTER TABLE t ENABLE ROW LEVEL SECURITY",
        "CREATE POLICY p ON t USING (current_setting('app.tenant', true) IS NULL"
            + " OR tenant = current_setting('app.tenant', true))",
        "DO $$ BEGIN CREATE ROLE larder_one LOGIN; EXCEPTION WHEN duplicate_object THEN END $$",
        "GRANT SELECT ON t TO larder_one");
  }

  @AfterEach
  void drop() throws Exception {
    database.close();
  }

  private static List<Integer> read(Connection connection) throws SQLException {
    List<Integer> values = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(READ)) {
      while (rows.next()) {
        values.add(rows.getInt(1));
      }
    }
    return values;
  }

  private static List<Integer> readInTransaction(Connection connection) throws SQLException {
    connection.setAutoCommit(false);
    List<Integer> values = read(connection);
    connection.commit();
    connection.setAutoCommit(true);
    return values;
  }

  private static List<Integer> readAsTenant(Connection connection) throws SQLException {
    connection.setAutoCommit(false);
    run(connection, SET);
    List<Integer> values = read(connection);
    connection.commit();
    connection.setAutoCommit(true);
    return values;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aSessionWithoutATenantReadsAsItIs(boolean emptyFirst) throws Exception {
    String[] options = {"larder.pooler.interval=100ms"};
    try (PgBouncer pooler = PgBouncer.start(database, "session", 4);
        Connection one = pooler.connectThroughLarder("larder_one", options);
        Connection two = pooler.connectThroughLarder("larder_one", options)) {
      Connection unset = emptyFirst ? two : one;
      Connection empty = emptyFirst ? one : two;
      assertThat(readAsTenant(empty)).containsExactly(10);
      for (int i = 0; i < 6; i++) {
        assertThat(read(unset)).hasToString(ALL);
        assertThat(read(empty)).isEmpty();
        assertThat(readInTransaction(unset)).hasToString(ALL);
        assertThat(readInTransaction(empty)).isEmpty();
        Waiting.pass(Duration.ofMillis(40));
      }
      for (int i = 0; i < 6; i++) {
        assertThat(readInTransaction(empty)).isEmpty();
        assertThat(read(empty)).isEmpty();
        assertThat(readInTransaction(unset)).hasToString(ALL);
        assertThat(read(unset)).hasToString(ALL);
      }
    }
  }

  /** The settings that the savepoint goes back to are those of another session. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aRollbackToASavepointOfBeforeTheQuestionLeavesTheSessionAsItIs(boolean emptyFirst)
      throws Exception {
    String[] options = {"larder.pooler.interval=100ms", "larder.admission=all"};
    try (PgBouncer pooler = PgBouncer.start(database, "session", 4);
        Connection one = pooler.connectThroughLarder("larder_one", options);
        Connection two = pooler.connectThroughLarder("larder_one", options)) {
      Connection unset = emptyFirst ? two : one;
      Connection empty = emptyFirst ? one : two;
      assertThat(readAsTenant(empty)).containsExactly(10);
      for (int i = 0; i < 10; i++) {
        assertThat(readInTransaction(unset)).hasToString(ALL);
        assertThat(readInTransaction(empty)).isEmpty();
        assertThat(readBehindASavepoint(unset)).hasToString(ALL + ALL);
        assertThat(readBehindASavepoint(empty)).hasToString("[][]");
        Waiting.pass(Duration.ofMillis(40));
      }
    }
  }

  /** Returns what is read after a savepoint, and after a rollback to it. */
  private static String readBehindASavepoint(Connection connection) throws SQLException {
    connection.setAutoCommit(false);
    run(connection, "SAVEPOINT s", "SELECT set_config('app.other', 'x', true)");
    String values = read(connection).toString();
    run(connection, "ROLLBACK TO s");
    values += read(connection);
    connection.commit();
    connection.setAutoCommit(true);
    return values;
  }

  @ParameterizedTest
  @ValueSource(strings = {"transaction", "session"})
  void aTenantOfTheTransactionIsHit(String mode) throws Exception {
    try (PgBouncer pooler = PgBouncer.start(database, mode, 4);
        Connection one = pooler.connectThroughLarder("larder_one");
        Connection two = pooler.connectThroughLarder("larder_one")) {
      readAsTenant(one);
      readAsTenant(one);
      long before = hits(one);
      for (int i = 0; i < 5; i++) {
        assertThat(readAsTenant(one)).containsExactly(10);
        assertThat(readAsTenant(two)).containsExactly(10);
      }
      assertThat(hits(one)).isEqualTo(before + 10);
    }
  }
}
