package dev.larder.jdbc.bykey;

import static dev.larder.jdbc.LarderProbe.fill;
import static dev.larder.jdbc.LarderProbe.isHit;
import static dev.larder.jdbc.LarderProbe.rows;
import static dev.larder.jdbc.LarderProbe.run;
import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.engine.QueryCache;
import dev.larder.jdbc.FaultPoints;
import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.TestDatabase;
import dev.larder.jdbc.statement.CachingConnection;
import dev.larder.store.FaultPoint;
import dev.larder.store.ResultStore;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A result that is kept by its columns, and what happens at the moments that decide about it. */
final class RenewedResultsTest {
  private static final String READ = "SELECT id, name FROM item WHERE id = 1";

  private TestDatabase database;
  private Connection connection;

  @BeforeEach
  void create() throws SQLException {
    database = TestDatabase.create();
    database.execute(
        "CREATE TABLE item (id int PRIMARY KEY, name text, stock int)",
        "INSERT INTO item VALUES (1, 'one', 1), (2, 'two', 2)",
        "CREATE TABLE other (id int PRIMARY KEY)");
    connection = LarderProbe.connect(database, "larder.invalidation=key");
    run(connection, "UPDATE item SET stock = 3 WHERE id = 2");
    fill(connection, READ);
  }

  @AfterEach
  void drop() throws Exception {
    FaultPoints.inject(null);
    connection.close();
    database.close();
  }

  @Test
  void aWriteAfterASnapshotChangesWhatTheSnapshotShows() throws Exception {
    try (Connection older = LarderProbe.connect(database, "larder.invalidation=key")) {
      older.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
      older.setAutoCommit(false);
      rows(older, "SELECT id FROM other");
      cache().clear();
      FaultPoints.once(
          FaultPoint.CAPTURING, () -> run(connection, "UPDATE item SET name = 'new' WHERE id = 1"));
      assertThat(rows(older, READ)).containsExactly("1,one");
      assertThat(rows(connection, READ)).containsExactly("1,new");
      older.rollback();
    }
  }

  /**
   * Somebody else has written, and clears the cache while a result that was found is kept anew.
   *
   * @param begun whether the clear has begun when the result is found
   */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatIsForgottenIsNotKeptAnew(boolean begun) throws Exception {
    run(connection, "UPDATE item SET stock = 4 WHERE id = 1");
    assertThat(isHit(connection, READ)).isTrue();
    database.execute("UPDATE item SET name = 'new' WHERE id = 1");
    run(connection, "UPDATE item SET stock = 5 WHERE id = 1");
    QueryCache cache = cache();
    if (begun) {
      call(cache, "clearing");
    }
    ResultStore store = (ResultStore) call(cache, "store");
    FaultPoints.once(FaultPoint.RENEWING, begun ? () -> store.clear(cache) : cache::clear);
    rows(connection, READ);
    assertThat(rows(connection, READ)).containsExactly("1,new");
  }

  private QueryCache cache() throws SQLException {
    return connection.unwrap(CachingConnection.class).physical().cache();
  }

  private static Object call(QueryCache cache, String method) throws ReflectiveOperationException {
    Method called = QueryCache.class.getDeclaredMethod(method);
    called.setAccessible(true);
    return called.invoke(cache);
  }
}
