package dev.larder.memcached.client;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Spares the callers a server that does not answer. Open after one request without an answer;
 * closed again by whoever has tried, in the background, and got one. Thread-safe.
 */
final class Breaker {
  private final AtomicLong openings = new AtomicLong();
  private volatile boolean open;

  /** Returns whether nothing is to be sent for callers. */
  boolean isOpen() {
    return open;
  }

  /** Opens it and returns whether it was closed: the caller is to see to its being closed again. */
  synchronized boolean open() {
    if (open) {
      return false;
    }
    open = true;
    openings.incrementAndGet();
    return true;
  }

  /** Closes it: the server has answered. */
  synchronized void close() {
    open = false;
  }

  /** Returns how often it was opened. */
  long openings() {
    return openings.get();
  }
}
