package dev.larder.engine;

import java.util.concurrent.ThreadLocalRandom;

/**
 * Chooses which of many executions are looked at: all of the first, so that a few are not judged by
 * one of them, and later one of several at random. Thread-safe; threads that race at first may be
 * given a few more.
 */
final class Sampling {
  private final int first;
  private final int oneIn;
  private int chosen;

  /** Chooses the {@code first} ones, and later one of {@code oneIn}. */
  Sampling(int first, int oneIn) {
    this.first = first;
    this.oneIn = oneIn;
  }

  /** Returns for how many executions the next one is to stand; 0 if it is not chosen. */
  int weight() {
    if (chosen < first) {
      chosen++;
      return 1;
    }
    return ThreadLocalRandom.current().nextInt(oneIn) == 0 ? oneIn : 0;
  }
}
