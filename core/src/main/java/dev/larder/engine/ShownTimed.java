package dev.larder.engine;

import dev.larder.result.HeapWeight;
import dev.larder.store.Moment;

/**
 * A result of which it matters when it was asked for: between which moments of {@link Moment} that
 * was.
 */
class ShownTimed extends Shown {
  private final long sent;
  private final long there;

  /**
   * Creates what is kept beside a result that is there.
   *
   * @param epoch is of now
   * @param sent a moment before the query was sent
   */
  ShownTimed(long epoch, long sent) {
    super(epoch);
    this.sent = sent;
    this.there = Moment.now();
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
