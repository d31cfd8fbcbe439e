package dev.larder.jdbc.proof.workload;

import dev.larder.jdbc.proof.history.HistoryLog;
import dev.larder.jdbc.proof.history.Line;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * One thread of the workload: bursts of reads and writes on connections that it borrows. What it
 * does follows from its seed; when it does so, from everybody. Confined to its thread.
 */
public final class Client {
  /** The states of errors that a transaction may meet among others: it was rolled back. */
  private static final Set<String> EXPECTED =
      Set.of("40001", "40P01", "55P03", "25P02", "22012", "25P01");

  private static final int BURST = 60;

  private final Arena arena;
  private final HistoryLog log;
  private final Random random;
  private final Pace pace;
  private final long idBase;
  private final Writer writer;
  private long ids;
  private Arena.Lease lease;

  /** When the snapshot of the present transaction had been taken for sure; 0 before. */
  private long taken;

  private Query favourite = Query.ALL.get(0);

  /**
   * How often what happens.
   *
   * @param writesPerThousand how many of a thousand actions are writes
   * @param snapshotsPerThousand how many are transactions at REPEATABLE READ or SERIALIZABLE
   * @param pauses how many times the usual pause follows a write that invalidates everything
   */
  public record Pace(int writesPerThousand, int snapshotsPerThousand, int pauses) {
    /** As above, with the usual pauses. */
    public Pace(int writesPerThousand, int snapshotsPerThousand) {
      this(writesPerThousand, snapshotsPerThousand, 1);
    }
  }

  /** Creates a client, whose number is unique and above zero. */
  public Client(Arena arena, HistoryLog log, int number, long seed, Pace pace) {
    this.arena = arena;
    this.log = log;
    this.random = new Random(seed * 31 + number);
    this.pace = pace;
    this.idBase = (long) number << 40;
    this.writer = new Writer(this);
  }

  /** Does some work on one connection. */
  public void burst(Stop stop) throws SQLException, InterruptedException {
    lease = arena.borrow(random);
    try {
      log.session(arena.session(connection()));
      for (int i = 0; i < BURST && !stop.requested() && !log.isNearlyFull(); i++) {
        act();
      }
    } catch (SQLException e) {
      if (!isCrash(e)) {
        throw e;
      }
    } finally {
      arena.giveBack(lease);
    }
  }

  /** Says when a client should come to rest. */
  @FunctionalInterface
  public interface Stop {
    boolean requested();
  }

  private void act() throws SQLException {
    int die = random.nextInt(1000);
    Line changing = arena.takeCatalogChange();
    if (changing != null) {
      writer.slow(changing);
    } else if (die < pace.writesPerThousand()) {
      writer.write(arena.choose(random));
    } else if (die < pace.writesPerThousand() + pace.snapshotsPerThousand()) {
      snapshot();
    } else if (die % 40 == 0) {
      readCommitted();
    } else {
      read(choose(), false);
    }
  }

  /** Definitions of views are not part of a snapshot. */
  private Query chooseForSnapshot() {
    Query query = choose();
    while (query.reads(Line.CHOICE.ordinal())) {
      query = choose();
    }
    return query;
  }

  Query choose() {
    return arena.chooseQuery(random);
  }

  /** Reads, and logs that as a read of its own. */
  void read(Query query, boolean control) throws SQLException {
    try {
      readOrFail(query, control);
    } catch (SQLException e) {
      expect(e);
      if (!connection().getAutoCommit()) {
        connection().rollback();
      }
    }
  }

  /** Reads as {@link #read} does, in a transaction that fails where the read does. */
  void readOrFail(Query query, boolean control) throws SQLException {
    log.beginRead(query.number(), System.nanoTime());
    try {
      query.run(connection(), log, control);
      log.endRead(System.nanoTime(), false);
    } catch (SQLException e) {
      log.cancelRead();
      throw e;
    }
  }

  /** A transaction of several reads, each of which sees what is committed by then. */
  private void readCommitted() throws SQLException {
    connection().setAutoCommit(false);
    for (int i = random.nextInt(4); i >= 0; i--) {
      read(choose(), i == 2);
    }
    if (random.nextBoolean()) {
      connection().commit();
    } else {
      connection().rollback();
    }
    connection().setAutoCommit(true);
  }

  /**
   * A transaction that reads from one snapshot, taken while its first statement runs. Each read is
   * done twice, once past the cache, and both must be equal.
   */
  private void snapshot() throws SQLException {
    Connection connection = connection();
    int before = connection.getTransactionIsolation();
    connection.setTransactionIsolation(
        random.nextInt(4) == 0
            ? Connection.TRANSACTION_SERIALIZABLE
            : Connection.TRANSACTION_REPEATABLE_READ);
    connection.setAutoCommit(false);
    favourite = chooseForSnapshot();
    log.beginRead(favourite.number(), System.nanoTime());
    try {
      taken = 0;
      Savepoint savepoint = null;
      for (int i = 2 + random.nextInt(5); i > 0; i--) {
        boolean back = readTwice();
        if (back && savepoint != null) {
          connection.rollback(savepoint);
          savepoint = null;
        } else if (savepoint == null && random.nextInt(3) == 0) {
          savepoint = connection.setSavepoint();
          favourite = chooseForSnapshot(); // Whose locks a rollback to the savepoint releases.
        }
      }
      connection.commit();
      log.endRead(taken, true);
    } catch (SQLException e) {
      log.cancelRead();
      expect(e);
      connection.rollback();
    } finally {
      connection.setAutoCommit(true);
      connection.setTransactionIsolation(before);
    }
  }

  /** Returns a coin's side. */
  private boolean readTwice() throws SQLException {
    Query query = random.nextInt(3) == 0 ? chooseForSnapshot() : favourite;
    boolean controlFirst = random.nextBoolean();
    int start = log.position();
    query.run(connection(), log, controlFirst);
    int middle = log.position();
    taken = taken == 0 ? System.nanoTime() : taken;
    if (random.nextInt(3) == 0) {
      LockSupport.parkNanos(random.nextLong(TimeUnit.MILLISECONDS.toNanos(4)));
    }
    query.run(connection(), log, !controlFirst);
    int end = log.position();
    if (log.digest(start, middle) != log.digest(middle, end)) {
      log.violation(
          "In a transaction of one snapshot "
              + query
              + (controlFirst ? "\n  past the cache:" : "\n  through the cache:")
              + log.describe(start, middle)
              + (controlFirst ? "\n  through the cache:" : "\n  past the cache:")
              + log.describe(middle, end));
    }
    return controlFirst;
  }

  /** Accepts what a transaction among others may meet, and throws anything else. */
  void expect(SQLException e) throws SQLException {
    if (e.getSQLState() == null || !EXPECTED.contains(e.getSQLState())) {
      throw e;
    }
  }

  /** Returns whether the connection has been lost because the server has crashed. */
  boolean isCrash(SQLException e) {
    String state = e.getSQLState();
    boolean lost = state == null || state.startsWith("08") || state.startsWith("57P0");
    return arena.crashes() && lost;
  }

  Connection connection() {
    return lease.connection();
  }

  Arena arena() {
    return arena;
  }

  HistoryLog log() {
    return log;
  }

  Random random() {
    return random;
  }

  /** Returns an id that no other row of this run holds. */
  long nextId() {
    return idBase | ++ids;
  }
}
