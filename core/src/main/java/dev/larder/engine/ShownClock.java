package dev.larder.engine;

import dev.larder.result.HeapWeight;

/**
 * A result that depends on the time of its query: between which moments that was. Moments are
 * nanoseconds since a moment of this JVM, above 0.
 */
final class ShownClock extends Shown {
  private static final long ORIGIN = System.nanoTime() - 1;

  private final long sent;
  private final long there;

  /**
   * Creates what is kept beside a result that is there.
   *
   * @param epoch is of now
   * @param sent a moment before the query was sent
   */
  ShownClock(long epoch, long sent) {
    super(epoch);
    this.sent = sent;
    this.there = now();
  }

  /** Returns the present moment. */
  static long now() {
    return System.nanoTime() - ORIGIN;
  }

  /** Returns a moment before the query was sent. */
  long sent() {
    return sent;
  }

  /** Returns a moment when the result was there. */
  long there() {
    return there;
  }

  @Override
  public long weightBytes() {
    return HeapWeight.ofObject(0, 3 * Long.BYTES);
  }
}
