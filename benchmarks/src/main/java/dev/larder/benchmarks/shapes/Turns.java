package dev.larder.benchmarks.shapes;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Operations of one thread that take turns, in another order each round, so that a drift of the
 * machine concerns all alike.
 */
public final class Turns {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final int WARM_UP_ROUNDS = 2;

  /** On a machine that others use too, time alone would not let the JVM compile. */
  private static final int WARM_UP_OPERATIONS = 200;

  private static final int LONGEST_WARM_UP_TURNS = 10;

  private final long turnNanos;
  private int warmUpOperations = WARM_UP_OPERATIONS;
  private final List<Task> tasks = new ArrayList<>();

  /** Something that is measured; returns anything that depends on what it has read. */
  @FunctionalInterface
  public interface Operation {
    /** Does it once. */
    long run() throws Exception;
  }

  /** Where the readings go: nanoseconds an operation, by the clock and of the processor. */
  @FunctionalInterface
  public interface Readings {
    /** Takes one reading. */
    void add(String task, double nanos, double processorNanos);
  }

  private record Task(String name, Operation operation) {}

  /** Makes turns of at least {@code turnMillis}. */
  public Turns(long turnMillis) {
    turnNanos = TimeUnit.MILLISECONDS.toNanos(turnMillis);
  }

  /** Has each operation run at least so often before it counts, unless it takes very long. */
  public Turns warmUp(int operations) {
    warmUpOperations = operations;
    return this;
  }

  /** Adds an operation. */
  public Turns add(String name, Operation operation) {
    tasks.add(new Task(name, operation));
    return this;
  }

  /** Lets everybody have {@code rounds} turns, after some that do not count. */
  public void run(int rounds, Readings readings) throws Exception {
    long sink = 0;
    for (int round = -WARM_UP_ROUNDS; round < rounds; round++) {
      for (int i = 0; i < tasks.size(); i++) {
        Task task = tasks.get(Math.floorMod(i + round, tasks.size()));
        long start = System.nanoTime();
        long processorStart = THREADS.getCurrentThreadCpuTime();
        long operations = 0;
        long nanos;
        do {
          sink += task.operation.run();
          operations++;
          nanos = System.nanoTime() - start;
        } while (nanos < turnNanos
            || (round < 0
                && operations < warmUpOperations
                && nanos < LONGEST_WARM_UP_TURNS * turnNanos));
        double processorNanos = THREADS.getCurrentThreadCpuTime() - processorStart;
        if (round >= 0) {
          readings.add(task.name, nanos / (double) operations, processorNanos / operations);
        }
      }
    }
    if (sink == Long.MIN_VALUE) {
      throw new IllegalStateException("Nothing was read.");
    }
  }
}
