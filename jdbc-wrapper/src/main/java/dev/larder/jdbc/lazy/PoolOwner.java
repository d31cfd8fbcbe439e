package dev.larder.jdbc.lazy;

import org.jspecify.annotations.Nullable;

/** As whom a pool opens its connections, and whether it hands them out. Thread-safe. */
public interface PoolOwner {
  /**
   * Returns whether it is provable that connections are as Larder has made them, but for what the
   * application has done with them.
   */
  boolean isProvable();

  /** Returns whether user, password and the like are those of the last {@link #see}. Cheap. */
  boolean isAsSeen();

  /** Looks at user, password and the like. */
  void see();

  /** Returns the user of new connections, or null where the pool does not say. */
  @Nullable String user();
}
