package dev.larder.engine;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** What became of the queries that a cache has asked again after a start. Thread-safe. */
public final class Warmup {
  private final LongAdder asked = new LongAdder();
  private final LongAdder failed = new LongAdder();
  private final LongAdder skipped = new LongAdder();
  private final Set<String> begun = ConcurrentHashMap.newKeySet();

  Warmup() {}

  /** Returns true once for each user: whether the queries of that user are to be asked now. */
  public boolean begins(String user) {
    return begun.add(user);
  }

  /** Counts a query that was asked, and whose result is there. */
  public void asked() {
    asked.increment();
  }

  /** Counts a query that the server has refused. */
  public void failed() {
    failed.increment();
  }

  /** Counts a query that was not asked, because its result would not be kept. */
  public void skipped() {
    skipped.increment();
  }

  /** Returns how many queries were asked, and their results are there. */
  public long askedCount() {
    return asked.sum();
  }

  /** Returns how many queries the server has refused. */
  public long failedCount() {
    return failed.sum();
  }

  /** Returns how many queries were not asked, because their results would not be kept. */
  public long skippedCount() {
    return skipped.sum();
  }

  void resetStatistics() {
    asked.reset();
    failed.reset();
    skipped.reset();
  }
}
