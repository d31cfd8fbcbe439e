package dev.larder.memcached;

import dev.larder.memcached.protocol.BarrierPass;
import dev.larder.memcached.protocol.BarrierTurns;
import dev.larder.memcached.protocol.PrimaryProbe;
import dev.larder.memcached.protocol.RemoteVersions;
import dev.larder.memcached.protocol.RemoteWrite;
import dev.larder.memcached.protocol.VersionReading;
import dev.larder.store.Daemon;
import dev.larder.store.WriteSet;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Has versions settled that readers met and could not read by, and repeats what could not be told:
 * one daemon thread for each database, only while there is something to do. Each version is tried
 * again ever later, as long as somebody asks for it. Thread-safe.
 */
final class BarrierWorker implements AutoCloseable {
  /** A writer that is alive takes its mark away before it is worth asking the primary. */
  private static final long FIRST_PAUSE_OF_MARKS = TimeUnit.MILLISECONDS.toNanos(100);

  private static final long FIRST_PAUSE = TimeUnit.MILLISECONDS.toNanos(5);
  private static final long LONGEST_PAUSE = TimeUnit.SECONDS.toNanos(2);

  /** While the version server is away, or it is another JVM's turn to ask the primary. */
  private static final long PAUSE_OF_OTHERS = TimeUnit.MILLISECONDS.toNanos(100);

  /** After so long without a reader a version is left to the next one. */
  private static final long INTEREST = TimeUnit.SECONDS.toNanos(30);

  private final RemoteVersions versions;
  private final PrimaryProbe primary;
  private final String name;

  /** Touched by the thread only. */
  private final BarrierTurns turns;

  private final LongAdder runs = new LongAdder();
  private final UntoldWrites untold = new UntoldWrites();

  // Guarded by this.
  private final Map<String, BarrierTask> tasks = new HashMap<>();
  private boolean running;
  private boolean closed;

  /** Creates a worker that has nothing to do. */
  BarrierWorker(RemoteVersions versions, BarrierTurns turns, PrimaryProbe primary, String name) {
    this.versions = versions;
    this.turns = turns;
    this.primary = primary;
    this.name = name;
  }

  /**
   * Notes what a reader could not read by.
   *
   * @param serverGeneration the server generation that the reader is connected to
   */
  void wanted(VersionReading reading, long serverGeneration) {
    if (reading.missing().isEmpty() && reading.unsettled().isEmpty()) {
      return;
    }
    boolean written = reading.verdict() == VersionReading.Verdict.BEING_WRITTEN;
    long now = System.nanoTime();
    synchronized (this) {
      for (String key : reading.missing()) {
        want(key, serverGeneration, 0, now);
      }
      for (String key : reading.unsettled()) {
        want(key, serverGeneration, written ? FIRST_PAUSE_OF_MARKS : 0, now);
      }
      work();
    }
  }

  private void want(String key, long serverGeneration, long pause, long now) {
    BarrierTask task = tasks.get(key);
    if (task == null) {
      tasks.put(key, new BarrierTask(BarrierPass.of(key), serverGeneration, pause, now));
    } else {
      task.serverGeneration = serverGeneration;
      task.wantedAt = now;
    }
  }

  /** Returns the writes that others have yet to be told of. */
  UntoldWrites untold() {
    return untold;
  }

  /** Invalidates {@code writes} at once, or keeps trying to. */
  void invalidate(WriteSet writes) {
    if (!writes.isEmpty()) {
      tell(untold.committed(writes));
    }
  }

  /** Notes that {@code write} has ended, and tells of it if it was not acknowledged. */
  void ended(RemoteWrite write) {
    UntoldWrites.Telling own = untold.end(write);
    if (own != null) {
      tell(own);
    }
  }

  /** Notes that {@code write} will never be said to have ended. */
  void lost(RemoteWrite write) {
    if (untold.lose(write)) {
      synchronized (this) {
        work();
      }
    }
  }

  private void tell(UntoldWrites.Telling own) {
    if (!told(own)) {
      synchronized (this) {
        work();
      }
    }
  }

  private boolean told(UntoldWrites.Telling some) {
    boolean acknowledged = false;
    try {
      RemoteWrite write = versions.announce(some.writes(), null);
      versions.publish(write);
      acknowledged = write.acknowledged();
    } finally {
      untold.told(some, acknowledged);
    }
    return acknowledged;
  }

