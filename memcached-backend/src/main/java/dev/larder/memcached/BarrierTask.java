package dev.larder.memcached;

import dev.larder.memcached.protocol.BarrierPass;

/** A version that is to be settled, and when. Guarded by the {@link BarrierWorker}. */
final class BarrierTask {
  BarrierPass pass;

  /** The server generation that the reader who wants it is connected to. */
  long serverGeneration;

  /** Whether it may have been settled by others since it was wanted. */
  boolean old;

  long pause;
  long dueAt;
  long wantedAt;

  /**
   * Creates a task.
   *
   * @param pause after which it is due, in nanoseconds
   * @param now by {@link System#nanoTime}
   */
  BarrierTask(BarrierPass pass, long serverGeneration, long pause, long now) {
    this.pass = pass;
    this.serverGeneration = serverGeneration;
    this.old = pause > 0;
    this.pause = pause;
    this.dueAt = now + pause;
    this.wantedAt = now;
  }
}
