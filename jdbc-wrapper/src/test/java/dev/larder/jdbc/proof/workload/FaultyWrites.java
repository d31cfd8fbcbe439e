package dev.larder.jdbc.proof.workload;

import dev.larder.jdbc.proof.history.Change;
import dev.larder.jdbc.proof.history.HistoryLog.Outcome;
import dev.larder.jdbc.proof.history.Line;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.postgresql.PGConnection;

/** The transactions that meet a fault from outside while they commit. */
final class FaultyWrites {
  private final Client client;
  private final Random random;

  FaultyWrites(Client client) {
    this.client = client;
    this.random = client.random();
  }

  void write(WriteKind kind, Change change) throws SQLException {
    client.arena().faulted();
    try (Connection connection = client.arena().connect()) {
      int pid = connection.unwrap(PGConnection.class).getBackendPID();
      switch (kind) {
        case TERMINATED -> terminated(connection, pid, change);
        case FROZEN -> frozen(connection, pid, change);
        case CANCELLED -> cancelled(connection, change);
        default -> throw new IllegalArgumentException(kind.toString());
      }
    }
  }

  /** Something that is done to a commit. */
  @FunctionalInterface
  private interface Fault {
    void happen() throws SQLException, IOException, InterruptedException;
  }

  /** Has something happen soon, on a thread of its own. */
  private Thread soon(Fault fault) {
    long nanos = random.nextLong(TimeUnit.MILLISECONDS.toNanos(2));
    Thread thread =
        new Thread(
            () -> {
              LockSupport.parkNanos(nanos);
              try {
                fault.happen();
              } catch (SQLException | IOException | InterruptedException e) {
                throw new IllegalStateException(e);
              }
            },
            "proof-fault");
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  private static void join(Thread thread) throws SQLException {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new SQLException(e);
    }
  }

  private Line prepare(Connection connection, Change change) throws SQLException {
    connection.setAutoCommit(false);
    Slots slots = new Slots(connection, random);
    Line line = client.arena().plainLine(random);
    slots.bump(change, line);
    slots.change(change, line);
    return line;
  }

  /** The server process ends at some moment around the commit. */
  private void terminated(Connection connection, int pid, Change change) throws SQLException {
    long sent = 0;
    String transaction = "";
    Thread fault = null;
    try {
      prepare(connection, change);
      transaction = numberOf(connection);
      fault = soon(() -> client.arena().terminate(pid));
      LockSupport.parkNanos(random.nextLong(TimeUnit.MILLISECONDS.toNanos(2)));
      sent = System.nanoTime();
      connection.commit();
      change.log(client.log(), sent, System.nanoTime(), Outcome.COMMITTED);
    } catch (SQLException e) {
      if (sent == 0) {
        client.expect(e);
      } else if (client.arena().hasCommitted(transaction)) {
        change.log(client.log(), sent, Long.MAX_VALUE, Outcome.UNKNOWN);
      }
    } finally {
      if (fault != null) {
        join(fault);
      }
    }
  }

  /** Returns by what the server can be asked for the outcome of the transaction. */
  static String numberOf(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT pg_current_xact_id()")) {
      row.next();
      return row.getString(1);
    }
  }

  /** The server process stands still in the middle of its commit, and goes on. */
  private void frozen(Connection connection, int pid, Change change) throws SQLException {
    try {
      prepare(connection, change);
      Thread fault =
          soon(
              () -> {
                signal("-STOP", pid);
                LockSupport.parkNanos(random(20));
                signal("-CONT", pid);
              });
      long sent = System.nanoTime();
      try {
        connection.commit();
        change.log(client.log(), sent, System.nanoTime(), Outcome.COMMITTED);
      } finally {
        join(fault);
      }
    } catch (SQLException e) {
      client.expect(e);
    }
  }

  private static long random(int millis) {
    return java.util.concurrent.ThreadLocalRandom.current()
        .nextLong(TimeUnit.MILLISECONDS.toNanos(millis));
  }

  private static void signal(String signal, int pid) throws IOException, InterruptedException {
    new ProcessBuilder("kill", signal, Integer.toString(pid)).start().waitFor();
  }

  /** A statement in autocommit is cancelled, or runs into its timeout, at some moment. */
  private void cancelled(Connection connection, Change change) throws SQLException {
    Line line = client.arena().plainLine(random);
    String sql =
        Slots.bumpText(line, random).replace("?", String.valueOf(change.id()))
            + ", pg_sleep(0.00"
            + random.nextInt(3)
            + ')';
    try (Statement statement = connection.createStatement()) {
      Thread fault = soon(statement::cancel);
      long sent = System.nanoTime();
      try (ResultSet row = statement.executeQuery(sql)) {
        Slots.bumped(change, line, row);
        change.log(client.log(), sent, System.nanoTime(), Outcome.COMMITTED);
      } finally {
        join(fault);
      }
    } catch (SQLException e) {
      if (!"57014".equals(e.getSQLState())) {
        client.expect(e);
      }
    }
  }
}
