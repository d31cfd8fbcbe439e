package dev.larder.catalog;

import dev.larder.sql.WriteEvent;
import org.jspecify.annotations.Nullable;

/**
 * An enabled trigger of a user's.
 *
 * @param name its name
 * @param function what it runs
 * @param type the bits of {@code pg_trigger.tgtype}
 * @param copied whether it was made for a partition from its parent's trigger
 * @param condition its WHEN, or null
 */
record Trigger(
    String name, Routine function, int type, boolean copied, @Nullable Expression condition) {
  private static final int INSERT = 4;
  private static final int DELETE = 8;
  private static final int UPDATE = 16;
  private static final int TRUNCATE = 32;
  private static final int INSTEAD = 64;

  /** Returns whether it fires for {@code event}. */
  boolean firesFor(WriteEvent event) {
    int bit =
        switch (event) {
          case INSERT -> INSERT;
          case DELETE -> DELETE;
          case UPDATE -> UPDATE;
          case TRUNCATE -> TRUNCATE;
          case REFRESH -> 0;
        };
    return (type & bit) != 0;
  }

  /** Returns whether it replaces the write (INSTEAD OF). */
  boolean insteadOf() {
    return (type & INSTEAD) != 0;
  }
}
