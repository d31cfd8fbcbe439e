package dev.larder.jdbc.statement;

import dev.larder.engine.Flight;
import dev.larder.engine.Flights;
import dev.larder.engine.Lookup;
import dev.larder.engine.Plan;
import dev.larder.jdbc.connection.PhysicalConnection;
import dev.larder.jdbc.postgresql.Decoding;
import dev.larder.jdbc.postgresql.PostgresSession;
import dev.larder.jdbc.postgresql.ServerErrors;
import dev.larder.store.ProtocolStep;
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

  /** How often a leader looks, while it waits for another JVM; more often if that takes long. */
  private static final int LOOKS = 16;

  private static final long MOST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

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
    return new Execution(statement, plan, binds).leadOrWait(missed);
  }

  /** One execution that has missed. */
  private final class Execution {
    private final CachingStatement statement;
    private final Plan plan;
    private final Object[] binds;
    private @Nullable Wait wait;

    Execution(CachingStatement statement, Plan plan, Object[] binds) {
      this.statement = statement;
      this.plan = plan;
      this.binds = binds;
    }

    Lookup leadOrWait(Lookup.Miss missed) throws SQLException {
      Lookup lookup = missed;
      try {
        for (boolean lookedAgain = false; lookup instanceof Lookup.Miss miss; ) {
          Flight flight = join(miss);
          if (flight == null) {
            return miss;
          }
          if (flight.isLedHere()) {
            if (lookedAgain || !flights.isThereMeanwhile(miss)) {
              lookup = lead(miss, flight);
              return lookup;
            }
            lookedAgain = true; // What is there may be no hit for this session.
            flight.end(true);
          } else {
            Wait waiting = waiting(miss);
            if (waiting == null || waiting.isOver()) {
              return miss;
            }
            waiting.await(flight);
          }
          lookup = again(miss);
        }
        return lookup;
      } finally {
        end(lookup instanceof Lookup.Hit);
      }
    }

    /** Leads, after a wait for another JVM that asks; or returns what that has asked for. */
    private Lookup lead(Lookup.Miss missed, Flight flight) throws SQLException {
      boolean leads = false;
      try {
        long mostNanos = Flights.leaseNanos(plan.shape(), missed);
        Lookup lookup =
            mostNanos == 0 || flight.takesLease(missed)
                ? missed
                : awaitLease(missed, flight, mostNanos);
        leads = lookup instanceof Lookup.Miss miss && miss.isAdmissible();
        return leads ? new Lookup.Leading((Lookup.Miss) lookup, flight) : lookup;
      } finally {
        if (!leads) {
          flight.end(true);
        }
      }
    }

    /**
     * Waits until a result of another JVM is there, this one has the lease, or it takes too long.
     * Whoever gets the lease looks up once more: the other has kept its result before.
     */
    private Lookup awaitLease(Lookup.Miss missed, Flight flight, long mostNanos)
        throws SQLException {
      Wait waiting = waiting(missed);
      if (waiting == null) {
        return missed;
      }
      long pauseNanos = Math.min(mostNanos / LOOKS, MOST_PAUSE_NANOS);
      long end = System.nanoTime() + mostNanos;
      Lookup lookup = missed;
      for (boolean leased = false; !leased && lookup instanceof Lookup.Miss miss; ) {
        if (waiting.isOver() || System.nanoTime() - end >= 0) {
          break;
        }
        waiting.pause(flight, pauseNanos);
        leased = flight.takesLease(miss);
        lookup = again(miss);
      }
      plan.shape().runs().waitedForLease(lookup instanceof Lookup.Hit);
      waiting.failIfCancelled();
      return lookup;
    }

    private long patienceNanos(Lookup.Miss miss) {
      return flights.patienceNanos(plan.shape(), miss, physical.view().transaction());
    }

    private @Nullable Flight join(Lookup.Miss miss) {
      long patience = patienceNanos(miss);
      return patience == 0 ? null : flights.join(plan.shape(), miss.key(), patience);
    }

    private Lookup again(Lookup.Miss miss) throws SQLException {
      flights.looksUpAgain(plan.shape());
      Lookup found = wait == null ? null : flights.withoutLookup(miss);
      return found == null ? pipeline.lookup(statement, plan, binds) : found;
    }

    /** Returns the wait, a new one at first, or null where the statement must not wait. */
    private @Nullable Wait waiting(Lookup.Miss miss) {
      boolean free = physical.isIdleAtServer() || !ProtocolStep.WAIT_WITHOUT_LOCKS.isTaken();
      if (wait == null && free) {
        wait = begin(statement, patienceNanos(miss));
      }
      return wait;
    }

    private void end(boolean hit) {
      if (wait != null) {
        open.remove(statement, wait);
        flights.waited(hit);
        if (!hit) { // Where it throws, the next execution forgets that again.
          statement.waited(System.nanoTime() - wait.startNanos);
        }
      }
    }
  }

  private @Nullable Wait begin(CachingStatement statement, long patienceNanos) {
    try {
      long timeout = TimeUnit.SECONDS.toNanos(statement.forSending().getQueryTimeout());
      long network =
          TimeUnit.MILLISECONDS.toNanos(Decoding.networkTimeoutMillis(physical.session()));
      long most = timeout > 0 ? Math.min(patienceNanos, timeout) : patienceNanos;
      Wait wait = new Wait(statement, network > 0 ? Math.min(most, network) : most);
      open.put(statement, wait);
      return wait;
    } catch (SQLException e) {
      return null; // It is closed, which the execution will say.
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
      failIfCancelled();
    }

    /** Waits so long at most, for the lease of {@code flight}. */
    void pause(Flight flight, long nanos) throws SQLException {
      LockSupport.parkNanos(flight, nanos);
      failIfCancelled();
    }

    void failIfCancelled() throws SQLException {
      if (cancelled) {
        throw ServerErrors.cancelled();
      }
    }
  }
}
