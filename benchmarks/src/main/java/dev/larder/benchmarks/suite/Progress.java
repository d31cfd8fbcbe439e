package dev.larder.benchmarks.suite;

/** Who is told that a step has been done. */
@FunctionalInterface
public interface Progress {
  /** One more step is done. */
  void step(String what);
}
