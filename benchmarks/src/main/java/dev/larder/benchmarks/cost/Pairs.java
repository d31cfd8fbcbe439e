package dev.larder.benchmarks.cost;

import dev.larder.benchmarks.shapes.Turns.Operation;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;

/**
 * How much longer one operation takes than another, in percent: both run for some milliseconds
 * right after each other, again and again, now one first and now the other, and each such pair is
 * one ratio. Drift of the machine is in both of a pair, and a pause spoils one pair only.
 */
final class Pairs {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final long TURN_NANOS = 10_000_000;

  /** On a machine that others use too, time alone would not let the JVM compile. */
  private static final int WARM_UP_OPERATIONS = 30_000;

  private static final long LONGEST_WARM_UP_NANOS = 8_000_000_000L;

  /** How many readings the pairs are condensed to, each the median of its part. */
  private static final int PARTS = 10;

  /** Where the readings go. */
  @FunctionalInterface
  interface Readings {
    /** Takes one reading: by the clock and by the processor, in percent. */
    void add(double percent, double processorPercent);
  }

  private final Operation base;
  private final Operation other;
  private long sink;

  Pairs(Operation base, Operation other) {
    this.base = base;
    this.other = other;
  }

  private record Turn(double nanos, double processorNanos) {}

  /** Runs both so often that the JVM compiles them. */
  void warmUp() throws Exception {
    long start = System.nanoTime();
    for (int i = 0; i < WARM_UP_OPERATIONS; i++) {
      sink += base.run() + other.run();
      if (System.nanoTime() - start > LONGEST_WARM_UP_NANOS) {
        break;
      }
    }
  }

  /** Warms up, and measures {@code pairs} pairs. */
  void run(int pairs, Readings readings) throws Exception {
    warmUp();
    int part = Math.max(1, pairs / PARTS);
    List<Double> clock = new ArrayList<>();
    List<Double> processor = new ArrayList<>();
    for (int i = 0; i < pairs; i++) {
      Turn first = turn(i % 2 == 0 ? base : other);
      Turn second = turn(i % 2 == 0 ? other : base);
      Turn without = i % 2 == 0 ? first : second;
      Turn with = i % 2 == 0 ? second : first;
      clock.add(percent(without.nanos, with.nanos));
      processor.add(percent(without.processorNanos, with.processorNanos));
      if (clock.size() == part) {
        readings.add(median(clock), median(processor));
        clock.clear();
        processor.clear();
      }
    }
    if (sink == Long.MIN_VALUE) {
      throw new IllegalStateException("Nothing was done.");
    }
  }

  private Turn turn(Operation operation) throws Exception {
    long start = System.nanoTime();
    long processorStart = THREADS.getCurrentThreadCpuTime();
    long operations = 0;
    long nanos;
    do {
      sink += operation.run();
      operations++;
      nanos = System.nanoTime() - start;
    } while (nanos < TURN_NANOS);
    double processorNanos = THREADS.getCurrentThreadCpuTime() - processorStart;
    return new Turn(nanos / (double) operations, processorNanos / operations);
  }

  static double percent(double without, double with) {
    return 100 * (with / without - 1);
  }

  private static double median(List<Double> values) {
    List<Double> sorted = values.stream().sorted().toList();
    return sorted.get(sorted.size() / 2);
  }
}