  /** Tells what is to be told; returns whether something was. */
  private boolean tellUntold() {
    List<UntoldWrites.Lost> lost = untold.lost();
    if (!lost.isEmpty()) {
      runs.increment();
      untold.asked(lost, primary.ask());
    }
    UntoldWrites.Telling due = untold.due();
    boolean any = due != null || !lost.isEmpty();
    if (due != null) {
      boolean unused = told(due); // What was not is due again.
    }
    return any;
  }

  /** Call under the lock. */
  private void work() {
    if (!running && !closed) {
      running = Daemon.start(new Thread(this::run, name));
    } else {
      notifyAll();
    }
  }

  /** If an error ends the thread, whoever wants something next starts another. */
  private void run() {
    try {
      repeat();
    } catch (Throwable t) {
      synchronized (this) {
        running = false;
      }
      throw t;
    }
  }

  private void repeat() {
    long pause = FIRST_PAUSE;
    List<BarrierTask> due;
    while ((due = awaitDue(pause)) != null) {
      pause = tellUntold() ? Math.min(LONGEST_PAUSE, 2 * pause) : FIRST_PAUSE;
      List<BarrierTask> waiting = withoutSettled(due);
      if (!waiting.isEmpty()) {
        settle(waiting);
      }
    }
  }

  /**
   * Most marks are gone by now, for their writers have published, and other JVMs settle versions,
   * too: the primary need not be asked.
   */
  private List<BarrierTask> withoutSettled(List<BarrierTask> due) {
    Map<String, Long> old = new HashMap<>();
    synchronized (this) {
      for (BarrierTask task : due) {
        if (task.old) {
          old.put(task.pass.key(), task.serverGeneration);
        }
      }
    }
    if (old.isEmpty()) {
      return due;
    }
    Set<String> settled = versions.readable(old);
    synchronized (this) {
      settled.forEach(tasks::remove);
    }
    turns.giveBack(settled);
    return due.stream().filter(task -> !settled.contains(task.pass.key())).toList();
  }

  private void settle(List<BarrierTask> due) {
    List<BarrierPass> passes = due.stream().map(task -> task.pass).toList();
    AtomicBoolean asked = new AtomicBoolean();
    List<BarrierPass> after =
        versions.settle(
            passes,
            turns,
            () -> {
              asked.set(true);
              runs.increment();
              return primary.ask();
            });
    List<String> ended = new ArrayList<>();
    synchronized (this) {
      for (int i = 0; i < due.size(); i++) {
        if (!waitsOn(due.get(i), after.get(i), asked.get())) {
          tasks.remove(after.get(i).key());
          ended.add(after.get(i).key());
        }
      }
    }
    turns.giveBack(ended);
  }

  /** Makes {@code task} due again where {@code after} has to go on and somebody still asks. */
  private static boolean waitsOn(BarrierTask task, BarrierPass after, boolean asked) {
    long now = System.nanoTime();
    if (after.phase() != BarrierPass.Phase.WAIT || now - task.wantedAt > INTEREST) {
      return false;
    }
    task.pass = after.next();
    task.old = true;
    // Ever later for the primary's sake, and soon where it is not asked.
    task.pause =
        asked
            ? Math.min(LONGEST_PAUSE, Math.max(FIRST_PAUSE, 3 * task.pause / 2))
            : PAUSE_OF_OTHERS;
    task.dueAt = now + task.pause;
    return true;
  }

  /** Waits for something to do; returns null when there is nothing left, ending the thread. */
  private synchronized @Nullable List<BarrierTask> awaitDue(long pauseOfUntold) {
    long begin = System.nanoTime();
    while (!closed) {
      long now = System.nanoTime();
      long left = Long.MAX_VALUE;
      List<BarrierTask> due = new ArrayList<>();
      for (BarrierTask task : tasks.values()) {
        if (task.dueAt - now <= 0) {
          due.add(task);
        } else {
          left = Math.min(left, task.dueAt - now);
        }
      }
      if (untold.isWaiting()) {
        left = Math.min(left, begin + pauseOfUntold - now);
      }
      if (!due.isEmpty() || left <= 0) {
        return due;
      }
      if (left == Long.MAX_VALUE || !await(left)) {
        break;
      }
    }
    running = false;
    return null;
  }

  /** Waits under the lock; returns false if interrupted. */
  @SuppressWarnings("WaitNotInLoop") // The caller loops.
  private boolean await(long nanos) {
    try {
      wait(Math.max(1, TimeUnit.NANOSECONDS.toMillis(nanos)));
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Returns how often the primary was asked. */
  long runs() {
    return runs.sum();
  }

  /** Returns how many versions are waited for. */
  synchronized long unsettled() {
    return tasks.size();
  }

  @Override
  public synchronized void close() {
    closed = true;
    tasks.clear();
    notifyAll();
  }
}
