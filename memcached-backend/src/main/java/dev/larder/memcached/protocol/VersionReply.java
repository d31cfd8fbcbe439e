package dev.larder.memcached.protocol;

import org.jspecify.annotations.Nullable;

/**
 * What the version server answered. Immutable.
 *
 * @param item what was read; null but for {@link Outcome#FOUND}
 */
public record VersionReply(Outcome outcome, @Nullable VersionItem item) {
  /** How a request ended. */
  public enum Outcome {
    /** The server said that it did it. */
    STORED,
    /** The server said that it did not: append where nothing is, add where something is. */
    NOT_STORED,
    /** The server said that it did not, for the value is another by now. */
    CHANGED,
    /** A value was read. */
    FOUND,
    /** The server said that nothing is there. */
    MISSING,
    /** There is something that is no version, or one of another format. */
    UNREADABLE,
    /** Nobody knows: it may have been done, it may be done later. */
    UNKNOWN
  }

  /** Nobody knows. */
  public static final VersionReply UNKNOWN = of(Outcome.UNKNOWN);

  /** Returns a reply without an item. */
  public static VersionReply of(Outcome outcome) {
    return new VersionReply(outcome, null);
  }

  /** Returns what a read found. */
  public static VersionReply found(VersionItem item) {
    return new VersionReply(Outcome.FOUND, item);
  }
}
