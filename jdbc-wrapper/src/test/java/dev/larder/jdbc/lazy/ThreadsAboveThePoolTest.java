package dev.larder.jdbc.lazy;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.LazyDataSource;
import dev.larder.jdbc.TestDatabase;
import dev.larder.testing.Waiting;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Two threads use one connection above the pool: one ends the transaction, or gives it another
 * tenant, while the other borrows a connection and sets it up.
 */
@Tag("regression")
final class ThreadsAboveThePoolTest {
  private static final String NOTES = "SELECT text FROM note ORDER BY id";

  private TestDatabase database;
  private LazyDataSource source;

  /** Counted down once a connection is being set up, and what that waits for; null for nothing. */
  private volatile CountDownLatch isSettingUp;

  private volatile CountDownLatch goOn;

  @BeforeEach
  void readAsBothTenants() throws SQLException {
    database = TestDatabase.create();
    database.execute(
        "CREATE ROLE threads LOGIN",
        "CREATE TABLE note (id int PRIMARY KEY, tenant text, text text)",
        "INSERT INTO note VALUES (1, 'a', 'of a'), (2, 'b', 'of b')",
        "ALTER TABLE note ENABLE ROW LEVEL SECURITY",
        "CREATE POLICY own ON note USING (tenant = current_setting('app.tenant', true))",
        "GRANT ALL ON note TO threads");
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(
        "jdbc:larder:postgresql://127.0.0.1:%d/%s?user=threads&larder.writers=this-jvm&larder.lazyConnections=on&larder.admission=all"
            .formatted(database.port(), database.name()));
    config.setMaximumPoolSize(1);
    source = new LazyDataSource(slow(new HikariDataSource(config)));
    try (Connection connection = source.getConnection()) {
      LarderProbe.awaitCatalog(connection);
    }
    for (int round = 0; round < 3; round++) {
      for (String tenant : List.of("a", "b")) {
        try (Connection connection = source.getConnection()) {
          connection.setAutoCommit(false);
          setLocal(connection, tenant);
          assertThat(LarderProbe.rows(connection, NOTES)).containsExactly("of " + tenant);
          connection.commit();
        }
      }
    }
  }

  @AfterEach
  void drop() throws SQLException {
    source.close();
    database.execute("DROP OWNED BY threads", "DROP ROLE threads");
    database.close();
  }

  private static void setLocal(Connection connection, String tenant) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("SET LOCAL app.tenant = '" + tenant + "'");
    }
  }

  private DataSource slow(HikariDataSource pool) {
    return proxy(DataSource.class, pool);
  }

  /** Returns {@code object}, whose connections wait as they have run a statement. */
  private <T> T proxy(Class<T> type, T object) {
    Class<?>[] types = {type, AutoCloseable.class};
    return type.cast(
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            types,
            (proxy, method, arguments) -> {
              if (type == Statement.class && method.getName().equals("close")) {
                pause();
              }
              try {
                return slow(method.getName(), method.invoke(object, arguments));
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            }));
  }

  private Object slow(String method, Object result) {
    return switch (method) {
      case "getConnection" -> proxy(Connection.class, (Connection) result);
      case "createStatement" -> proxy(Statement.class, (Statement) result);
      default -> result;
    };
  }

  private void pause() throws InterruptedException {
    CountDownLatch begun = isSettingUp;
    if (begun != null) {
      begun.countDown();
      goOn.await();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"commit", "rollback", "autocommit", "other tenant"})
  void whatAThreadDoesWhileAnotherBorrowsIsDone(String what) throws Exception {
    try (Connection connection = source.getConnection()) {
      connection.setAutoCommit(false);
      setLocal(connection, "a");
      isSettingUp = new CountDownLatch(1);
      goOn = new CountDownLatch(1);
      CompletableFuture<List<String>> read =
          start(() -> LarderProbe.rows(connection, "SELECT 1 FROM note"));
      isSettingUp.await();
      isSettingUp = null;
      CompletableFuture<Thread> doer = new CompletableFuture<>();
      CompletableFuture<?> done =
          start(
              () -> {
                doer.complete(Thread.currentThread());
                act(connection, what);
                return true;
              });
      Thread thread = doer.get();
      Waiting.until(
          "it is done, or waits",
          () -> done.isDone() || thread.getState() != Thread.State.RUNNABLE);
      goOn.countDown();
      done.get();
      read.exceptionally(e -> List.of()).get();
      assertThat(LarderProbe.rows(connection, NOTES))
          .isEqualTo(what.equals("other tenant") ? List.of("of b") : List.of());
    }
  }

  private static void act(Connection connection, String what) throws SQLException {
    switch (what) {
      case "commit" -> connection.commit();
      case "rollback" -> connection.rollback();
      case "autocommit" -> connection.setAutoCommit(true);
      default -> setLocal(connection, "b");
    }
  }

  private static <T> CompletableFuture<T> start(Callable<T> action) {
    CompletableFuture<T> result = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                result.complete(action.call());
              } catch (Exception e) {
                result.completeExceptionally(e);
              }
            });
    thread.setDaemon(true);
    thread.start();
    return result;
  }
}
