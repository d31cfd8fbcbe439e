package dev.larder.jdbc;

import java.lang.reflect.Method;

/** The JVM's count of what this thread allocated; its module is not one that Larder reads. */
public final class AllocationCounter {
  private final Object bean;
  private final Method count;

  public AllocationCounter() {
    try {
      bean =
          Class.forName("java.lang.management.ManagementFactory")
              .getMethod("getThreadMXBean")
              .invoke(null);
      count =
          Class.forName("com.sun.management.ThreadMXBean")
              .getMethod("getThreadAllocatedBytes", long.class);
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }

  /** Returns how many bytes the calling thread has allocated so far. */
  public long bytes() {
    try {
      return (long) count.invoke(bean, Thread.currentThread().getId());
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }
}
