package dev.larder.store;

/**
 * A part of a table: the rows with one value of a scheme's columns, rows whose value nobody knows,
 * all rows, or what is set of a column. Holds its table's tag, so that a part which anybody refers
 * to is never made twice. Thread-safe.
 */
public abstract sealed class KeyTag extends Tag {
  private KeyTag(long version) {
    super(version);
  }

  /**
   * Returns where JVMs that share results find this part among the {@linkplain SchemeTags#BUCKETS
   * buckets} of all schemes of the table, or −1 where it has no bucket.
   */
  public abstract int bucket();

  /**
   * Returns whether it is of what is set of rows, whichever they are: a write that has such tags
   * names its rows beside them.
   */
  public boolean isOfColumn() {
    return false;
  }

  /** Returns what tells the schemes that the buckets belong to from others; 0 without a bucket. */
  public abstract long layout();

  /** What JVMs that share results do not tell from the whole table. */
  private abstract static sealed class WithoutBucket extends KeyTag {
    private final TableTag table;

    private WithoutBucket(TableTag table, long version) {
      super(version);
      this.table = table;
    }

    @Override
    public TableTag table() {
      return table;
    }

    @Override
    public int bucket() {
      return -1;
    }

    @Override
    public long layout() {
      return 0;
    }
  }

  /** All rows of a table. */
  static final class OfTable extends WithoutBucket {
    OfTable(TableTag table, long version) {
      super(table, version);
    }
  }

  /** What is set of rows: see {@link ColumnTags}. */
  static final class OfColumn extends WithoutBucket {
    OfColumn(TableTag table, long version) {
      super(table, version);
    }

    @Override
    public boolean isOfColumn() {
      return true;
    }
  }

  /** Some rows of a table, by a scheme. */
  static final class OfScheme extends KeyTag {
    private final SchemeTags scheme;
    private final int place;

    OfScheme(SchemeTags scheme, int place, long version) {
      super(version);
      this.scheme = scheme;
      this.place = place;
    }

    @Override
    public TableTag table() {
      return scheme.table();
    }

    SchemeTags scheme() {
      return scheme;
    }

    @Override
    public int bucket() {
      return scheme.bucket(place);
    }

    @Override
    public long layout() {
      return scheme.layout();
    }
  }

  @Override
  public final String toString() {
    return "part of " + table().oid() + "@" + versionOf(stamp()) + "+" + inFlight();
  }
}
