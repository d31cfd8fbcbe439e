package dev.larder.store;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The tag of a relation, of everything below a relation of an inheritance tree, or of everything.
 * There is one object for each key and database, interned by {@link TableVersions#tag}.
 * Thread-safe.
 *
 * <p>A relation's tag is bumped by every write of it. Beside it stand finer tags for results that
 * only some rows can change: see {@link SchemeTags}. Such a result depends on {@link #rows} and on
 * the tags of its rows, and not on the relation's own.
 */
public final class TableTag extends Tag {
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

  private static final VarHandle PUBLISHES;

  static {
    try {
      PUBLISHES = MethodHandles.lookup().findVarHandle(TableTag.class, "publishes", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final Scope scope;
  private final long oid;
  private final LongSupplier epoch;
  private final KeyTag rows;

  /** Made when the first scheme is asked for; guarded by this. */
  private @Nullable Map<Object, SchemeTags> schemes;

  private volatile long publishes;
  private volatile long publishedAtMillis;

  TableTag(Scope scope, long oid, LongSupplier epoch) {
    super(epoch.getAsLong());
    this.scope = scope;
    this.oid = oid;
    this.epoch = epoch;
    this.rows = new KeyTag(this, epoch.getAsLong());
  }

  /** Returns what the tag stands for. */
  public Scope scope() {
    return scope;
  }

  /** Returns the relation's object identifier in pg_class, 0 for {@link Scope#ALL}. */
  public long oid() {
    return oid;
  }

  @Override
  public TableTag table() {
    return this;
  }

  /**
   * Returns the tag of rows that may be any: a write bumps it unless it says which rows it can
   * change. Every result that depends on some rows only depends on it, too.
   */
  public KeyTag rows() {
    return rows;
  }

  /**
   * Returns the finer tags of a scheme.
   *
   * @param scheme its columns and how their values are told apart: equal for all who mean the same
   * @param cells how many cells the scheme has, a power of two; the same for all
   */
  public synchronized SchemeTags scheme(Object scheme, int cells) {
    if (schemes == null) {
      schemes = new HashMap<>();
    }
    return schemes.computeIfAbsent(scheme, key -> new SchemeTags(this, cells, epoch));
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
    return scope + ":" + oid + "@" + versionOf(stamp()) + "+" + inFlight();
  }
}
