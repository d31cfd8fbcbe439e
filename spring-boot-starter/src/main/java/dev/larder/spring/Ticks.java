package dev.larder.spring;

import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** Something that a thread of its own does time and again, once it was begun. Thread-safe. */
final class Ticks {
  private static final System.Logger LOGGER = System.getLogger("dev.larder");

  private final ScheduledThreadPoolExecutor clock;
  private final Duration period;
  private final Runnable task;
  private final AtomicBoolean begun = new AtomicBoolean();

  /** Creates it; there is no thread yet. What {@code task} throws does not end it. */
  Ticks(String thread, Duration period, Runnable task) {
    this.clock =
        new ScheduledThreadPoolExecutor(
            1,
            work -> {
              Thread made = new Thread(work, thread);
              made.setDaemon(true);
              return made;
            });
    this.period = period;
    this.task = task;
  }

  /** Does it for the first time soon; further calls do nothing. */
  void begin() {
    if (!begun.getAndSet(true)) {
      Future<?> unused =
          clock.scheduleAtFixedRate(this::tryOnce, 0, period.toMillis(), TimeUnit.MILLISECONDS);
    }
  }

  private void tryOnce() {
    try {
      task.run();
    } catch (RuntimeException | Error e) {
      // It would be the last time otherwise.
      LOGGER.log(System.Logger.Level.DEBUG, "left out for " + period.toSeconds() + " s", e);
    }
  }

  /** Ends it. */
  void end() {
    clock.shutdownNow();
  }
}
