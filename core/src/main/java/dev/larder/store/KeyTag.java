package dev.larder.store;

/**
 * A part of a table: the rows with one value of a scheme's columns, rows whose value nobody knows,
 * or all rows. Holds its table's tag, so that a part which anybody refers to is never made twice.
 * Thread-safe.
 */
public abstract sealed class KeyTag extends Tag {
  private KeyTag(long version) {
    super(version);
  }

  /** All rows of a table. */
  static final class OfTable extends KeyTag {
    private final TableTag table;

    OfTable(TableTag table, long version) {
      super(version);
      this.table = table;
    }

    @Override
    public TableTag table() {
      return table;
    }
  }

  /** Some rows of a table, by a scheme. */
  static final class OfScheme extends KeyTag {
    private final SchemeTags scheme;

    OfScheme(SchemeTags scheme, long version) {
      super(version);
      this.scheme = scheme;
    }

    @Override
    public TableTag table() {
      return scheme.table();
    }

    SchemeTags scheme() {
      return scheme;
    }
  }

  @Override
  public final String toString() {
    return "part of " + table().oid() + "@" + versionOf(stamp()) + "+" + inFlight();
  }
}
