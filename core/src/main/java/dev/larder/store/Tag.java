package dev.larder.store;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * What an entry depends on and a write invalidates. Identity is equality. Thread-safe.
 *
 * <p>The stamp is {@code version << 16 | in-flight count}. The version is the value of the epoch at
 * the last publish; the in-flight count counts the writers between announce and publish. A
 * saturated in-flight count never falls again: whatever depends on the tag is then not cached.
 */
public abstract sealed class Tag permits TableTag, KeyTag {
  static final int IN_FLIGHT_BITS = 16;
  static final long IN_FLIGHT_MASK = (1L << IN_FLIGHT_BITS) - 1;

  private static final VarHandle STAMP;

  static {
    try {
      STAMP = MethodHandles.lookup().findVarHandle(Tag.class, "stamp", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /**
   * {@code version << IN_FLIGHT_BITS | in-flight count}. The version never falls. The in-flight
   * count is 0 only if every write that raised it has been published, and in the step in which a
   * write lowers it the version becomes at least that write's. 48 bits of version are enough for a
   * million commits a second during four years.
   */
  private volatile long stamp;

  Tag(long version) {
    this.stamp = version << IN_FLIGHT_BITS;
  }

  /** Returns the tag of the table that this one belongs to: itself, or the one above it. */
  public abstract TableTag table();

  /** Returns how many writers are between announce and publish. */
  public final int inFlight() {
    return (int) (stamp & IN_FLIGHT_MASK);
  }

  final long stamp() {
    return stamp;
  }

  static boolean inFlight(long stamp) {
    return (stamp & IN_FLIGHT_MASK) != 0;
  }

  static long versionOf(long stamp) {
    return stamp >>> IN_FLIGHT_BITS;
  }

  /** One more writer. At the highest in-flight count that fits, nothing changes ever after. */
  final void raise() {
    long seen;
    do {
      seen = stamp;
      if ((seen & IN_FLIGHT_MASK) == IN_FLIGHT_MASK) {
        return;
      }
    } while (!STAMP.compareAndSet(this, seen, seen + 1));
  }

  /** One writer less, unless the count was lost, and no version below {@code version} any more. */
  final void publish(long version) {
    long seen;
    long next;
    do {
      seen = stamp;
      long writers = seen & IN_FLIGHT_MASK;
      long remaining = writers == IN_FLIGHT_MASK || writers == 0 ? writers : writers - 1;
      next = Math.max(versionOf(seen), version) << IN_FLIGHT_BITS | remaining;
    } while (!STAMP.compareAndSet(this, seen, next));
  }

  @Override
  public final boolean equals(Object other) {
    return this == other;
  }

  @Override
  public final int hashCode() {
    return System.identityHashCode(this);
  }
}
