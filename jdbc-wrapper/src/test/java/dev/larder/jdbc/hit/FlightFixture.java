package dev.larder.jdbc.hit;

import dev.larder.engine.Flight;
import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.ProtocolFixture;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Threads that miss one query at once, which the server answers when the test lets it. */
abstract class FlightFixture extends ProtocolFixture {
  /** A test that waits so long for a flight has failed. */
  private static final Duration LONG = Duration.ofMinutes(5);

  private final List<Asker> askers = new ArrayList<>();

  /** Apart from the one that looks at the server, whose transactions see one moment of it. */
  private Connection locker;

  @BeforeEach
  final void waitForLong() throws SQLException {
    ForcedFlights.force(LONG);
    LarderProbe.awaitCatalog(one);
    locker = database.connect();
  }

  @AfterEach
  final void waitAsUsual() throws SQLException {
    ForcedFlights.force(Duration.ZERO);
    locker.close();
    for (Asker asker : askers) {
      asker.connection.close();
    }
  }

  /** A thread that asks one query on a connection of its own. */
  static final class Asker {
    final Connection connection;
    final Statement statement;
    final FutureTask<List<String>> answer;
    final Thread thread;
    volatile boolean interrupted;

    Asker(Connection connection, String sql) throws SQLException {
      this.connection = connection;
      this.statement = connection.createStatement();
      this.answer =
          new FutureTask<>(
              () -> {
                try {
                  return LarderProbe.rows(statement.executeQuery(sql));
                } finally {
                  interrupted = Thread.currentThread().isInterrupted();
                }
              });
      this.thread = new Thread(answer, "asker");
      thread.setDaemon(true);
    }

    Asker start() {
      thread.start();
      return this;
    }

    /** Returns what it waits for, or null. */
    @Nullable Flight flight() {
      return LockSupport.getBlocker(thread) instanceof Flight flight ? flight : null;
    }

    boolean isWaiting() {
      return flight() != null;
    }

    void awaitWaiting() throws SQLException {
      await(this::isWaiting);
    }

    List<String> get() throws Exception {
      return answer.get(60, TimeUnit.SECONDS);
    }

    SQLException failure() throws Exception {
      try {
        throw new AssertionError("no failure but " + get());
      } catch (ExecutionException e) {
        return (SQLException) e.getCause();
      }
    }
  }

  final Asker asker(String sql, String... parameters) throws SQLException {
    Asker asker = new Asker(LarderProbe.connect(database, parameters), sql);
    askers.add(asker);
    return asker;
  }

  final Asker asker() throws SQLException {
    return asker(ITEMS);
  }

  /** Keeps the server from answering the query. */
  final void block() throws SQLException {
    run(locker, "BEGIN", "LOCK TABLE item");
  }

  final void unblock() throws SQLException {
    run(locker, "COMMIT");
  }

  final Asker leader() throws SQLException {
    return leader(asker());
  }

  final Asker leader(Asker asker) throws SQLException {
    asker.start();
    awaitBlocked(pid(asker.connection));
    return asker;
  }

  final Asker waiter() throws SQLException {
    return waiter(asker());
  }

  static Asker waiter(Asker asker) throws SQLException {
    asker.start().awaitWaiting();
    return asker;
  }

  /** Returns one whose transaction reads a snapshot. */
  final Asker snapshotReader() throws SQLException {
    Asker asker = asker();
    asker.connection.setAutoCommit(false);
    asker.connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
    return asker;
  }
}
