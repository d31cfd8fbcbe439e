package dev.larder.store;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLongArray;
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
@SuppressWarnings("EnumOrdinal") // An index of an array that is made and read here alone.
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

  private final Scope scope;
  private final long oid;
  private final LongSupplier epoch;
  private final KeyTag rows;

  /** Made when it is first asked for. */
  private volatile @Nullable ColumnTags columns;

  /** Those that were asked for; replaced by a larger map under the lock of this. */
  private volatile Map<Object, SchemeTags> schemes = Map.of();

  /** How many writes were published, by {@link WriteReach}. */
  private final AtomicLongArray publishes = new AtomicLongArray(WriteReach.values().length);

  private volatile long publishedAtMillis;

  TableTag(Scope scope, long oid, LongSupplier epoch) {
    super(epoch.getAsLong());
    this.scope = scope;
    this.oid = oid;
    this.epoch = epoch;
    this.rows = new KeyTag.OfTable(this, epoch.getAsLong());
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
   * @param layout tells all schemes of the table from others; equal in all JVMs that know the same
   * @param number the place of this one among them; −1 for none
   */
  public SchemeTags scheme(Object scheme, int cells, long layout, int number) {
    SchemeTags known = schemes.get(scheme);
    return known == null ? make(scheme, cells, layout, number) : known;
  }

  private synchronized SchemeTags make(Object scheme, int cells, long layout, int number) {
    Map<Object, SchemeTags> more = new HashMap<>(schemes);
    SchemeTags made =
        more.computeIfAbsent(scheme, key -> new SchemeTags(this, cells, epoch, layout, number));
    schemes = Map.copyOf(more);
    return made;
  }

  /** Returns the tags of its columns. */
  public ColumnTags columns() {
    ColumnTags known = columns;
    return known == null ? makeColumns() : known;
  }

  /** Returns whether writes have set columns that are not among {@code used}, and named them. */
  public boolean othersWereSet(List<Integer> used) {
    ColumnTags known = columns;
    return known != null && known.othersWereNamed(used);
  }

  private synchronized ColumnTags makeColumns() {
    ColumnTags known = columns;
    if (known == null) {
      known = new ColumnTags(this, epoch);
      columns = known;
    }
    return known;
  }

  /**
   * Counts a publish of {@code writes}, for status displays, here and in {@code sum}; {@code
   * millis} is the present time.
   */
  void published(long millis, WriteSet writes, TableTag sum) {
    int reach = writes.reach(this).ordinal();
    publishes.getAndIncrement(reach);
    if (scope == Scope.RELATION) {
      sum.publishes.getAndIncrement(reach);
    }
    publishedAtMillis = millis;
  }

  /** Returns how many writes of the tag have been published. */
  public long publishes() {
    long sum = 0;
    for (int i = 0; i < publishes.length(); i++) {
      sum += publishes.get(i);
    }
    return sum;
  }

  /** Returns how many writes of one reach have been published; of ALL, of all tables together. */
  public long publishes(WriteReach reach) {
    return publishes.get(reach.ordinal());
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
