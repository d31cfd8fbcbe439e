package dev.larder.store;

/** Starts threads of Larder's own. Stateless. */
public final class Daemon {
  private Daemon() {}

  /**
   * Starts {@code thread} as a daemon; returns false where the system has no thread to give. That
   * is not the application's trouble: whoever needs the thread next tries again.
   */
  public static boolean start(Thread thread) {
    try {
      thread.setDaemon(true);
      FaultPoint.STARTING.pass();
      thread.start();
      return true;
    } catch (OutOfMemoryError e) {
      return false;
    }
  }
}
