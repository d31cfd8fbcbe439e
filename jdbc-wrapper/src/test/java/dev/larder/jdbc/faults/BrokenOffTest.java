package dev.larder.jdbc.faults;

import static dev.larder.jdbc.LarderProbe.rows;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.larder.jdbc.FaultPoints;
import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.ProtocolFixture;
import dev.larder.jdbc.TcpProxy;
import dev.larder.store.FaultPoint;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A thread fails or is interrupted anywhere on the way of its write, or a pool takes its
 * connection.
 */
@Tag("regression")
final class BrokenOffTest extends ProtocolFixture {
  private static final String UPDATE = "UPDATE item SET name = name || '!' WHERE id = 1";

  /** Those that the thread of the application passes where nothing is shared with other JVMs. */
  private static final Set<FaultPoint> OWN =
      EnumSet.complementOf(
          EnumSet.of(
              FaultPoint.RESOLVING,
              FaultPoint.STARTING,
              FaultPoint.RENEWING,
              FaultPoint.CAPTURING,
              FaultPoint.TELLING,
              FaultPoint.TOLD,
              FaultPoint.TELLING_OUTCOME));

  /** How a write is sent. */
  private enum Way {
    AUTOCOMMIT,
    TRANSACTION,
    EVERYTHING
  }

  @AfterEach
  void injectNothing() {
    FaultPoints.inject(null);
  }

  static List<Arguments> everywhere() {
    List<Arguments> all = new ArrayList<>();
    for (FaultPoint point : OWN) {
      for (Way way : Way.values()) {
        all.add(Arguments.of(point, way));
      }
    }
    return all;
  }

  /** Fails the thread that calls this, once, when it passes {@code point}. */
  private static AtomicBoolean failAt(FaultPoint point, Supplier thrown) {
    AtomicBoolean failed = new AtomicBoolean();
    Thread victim = Thread.currentThread();
    FaultPoints.inject(
        passed -> {
          if (passed == point
              && Thread.currentThread() == victim
              && failed.compareAndSet(false, true)) {
            throw thrown.get();
          }
        });
    return failed;
  }

  private interface Supplier {
    Error get();
  }

  private static void write(Connection connection, Way way) throws SQLException {
    switch (way) {
      case AUTOCOMMIT -> run(connection, UPDATE);
      case EVERYTHING -> run(connection, "DO $$ BEGIN " + UPDATE + "; END $$");
      case TRANSACTION -> connection.commit();
    }
  }

  private static void prepare(Connection connection, Way way) throws SQLException {
    if (way == Way.TRANSACTION) {
      connection.setAutoCommit(false);
      run(connection, UPDATE);
    }
  }

  /** Both tables are cached again, with the present rows; nobody writes, as far as Larder knows. */
  private void assertHealed() throws SQLException {
    await(() -> LarderProbe.isHit(one, ITEMS) && LarderProbe.isHit(one, NOTES));
    assertThat(rows(one, ITEMS)).isEqualTo(rows(past, ITEMS));
    assertThat(rows(one, NOTES)).isEqualTo(rows(past, NOTES));
    assertThat(database(one).versionsPending()).isZero();
  }

  private static Pending database(Connection connection) {
    return () -> {
      long writers = 0;
      try (Statement statement = connection.createStatement();
          var row = statement.executeQuery("SHOW larder.tables")) {
        while (row.next()) {
          writers += row.getLong("writers");
        }
      }
      return writers;
    };
  }

