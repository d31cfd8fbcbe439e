package dev.larder.benchmarks;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.Collection;
import java.util.List;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.ScalarResult;

/**
 * The time that the measuring threads had a processor, per operation, beside JMH's time of the
 * clock: on a machine that does other work too, the one that can be compared. Say {@code -prof
 * dev.larder.benchmarks.CpuTimeProfiler}.
 */
public final class CpuTimeProfiler implements InternalProfiler {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private long before;

  /** For JMH. */
  public CpuTimeProfiler() {}

  @Override
  public String getDescription() {
    return "Processor time of the measuring threads per operation";
  }

  @Override
  public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
    before = cpuNanosOfWorkers();
  }

  @Override
  public Collection<? extends Result<?>> afterIteration(
      BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
    double nanos = cpuNanosOfWorkers() - before;
    long operations = result.getMetadata().getAllOps();
    return List.of(new ScalarResult("cpu", nanos / operations, "ns/op", AggregationPolicy.AVG));
  }

  private static long cpuNanosOfWorkers() {
    long sum = 0;
    for (ThreadInfo thread : THREADS.getThreadInfo(THREADS.getAllThreadIds())) {
      if (thread != null && thread.getThreadName().contains("jmh-worker")) {
        sum += Math.max(0, THREADS.getThreadCpuTime(thread.getThreadId()));
      }
    }
    return sum;
  }
}
