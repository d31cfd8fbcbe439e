package dev.larder.jdbc.statement;

import dev.larder.engine.Flight;
import dev.larder.engine.Flights;
import dev.larder.engine.Lookup;
import dev.larder.engine.Plan;
import dev.larder.jdbc.connection.PhysicalConnection;
import dev.larder.jdbc.postgresql.PostgresSession;
import dev.larder.jdbc.postgresql.ServerErrors;
import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Makes a miss lead a {@link Flight}, or wait for that of another thread. A statement waits only
 * while its session has no transaction open at the server: it holds no lock there that the leader
 * could wait for. Confined to the thread that uses the connection, but for {@link #cancel}.
 */
final class Waits {
  /** How often a waiter looks whether it was closed, which it is not told of. */
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final PhysicalConnection physical;
  private final StatementPipeline pipeline;
  private final Flights flights;
  private final Map<ConfiguredStatement, Wait> open = new ConcurrentHashMap<>();

  Waits(PhysicalConnection physical, StatementPipeline pipeline) {
    this.physical = physical;
    this.pipeline = pipeline;
    this.flights = physical.cache().flights();
  }

  /**
   * Ends the wait of a statement, which then fails as one that the server has cancelled. From any
   * thread.
   *
   * @return whether the statement was waiting
   */
  boolean cancel(ConfiguredStatement statement) {
    Wait wait = open.get(statement);
    if (wait != null) {
      wait.cancelled = true;
      LockSupport.unpark(wait.thread);
    }
    return wait != null;
  }

  /**
   * Returns what to do in place of a miss: lead, use what another has asked for, or the miss.
   *
   * @throws SQLException if the statement was cancelled
   */
  Lookup leadOrWait(CachingStatement statement, Plan plan, Object[] binds, Lookup.Miss missed)
      throws SQLException {
    Wait wait = null;
    Lookup lookup = missed;
    try {
      for (boolean lookedAgain = false; lookup instanceof Lookup.Miss miss; ) {
        Flight flight = join(plan, miss);
        if (flight == null) {
          return miss;
        }
        if (flight.isLedHere()) {
          if (lookedAgain || !flights.isThereMeanwhile(miss)) {
            return new Lookup.Leading(miss, flight);
          }
          lookedAgain = true; // What is there may be no hit for this session.
          flight.end(true);
        } else {
          wait = wait == null ? begin(statement, patienceNanos(plan, miss)) : wait;
          if (wait == null || wait.isOver()) {
            return miss;
          }
          wait.await(flight);
        }
        lookup = again(statement, plan, binds, miss, wait);
      }
      return lookup;
    } finally {
      end(statement, wait, lookup instanceof Lookup.Hit);
    }
  }

  private long patienceNanos(Plan plan, Lookup.Miss miss) {
    return flights.patienceNanos(plan.shape(), miss, physical.view().transaction());
  }

  private @Nullable Flight join(Plan plan, Lookup.Miss miss) {
    long patience = patienceNanos(plan, miss);
    return patience == 0 ? null : flights.join(plan.shape(), miss.key(), patience);
  }

  private Lookup again(
      CachingStatement statement, Plan plan, Object[] binds, Lookup.Miss miss, @Nullable Wait wait)
      throws SQLException {
    flights.looksUpAgain(plan.shape());
    Lookup found = wait == null ? null : flights.withoutLookup(miss);
    return found == null ? pipeline.lookup(statement, plan, binds) : found;
  }

  /** Returns a new wait, or null where the statement must not wait. */
  private @Nullable Wait begin(CachingStatement statement, long patienceNanos) {
    if (!physical.isIdleAtServer()) {
      return null;
    }
    try {
      long timeout = TimeUnit.SECONDS.toNanos(statement.forSending().getQueryTimeout());
      long network = TimeUnit.MILLISECONDS.toNanos(physical.session().networkTimeoutMillis());
      long most = timeout > 0 ? Math.min(patienceNanos, timeout) : patienceNanos;
      Wait wait = new Wait(statement, network > 0 ? Math.min(most, network) : most);
      open.put(statement, wait);
      return wait;
    } catch (SQLException e) {
      return null; // It is closed, which the execution will say.
    }
  }

  private void end(CachingStatement statement, @Nullable Wait wait, boolean hit) {
    if (wait != null) {
      open.remove(statement, wait);
      flights.waited(hit);
      if (!hit) { // Where it throws, the next execution forgets that again.
        statement.waited(System.nanoTime() - wait.startNanos);
      }
    }
  }

  /** The wait of one execution, perhaps for one flight after the other. */
  private final class Wait {
    private final CachingStatement statement;
    private final Thread thread = Thread.currentThread();
    private final long startNanos = System.nanoTime();
    private final long mostNanos;
    private volatile boolean cancelled;

    Wait(CachingStatement statement, long mostNanos) {
      this.statement = statement;
      this.mostNanos = mostNanos;
    }

    private long leftNanos() {
      return startNanos + mostNanos - System.nanoTime();
    }

    /** Returns whether the statement has to ask for itself now. An interrupt stays. */
    boolean isOver() {
      return leftNanos() <= 0 || thread.isInterrupted() || isClosed();
    }

    private boolean isClosed() {
      PostgresSession session = physical.session();
      return statement.isClosedByUs()
          || statement.connection.isHandleClosed()
          || session.isFoundClosed();
    }

    /** Waits until the flight has ended or takes too long, or the wait is over. */
    void await(Flight flight) throws SQLException {
      flight.wakesMe();
      while (!cancelled && !flight.hasEnded() && !isOver()) {
        long left = Math.min(leftNanos(), flight.leftNanos());
        if (left <= 0) {
          break;
        }
        LockSupport.parkNanos(flight, Math.min(left, LOOK_NANOS));
      }
      if (cancelled) {
        throw ServerErrors.cancelled();
      }
    }
  }
}
