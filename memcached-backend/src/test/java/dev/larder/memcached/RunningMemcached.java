package dev.larder.memcached;

/** One run of a memcached server, from its start to its end; its text says how it was started. */
interface RunningMemcached {
  /** Whether it has not ended. */
  boolean isAlive();

  /** Ends it as {@code kill -9} does, if it has not ended. */
  void kill();

  /** Stops it: connections stay open, nothing is answered. */
  void suspend() throws Exception;

  /** Lets it go on. */
  void resume() throws Exception;
}
