package dev.larder.benchmarks.suite;

import java.io.IOException;
import java.time.Duration;

/** Something to find out: takes readings, and draws them. */
public interface Experiment {
  /** Returns the name, which readings and figures carry. */
  String name();

  /** Returns about how long one {@link #run} takes. */
  Duration expected(Scale scale);

  /** Returns how many steps one {@link #run} reports. */
  int steps(Scale scale);

  /**
   * Returns true if {@link #run} starts JVMs by itself and repeats itself, so that it is called
   * once, in the JVM of the command.
   */
  default boolean forksItself() {
    return false;
  }

  /** Returns the greatest heap of the JVM that it runs in, in bytes, if nobody says otherwise. */
  default long heapBytes(Scale scale) {
    return 3L << 30;
  }

  /** Takes readings; servers that it needs it starts and stops. */
  void run(Scale scale, Results results, Progress progress) throws Exception;

  /** Draws what {@code results} holds of this experiment. */
  void draw(Results results, Figures figures) throws IOException;
}
