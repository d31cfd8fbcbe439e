package dev.larder.store;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * What an entry depends on and a write invalidates: a relation, or everything below a relation of
 * an inheritance tree. There is one tag object for each key and database, interned by {@link
 * TableVersions#tag}; identity is equality. Thread-safe.
 *
 * <p>The stamp is {@code version << 16 | flux}. The version is the value of the epoch at the last
 * publish; the flux counts the writers between announce and publish. A saturated flux never falls
 * again: the table is then not cached.
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

  static final int FLUX_BITS = 16;
  static final long FLUX_MASK = (1L << FLUX_BITS) - 1;

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
   * {@code version << FLUX_BITS | flux}. The version never falls. The flux is 0 only if every write
   * that raised it has been published, and in the step in which a write lowers it the version
   * becomes at least that write's. 48 bits of version are enough for a million commits a second
   * during four years.
   */
  private volatile long stamp;

  private volatile long publishes;
  private volatile long publishedAtMillis;

  TableTag(Scope scope, long oid, long version) {
    this.scope = scope;
    this.oid = oid;
    this.stamp = version << FLUX_BITS;
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
  public int flux() {
    return (int) (stamp & FLUX_MASK);
  }

  long stamp() {
    return stamp;
  }

  static boolean inFlux(long stamp) {
    return (stamp & FLUX_MASK) != 0;
  }

  static long versionOf(long stamp) {
    return stamp >>> FLUX_BITS;
  }

  /** One more writer. At the highest flux that fits, nothing changes ever after. */
  void raise() {
    long seen;
    do {
      seen = stamp;
      if ((seen & FLUX_MASK) == FLUX_MASK) {
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
      long flux = seen & FLUX_MASK;
      long remaining = flux == FLUX_MASK || flux == 0 ? flux : flux - 1;
      next = Math.max(versionOf(seen), version) << FLUX_BITS | remaining;
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
    return scope + ":" + oid + "@" + versionOf(stamp) + "+" + flux();
  }
}
