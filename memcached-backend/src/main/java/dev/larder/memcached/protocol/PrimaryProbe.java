package dev.larder.memcached.protocol;

import dev.larder.remote.WritersInProgress;
import org.jspecify.annotations.Nullable;

/** Asks the primary who is writing. Thread-safe; throws nothing. */
public interface PrimaryProbe {
  /**
   * Returns who may still commit a change to this database, by a question that is sent after this
   * call; null if the primary did not answer.
   */
  @Nullable WritersInProgress ask();
}
