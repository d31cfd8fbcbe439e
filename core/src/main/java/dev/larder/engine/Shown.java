package dev.larder.engine;

import dev.larder.result.HeapWeight;
import dev.larder.store.Weighed;

/**
 * Of which moment a result that may be used outdated can be at the latest: the database may have
 * answered with writes that came after what it depends on was captured. Each result has its own: it
 * is how a session knows a result again.
 */
class Shown implements Weighed {
  private final long epoch;

  /**
   * Creates what is kept beside a result.
   *
   * @param epoch was read when the result was there
   */
  Shown(long epoch) {
    this.epoch = epoch;
  }

  /** Returns the last epoch at which the result can have been read. */
  long epoch() {
    return epoch;
  }

  @Override
  public long weightBytes() {
    return HeapWeight.ofObject(0, Long.BYTES);
  }
}
