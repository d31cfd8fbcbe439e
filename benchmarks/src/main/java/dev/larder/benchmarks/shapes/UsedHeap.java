package dev.larder.benchmarks.shapes;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;

/** What is alive on the heap of this JVM. Stateless. */
public final class UsedHeap {
  private static final MemoryMXBean MEMORY = ManagementFactory.getMemoryMXBean();
  private static final int MOST_COLLECTIONS = 5;
  private static final double NO_LESS = 0.99;

  private UsedHeap() {}

  /** Collects until that frees next to nothing any more; returns the bytes that are left. */
  public static long bytes() {
    long left = Long.MAX_VALUE;
    for (int i = 0; i < MOST_COLLECTIONS; i++) {
      MEMORY.gc();
      long used = MEMORY.getHeapMemoryUsage().getUsed();
      if (used > left * NO_LESS) {
        return Math.min(used, left);
      }
      left = used;
    }
    return left;
  }
}
