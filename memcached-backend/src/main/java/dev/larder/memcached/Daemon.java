package dev.larder.memcached;

import dev.larder.store.FaultPoint;

/** Starts threads of the backend's own. Stateless. */
final class Daemon {
  private Daemon() {}

  /**
   * Starts a daemon thread; returns false where the system has none to give. That is not the
   * application's trouble: whoever needs the thread next tries again.
   */
  static boolean start(Runnable task, String name) {
    try {
      Thread thread = new Thread(task, name);
      thread.setDaemon(true);
      FaultPoint.STARTING.pass();
      thread.start();
      return true;
    } catch (OutOfMemoryError e) {
      return false;
    }
  }
}
