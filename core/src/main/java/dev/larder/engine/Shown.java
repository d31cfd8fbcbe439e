package dev.larder.engine;

import dev.larder.result.HeapWeight;
import dev.larder.store.Weighed;

/**
 * Of which moment a result that may be used outdated can be at the latest: the database may have
 * answered with writes that came after what it depends on was captured.
 *
 * @param epoch was read when the result was there
 */
record Shown(long epoch) implements Weighed {
  @Override
  public long weightBytes() {
    return HeapWeight.ofObject(0, Long.BYTES);
  }
}
