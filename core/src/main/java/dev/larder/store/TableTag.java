package dev.larder.store;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * What an entry depends on and a write invalidates: a relation, or everything below a relation of
 * an inheritance tree. There is one tag object for each key and database, interned by {@link
 * TableVersions#tag}; identity is equality. Thread-safe.
 *
 * <p>The stamp is {@code version << 16 | in-flight count}. The version is the value of the epoch at
 * the last publish; the in-flight count counts the writers between announce and publish. A
 * saturated in-flight count never falls again: the table is then not cached.
 */
public final class TableTag {
  /** What the tag stands for. */
  public enum Scope {
    /**
     * The rows of the relation and of every relation below it: bumped when any of them is written.
     */
    RELATION,
    /**
     * A write aimed at a relation that has others below it, and so may have reached any of those.
     */
    BELOW,
    /** Every table: the pseudo-tag of unknown writes. */
    ALL
  }

  static final int IN_FLIGHT_BITS = 16;
  static final long IN_FLIGHT_MASK = (1L << IN_FLIGHT_BITS) - 1;

  private static final VarHandle STAMP;
  private static final VarHandle PUBLISHES;

  static {
    try {
      STAMP = MethodHandles.lookup().findVarHandle(TableTag.class, "stamp", long.class);
      PUBLISHES = MethodHandles.lookup().findVarHandle(TableTag.class, "publishes", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final Scope scope;
  private final long oid;

  /**
   * {@code version << IN_FLIGHT_BITS | in-flight count}. The version never falls. The in-flight
   * count is 0 only if every write that raised it has been published, and in the step in which a
   * write lowers it the version becomes at least that write's. 48 bits of version are enough for a
   * million commits a second during four years.
   */
  private volatile long stamp;

  private volatile long publishes;
  private volatile long publishedAtMillis;

  TableTag(Scope scope, long oid, long version) {
    this.scope = scope;
    this.oid = oid;
    this.stamp = version << IN_FLIGHT_BITS;
  }

  /** Returns what the tag stands for. */
  public Scope scope() {
    return scope;
  }

  /** Returns the relation's object identifier in pg_class, 0 for {@link Scope#ALL}. */
  public long oid() {
    return oid;
  }

  /** Returns how many writers are between announce and publish. */
  public int inFlight() {
    return (int) (stamp & IN_FLIGHT_MASK);
  }

  long stamp() {
    return stamp;
  }

  static boolean inFlight(long stamp) {
    return (stamp & IN_FLIGHT_MASK) != 0;
  }

  static long versionOf(long stamp) {
    return stamp >>> IN_FLIGHT_BITS;
  }

  /** One more writer. At the highest in-flight count that fits, nothing changes ever after. */
  void raise() {
    long seen;
    do {
      seen = stamp;
      if ((seen & IN_FLIGHT_MASK) == IN_FLIGHT_MASK) {
        return;
      }
    } while (!STAMP.compareAndSet(this, seen, seen + 1));
  }

  /** One writer less, unless the count was lost, and no version below {@code version} any more. */
  void publish(long version) {
    long seen;
    long next;
    do {
      seen = stamp;
      long writers = seen & IN_FLIGHT_MASK;
      long remaining = writers == IN_FLIGHT_MASK || writers == 0 ? writers : writers - 1;
      next = Math.max(versionOf(seen), version) << IN_FLIGHT_BITS | remaining;
    } while (!STAMP.compareAndSet(this, seen, next));
  }

  /** Counts a publish, for status displays; {@code millis} is the present time. */
  void published(long millis) {
    PUBLISHES.getAndAdd(this, 1L);
    publishedAtMillis = millis;
  }

  /** Returns how many writes of the tag have been published. */
  public long publishes() {
    return publishes;
  }

  /** Returns when the last write was published, in milliseconds since the epoch; 0 for never. */
  public long publishedAtMillis() {
    return publishedAtMillis;
  }

  @Override
  public String toString() {
    return scope + ":" + oid + "@" + versionOf(stamp) + "+" + inFlight();
  }
}
