package dev.larder.memcached;

import dev.larder.store.WriteSet;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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

  private static final long PAUSE_OF_OUTAGES = TimeUnit.MILLISECONDS.toNanos(50);

  /** After so long without a reader a version is left to the next one. */
  private static final long INTEREST = TimeUnit.SECONDS.toNanos(30);

  private final RemoteVersions versions;
  private final PrimaryProbe primary;
  private final String name;
  private final LongAdder runs = new LongAdder();
  private final UntoldWrites untold = new UntoldWrites();

  // Guarded by this.
  private final Map<String, Task> tasks = new HashMap<>();
  private boolean running;
  private boolean closed;

  /** A version that is to be settled; guarded by the worker. */
  private static final class Task {
    BarrierPass pass;
    final boolean marked;
    long pause;
    long dueAt;
    long wantedAt;

    Task(BarrierPass pass, long pause, long now) {
      this.pass = pass;
      this.marked = pause > 0;
      this.pause = pause;
      this.dueAt = now + pause;
      this.wantedAt = now;
    }
  }

  /** Creates a worker that has nothing to do. */
  BarrierWorker(RemoteVersions versions, PrimaryProbe primary, String name) {
    this.versions = versions;
    this.primary = primary;
    this.name = name;
  }

  /** Notes what a reader could not read by. */
  void wanted(VersionReading reading) {
    if (reading.missing().isEmpty() && reading.unsettled().isEmpty()) {
      return;
    }
    boolean written = reading.verdict() == VersionReading.Verdict.BEING_WRITTEN;
    long now = System.nanoTime();
    synchronized (this) {
      for (String key : reading.missing()) {
        want(key, 0, now);
      }
      for (String key : reading.unsettled()) {
        want(key, written ? FIRST_PAUSE_OF_MARKS : 0, now);
      }
      work();
    }
  }

  private void want(String key, long pause, long now) {
    Task task = tasks.get(key);
    if (task == null) {
      tasks.put(key, new Task(BarrierPass.of(key), pause, now));
    } else {
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
    UntoldWrites.Item item = untold.end(write);
    if (item != null) {
      tell(item);
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

  private void tell(UntoldWrites.Item item) {
    if (!told(List.of(item))) {
      synchronized (this) {
        work();
      }
    }
  }

  private boolean told(List<UntoldWrites.Item> items) {
    RemoteWrite write = versions.announce(UntoldWrites.union(items), null);
    versions.publish(write);
    if (write.acknowledged()) {
      untold.told(items);
    }
    return write.acknowledged();
  }

  /** Tells what is to be told; returns whether something was. */
  private boolean tellUntold() {
    List<UntoldWrites.Item> lost = untold.lost();
    if (!lost.isEmpty()) {
      runs.increment();
      untold.asked(lost, primary.ask());
    }
    List<UntoldWrites.Item> due = untold.due();
    return (!due.isEmpty() && told(due)) || !lost.isEmpty() || !due.isEmpty();
  }

  /** Call under the lock. */
  private void work() {
    if (!running && !closed) {
      running = true;
      Thread thread = new Thread(this::run, name);
      thread.setDaemon(true);
      thread.start();
    } else {
      notifyAll();
    }
  }

  private void run() {
    long pause = FIRST_PAUSE;
    List<Task> due;
    while ((due = awaitDue(pause)) != null) {
      pause = tellUntold() ? Math.min(LONGEST_PAUSE, 2 * pause) : FIRST_PAUSE;
      List<Task> waiting = withoutSettled(due);
      if (!waiting.isEmpty()) {
        settle(waiting);
      }
    }
  }

  /** Most marks are gone by now: their writers have published, and the primary is not asked. */
  private List<Task> withoutSettled(List<Task> due) {
    List<String> marked =
        due.stream().filter(task -> task.marked).map(task -> task.pass.key()).toList();
    if (marked.isEmpty()) {
      return due;
    }
    List<String> settled = new ArrayList<>(marked);
    settled.removeAll(versions.unsettled(marked));
    synchronized (this) {
      settled.forEach(tasks::remove);
    }
    return due.stream().filter(task -> !settled.contains(task.pass.key())).toList();
  }

  private void settle(List<Task> due) {
    List<BarrierPass> passes = due.stream().map(task -> task.pass).toList();
    AtomicBoolean asked = new AtomicBoolean();
    List<BarrierPass> after =
        versions.settle(
            passes,
            () -> {
              asked.set(true);
              runs.increment();
              return primary.ask();
            });
    long now = System.nanoTime();
    synchronized (this) {
      for (int i = 0; i < due.size(); i++) {
        Task task = due.get(i);
        boolean waits = after.get(i).phase() == BarrierPass.Phase.WAIT;
        if (!waits || now - task.wantedAt > INTEREST) {
          tasks.remove(after.get(i).key());
        } else {
          task.pass = after.get(i).next();
          // Ever later for the primary's sake, and soon once the version server is back.
          task.pause =
              asked.get()
                  ? Math.min(LONGEST_PAUSE, Math.max(FIRST_PAUSE, 3 * task.pause / 2))
                  : PAUSE_OF_OUTAGES;
          task.dueAt = now + task.pause;
        }
      }
    }
  }

  /** Waits for something to do; returns null when there is nothing left, ending the thread. */
  private synchronized @Nullable List<Task> awaitDue(long pauseOfUntold) {
    long begin = System.nanoTime();
    while (!closed) {
      long now = System.nanoTime();
      long left = Long.MAX_VALUE;
      List<Task> due = new ArrayList<>();
      for (Task task : tasks.values()) {
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