  /** Counts the writers that are under way. */
  private interface Pending {
    long versionsPending() throws SQLException;
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void anErrorAnywhereLeavesNothingUncached(FaultPoint point, Way way) throws SQLException {
    fillBoth();
    prepare(two, way);
    AtomicBoolean failed = failAt(point, () -> new OutOfMemoryError("injected"));
    assertThatThrownBy(() -> write(two, way)).isInstanceOf(OutOfMemoryError.class);
    assertThat(failed).isTrue();
    FaultPoints.inject(null);
    int pid = pid(two);
    two.close();
    awaitGone(pid);
    assertHealed();
    two = LarderProbe.connect(database);
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void theConnectionGoesOnAfterAnError(FaultPoint point, Way way) throws SQLException {
    fillBoth();
    prepare(two, way);
    failAt(point, () -> new StackOverflowError("injected"));
    assertThatThrownBy(() -> write(two, way)).isInstanceOf(StackOverflowError.class);
    FaultPoints.inject(null);
    if (!two.getAutoCommit()) {
      two.rollback();
      two.setAutoCommit(true);
    }
    run(two, UPDATE);
    assertThat(rows(one, ITEMS)).isEqualTo(rows(past, ITEMS));
    assertHealed();
    LarderProbe.fill(two, ITEMS);
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void anInterruptAnywhereIsKeptAndHarmsNothing(FaultPoint point, Way way) throws SQLException {
    fillBoth();
    prepare(two, way);
    Thread victim = Thread.currentThread();
    FaultPoints.inject(
        passed -> {
          if (passed == point && Thread.currentThread() == victim) {
            victim.interrupt();
          }
        });
    try {
      write(two, way);
    } finally {
      FaultPoints.inject(null);
      assertThat(Thread.interrupted()).isTrue();
    }
    assertThat(rows(one, ITEMS)).isEqualTo(rows(past, ITEMS)).contains("a!");
    assertHealed();
  }

  /** Where even the way out has no room, tables may stay uncached; a wrong row there is never. */
  @Test
  void aStackThatOverflowsAnywhereLeadsToNoWrongRow() throws Exception {
    fillBoth();
    two.close();
    two = connectWithRoom();
    int depth = deepest();
    int failures = 0;
    int successes = 0;
    while (depth > 0 && successes < 2) {
      int pid = pid(two); // Now: who got no answer in time finds the connection closed.
      Throwable thrown = atDepth(depth, () -> run(two, UPDATE));
      if (thrown == null) {
        successes += failures == 0 ? 0 : 1;
      } else {
        // What the JVM could not link for want of room, it never links.
        assertThat(thrown)
            .isInstanceOfAny(
                StackOverflowError.class,
                InternalError.class,
                LinkageError.class,
                SQLException.class);
        failures++;
      }
      // What was compiled since the depth was measured takes less of the stack.
      depth += failures == 0 ? 100 : -11;
      if (thrown != null && failures % 4 == 0) {
        two.close();
        awaitGone(pid);
        two = connectWithRoom();
      } else if (two.isClosed()) {
        awaitGone(pid);
        two = connectWithRoom();
      } else {
        awaitAtServer("SELECT state = 'idle' FROM pg_stat_activity WHERE pid = " + pid);
      }
      // The server may begin only now with what was sent before the stack was full.
      List<String> before = rows(past, ITEMS);
      assertThat(rows(one, ITEMS)).isIn(before, rows(past, ITEMS));
    }
    assertThat(successes).isPositive();
    run(two, UPDATE);
    assertThat(rows(one, ITEMS)).isEqualTo(rows(past, ITEMS));
  }

  /** Its answer is not awaited for ever: a request of which half was sent has none. */
  private Connection connectWithRoom() throws SQLException {
    return DriverManager.getConnection(
        database.larderUrl(
            "larder.writers=this-jvm&socketTimeout=20&" + RoomySocketFactory.PARAMETER));
  }

  /** Something that may fail. */
  private interface Task {
    void run() throws SQLException;
  }

  private static int deepest() throws InterruptedException {
    int[] reached = new int[1];
    onSmallStack(() -> count(reached));
    return reached[0];
  }

  private static void count(int[] reached) {
    reached[0]++;
    count(reached);
  }

  private static @Nullable Throwable atDepth(int depth, Task task) throws InterruptedException {
    return onSmallStack(() -> dive(depth, task));
  }

  private static void dive(int depth, Task task) throws SQLException {
    if (depth == 0) {
      task.run();
    } else {
      dive(depth - 1, task);
    }
  }

  private static @Nullable Throwable onSmallStack(Task task) throws InterruptedException {
    AtomicReference<Throwable> thrown = new AtomicReference<>();
    Thread thread =
        new Thread(
            null,
            () -> {
              try {
                task.run();
              } catch (Throwable t) {
                thrown.set(t);
              }
            },
            "small-stack",
            256 << 10);
    thread.start();
    thread.join();
    return thrown.get();
  }

  @Test
  void theThreadThatFindsOutcomesOutSurvivesErrors() throws Exception {
    try (TcpProxy proxy = new TcpProxy(database.port())) {
      fillBoth();
      AtomicBoolean failed = new AtomicBoolean();
      FaultPoints.inject(
          passed -> {
            if (passed == FaultPoint.RESOLVING && failed.compareAndSet(false, true)) {
              throw new OutOfMemoryError("injected");
            }
          });
      loseWrite(proxy);
      assertHealed();
      assertThat(failed).isTrue();
    }
  }

  @Test
  void whereNoThreadCanBeStartedTheNextConnectionTriesAgain() throws Exception {
    try (TcpProxy proxy = new TcpProxy(database.port())) {
      fillBoth();
      FaultPoints.inject(
          passed -> {
            if (passed == FaultPoint.STARTING) {
              throw new OutOfMemoryError("unable to create native thread");
            }
          });
      loseWrite(proxy);
      assertLive(one, ITEMS, "a!", "b");
      assertLive(one, ITEMS, "a!", "b");
      FaultPoints.inject(null);
      LarderProbe.connect(database).close();
      assertHealed();
    }
  }

  private void loseWrite(TcpProxy proxy) throws SQLException {
    String url =
        database
            .larderUrl("larder.writers=this-jvm")
            .replace(":" + database.port() + "/", ":" + proxy.port() + "/");
    try (Connection writer = DriverManager.getConnection(url)) {
      proxy.cutAnswerTo("UPDATE item");
      assertThatThrownBy(() -> run(writer, UPDATE)).isInstanceOf(SQLException.class);
    }
    awaitAtServer("SELECT name = 'a!' FROM item WHERE id = 1");
  }

  @Test
  void aPoolThatEvictsInTheMiddleOfATransactionLeavesNothingUncached() throws Exception {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(database.larderUrl("larder.writers=this-jvm"));
    config.setMaximumPoolSize(2);
    config.setPoolName("evicting");
    HikariDataSource pool = new HikariDataSource(config);
    try (pool) {
      for (boolean everything : new boolean[] {false, true}) {
        fillBoth();
        Connection connection = pool.getConnection();
        connection.setAutoCommit(false);
        run(connection, everything ? "DO $$ BEGIN " + UPDATE + "; END $$" : UPDATE);
        int pid = pid(connection);
        pool.evictConnection(connection);
        awaitGone(pid);
        assertThatThrownBy(connection::commit).isInstanceOf(SQLException.class);
        connection.close();
        assertThat(rows(past, ITEMS)).containsExactly("a", "b");
        assertHealed();
      }
      Connection connection = pool.getConnection();
      connection.setAutoCommit(false);
      run(connection, UPDATE);
      pool.close();
      assertThatThrownBy(connection::commit).isInstanceOf(SQLException.class);
    }
    assertThat(rows(past, ITEMS)).containsExactly("a", "b");
    assertHealed();
    awaitAtServer(
        "SELECT count(*) <= 4 FROM pg_stat_activity WHERE datname = current_database()"
            + " AND backend_type = 'client backend'");
    await(
        () ->
            Thread.getAllStackTraces().keySet().stream()
                .noneMatch(thread -> thread.getName().startsWith("evicting")));
  }
}
