package dev.larder.benchmarks.shapes;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Threads with a connection each, which do the same at the same time. */
public final class Crew implements AutoCloseable {
  private final List<Connection> connections = new ArrayList<>();
  private final ExecutorService threads;

  /** What each thread does. */
  @FunctionalInterface
  public interface Work {
    /** Does it and returns how often. */
    long run(Connection connection, int thread) throws SQLException;
  }

  /**
   * What all did together.
   *
   * @param operations how often, in sum
   * @param nanos between the start and the end of the last
   */
  public record Done(long operations, long nanos) {
    /** Returns how often a second. */
    public double perSecond() {
      return operations * 1e9 / nanos;
    }
  }

  /** Makes {@code size} threads with a connection each. */
  public Crew(Variant variant, int size) throws SQLException {
    threads = Executors.newFixedThreadPool(size);
    for (int i = 0; i < size; i++) {
      connections.add(variant.source().connect());
    }
  }

  /** Lets all threads do {@code work}; throws what the first of them threw. */
  public Done run(Work work) throws Exception {
    CountDownLatch start = new CountDownLatch(1);
    List<Future<Long>> running = new ArrayList<>();
    for (int i = 0; i < connections.size(); i++) {
      int thread = i;
      Callable<Long> task =
          () -> {
            start.await();
            return work.run(connections.get(thread), thread);
          };
      running.add(threads.submit(task));
    }
    long began = System.nanoTime();
    start.countDown();
    long operations = 0;
    for (Future<Long> one : running) {
      operations += one.get();
    }
    return new Done(operations, System.nanoTime() - began);
  }

  Connection first() {
    return connections.get(0);
  }

  @Override
  public void close() throws SQLException {
    threads.shutdownNow();
    for (Connection connection : connections) {
      connection.close();
    }
  }
}
