package dev.larder.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.testing.Waiting;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.postgresql.PGConnection;

/**
 * Two connections through Larder and one past it, and two tables. Whoever compares a cached answer
 * does so with {@link #assertHit}, which sees the hits rise.
 */
public abstract class ProtocolFixture {
  public static final String ITEMS = "SELECT name FROM item ORDER BY id";
  public static final String NOTES = "SELECT note FROM other ORDER BY id";

  private final ExecutorService threads =
      Executors.newCachedThreadPool(
          task -> {
            Thread thread = new Thread(task, "protocol-test");
            thread.setDaemon(true);
            return thread;
          });

  protected TestDatabase database;
  protected Connection one;
  protected Connection two;
  protected Connection past;

  @BeforeEach
  protected final void open() throws SQLException {
    database = TestDatabase.create();
    past = database.connect();
    run(
        past,
        "CREATE TABLE item (id int PRIMARY KEY, name text)",
        "CREATE TABLE other (id int PRIMARY KEY, note text)",
        "INSERT INTO item VALUES (1, 'a'), (2, 'b')",
        "INSERT INTO other VALUES (1, 'x')");
    one = LarderProbe.connect(database);
    two = LarderProbe.connect(database);
  }

  @AfterEach
  protected final void close() throws SQLException {
    threads.shutdownNow();
    one.close();
    two.close();
    past.close();
    database.close();
  }

  public static void run(Connection connection, String... statements) throws SQLException {
    LarderProbe.run(connection, statements);
  }

  /** Puts both queries into the cache, and sees that they are there. */
  protected final void fillBoth() throws SQLException {
    LarderProbe.awaitCatalog(one);
    LarderProbe.fill(one, ITEMS);
    LarderProbe.fill(one, NOTES);
  }

  public static void assertHit(Connection connection, String sql, String... rows)
      throws SQLException {
    long before = LarderProbe.hits(connection);
    List<String> answer = LarderProbe.rows(connection, sql);
    assertThat(LarderProbe.hits(connection)).as("hits of %s", sql).isEqualTo(before + 1);
    assertThat(answer).as(sql).containsExactly(rows);
  }

  public static void assertLive(Connection connection, String sql, String... rows)
      throws SQLException {
    long before = LarderProbe.hits(connection);
    List<String> answer = LarderProbe.rows(connection, sql);
    assertThat(LarderProbe.hits(connection)).as("hits of %s", sql).isEqualTo(before);
    assertThat(answer).as(sql).containsExactly(rows);
  }

  /** The table is cached again: a second read is a hit. */
  public static void assertCachedAgain(Connection connection, String sql, String... rows)
      throws SQLException {
    LarderProbe.awaitCatalog(connection);
    assertThat(LarderProbe.rows(connection, sql)).as(sql).containsExactly(rows);
    LarderProbe.fill(connection, sql);
    assertHit(connection, sql, rows);
  }

  protected final <T> Future<T> async(Callable<T> task) {
    return threads.submit(task);
  }

  protected final Future<?> asyncRun(Connection connection, String... statements) {
    return async(
        () -> {
          run(connection, statements);
          return true;
        });
  }

  public static <T> T get(Future<T> future) throws Exception {
    return future.get(30, TimeUnit.SECONDS);
  }

  public static int pid(Connection connection) throws SQLException {
    return connection.unwrap(PGConnection.class).getBackendPID();
  }

  /** Waits until the server process waits for a lock. */
  protected final void awaitBlocked(int pid) throws SQLException {
    await(() -> isBlocked(pid));
  }

  /** Returns whether the server process waits for a lock. */
  protected final boolean isBlocked(int pid) throws SQLException {
    return isTrue(
        "SELECT count(*) > 0 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND pid = "
            + pid);
  }

  protected final void awaitGone(int pid) throws SQLException {
    awaitAtServer("SELECT count(*) = 0 FROM pg_stat_activity WHERE pid = " + pid);
  }

  /** Asks the server until the answer is yes. */
  protected final void awaitAtServer(String condition) throws SQLException {
    await(() -> isTrue(condition));
  }

  private boolean isTrue(String condition) throws SQLException {
    try (Statement statement = past.createStatement();
        ResultSet row = statement.executeQuery(condition)) {
      row.next();
      return row.getBoolean(1);
    }
  }

  /** Asks until the answer is yes. */
  public static void await(Condition condition) throws SQLException {
    Waiting.until("it has come true", condition::holds);
  }

  /** Something that comes true. */
  public interface Condition {
    boolean holds() throws SQLException;
  }
}
