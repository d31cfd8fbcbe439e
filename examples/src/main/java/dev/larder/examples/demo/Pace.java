package dev.larder.examples.demo;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Keeps reads and writes in their proportion, on the fast side too: the writer waits for readers
 * and readers for the writer. Thread-safe.
 */
final class Pace {
  /** Of this many statements one is a write. */
  static final int STATEMENTS_A_WRITE = 100;

  /** How many reads a reader notes at once. */
  static final int NOTED = 20;

  private static final long PAUSE_NANOS = 20_000;
  private static final int LAG = 3;

  private final AtomicLong reads = new AtomicLong();
  private final AtomicLong writes = new AtomicLong();
  private final AtomicBoolean stopped = new AtomicBoolean();

  boolean running() {
    return !stopped.get();
  }

  void stop() {
    stopped.set(true);
  }

  /** Notes {@link #NOTED} reads, and waits while the writer lags behind. */
  void noteReads() {
    long all = reads.addAndGet(NOTED);
    while (running() && due(all) - writes.get() > LAG) {
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  /** Waits until a write is due; returns whether there is to be one. */
  boolean awaitWrite() {
    while (running() && due(reads.get()) <= writes.get()) {
      LockSupport.parkNanos(PAUSE_NANOS);
    }
    return running();
  }

  void noteWrite() {
    writes.incrementAndGet();
  }

  private static long due(long reads) {
    return reads / (STATEMENTS_A_WRITE - 1);
  }
}
