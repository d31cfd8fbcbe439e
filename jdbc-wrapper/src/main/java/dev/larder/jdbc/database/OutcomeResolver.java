package dev.larder.jdbc.database;

import dev.larder.engine.Database;
import dev.larder.jdbc.postgresql.Backend;
import dev.larder.jdbc.postgresql.Origin;
import dev.larder.log.CacheLog;
import dev.larder.store.Daemon;
import dev.larder.store.FaultPoint;
import dev.larder.store.PendingWrite;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Finds out what became of writes whose connection was lost. A write ends when the server process
 * that ran it is gone, never by time: a process that waits for synchronous replication commits long
 * after its client died. Behind a pooler that process is unknown. Then the write ends when all
 * processes are gone that were there once the connection was lost, except those known to serve this
 * JVM alone. It also watches connections that may be closed behind Larder's back. One thread for
 * each database, while something is open. Thread-safe.
 */
public final class OutcomeResolver {
  private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
  private static final long LONGEST_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(2);

  private final Database database;
  private final OwnConnections connections;
  private final List<Lost> open = new CopyOnWriteArrayList<>();
  private final List<Watched> watched = new CopyOnWriteArrayList<>();
  private boolean running;
  private volatile @Nullable Thread thread;
  private volatile long pauseNanos;

  OutcomeResolver(OwnConnections connections) {
    this.database = connections.database();
    this.connections = connections;
  }

  /** Publishes {@code write} once no server process is left that may be running it. */
  public void resolve(PendingWrite write, Origin origin) {
    boolean first = open.isEmpty();
    open.add(new Lost(write, origin));
    resume();
    if (first) {
      pauseNanos = FIRST_PAUSE_NANOS;
      LockSupport.unpark(thread);
    }
  }

  /** Runs {@code end} soon after {@code ended} has become true. */
  public void watch(BooleanSupplier ended, Runnable end) {
    watched.add(new Watched(ended, end));
    resume();
  }

  private record Watched(BooleanSupplier ended, Runnable end) {}

  /** Starts a thread where something is open; if the system has none to give, call again. */
  public synchronized void resume() {
    if (running || isIdle()) {
      return;
    }
    Thread made = new Thread(this::run, "larder-outcomes-" + database.identity().databaseOid());
    pauseNanos = FIRST_PAUSE_NANOS;
    running = Daemon.start(made);
    if (running) {
      thread = made;
    } else {
      CacheLog.trouble(CacheLog.Trouble.UNKNOWN_OUTCOME, "no thread could be started");
    }
  }

  private void run() {
    try {
      rounds();
    } catch (Throwable t) {
      synchronized (this) {
        running = false; // Whoever comes next starts another thread.
      }
      throw t;
    }
  }

  private void rounds() {
    while (isNeeded()) {
      long pause = pauseNanos;
      pauseNanos = Math.min(2 * pause, LONGEST_PAUSE_NANOS);
      LockSupport.parkNanos(pause);
      Thread.interrupted(); // Nobody has a reason to, and it would not pause any more.
      try {
        FaultPoint.RESOLVING.pass();
        endWatched();
        ask();
      } catch (Throwable e) {
        // The next round may succeed; without this thread the tables stay uncached.
        CacheLog.trouble(CacheLog.Trouble.UNKNOWN_OUTCOME, "asking the server", e);
      }
    }
  }

  private synchronized boolean isNeeded() {
    open.removeIf(lost -> lost.write.ended());
    running = !isIdle();
    return running;
  }

  private boolean isIdle() {
    return open.isEmpty() && watched.isEmpty();
  }

  private void endWatched() {
    for (Watched each : List.copyOf(watched)) {
      if (each.ended().getAsBoolean()) {
        each.end().run();
        watched.remove(each);
      }
    }
  }

  private void ask() throws SQLException {
    if (!open.isEmpty() && connections.arePossible()) {
      try (OwnConnections.Own own = connections.open()) {
        long started = own.facts().serverGeneration().startedMicros();
        List<Backend> present = own.session().backends();
        open.stream()
            .filter(lost -> lost.isOver(started, present))
            .forEach(lost -> database.publishLate(lost.write));
      }
    }
  }

  /** A write and the processes that may be running it; used by the resolver's thread alone. */
  private final class Lost {
    private final PendingWrite write;
    private long serverStarted;
    private @Nullable List<Backend> suspects;

    Lost(PendingWrite write, Origin origin) {
      this.write = write;
      this.serverStarted = origin.serverStarted();
      Backend known = origin.backend();
      this.suspects = known == null ? null : new ArrayList<>(List.of(known));
    }

    /**
     * Returns whether nobody is left.
     *
     * @param started when the server was started that was asked
     */
    boolean isOver(long started, List<Backend> present) {
      List<Backend> left = suspects;
      if (left == null) {
        left = new ArrayList<>(present);
        left.removeAll(connections.direct());
        suspects = left;
        serverStarted = started;
      } else if (started != serverStarted) {
        // The server was started again, which ended the processes; but one that does not say
        // which database it is may be any server.
        return !database.identity().isUnknown();
      }
      left.removeIf(suspect -> present.stream().noneMatch(suspect::mayBe));
      return left.isEmpty();
    }
  }
}
