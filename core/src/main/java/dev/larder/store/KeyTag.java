package dev.larder.store;

/**
 * A part of a table: the rows with one value of a scheme's columns, rows whose value nobody knows,
 * or all rows. Holds its table's tag, so that a part which anybody refers to is never made twice.
 * Thread-safe.
 */
public final class KeyTag extends Tag {
  private final TableTag table;

  KeyTag(TableTag table, long version) {
    super(version);
    this.table = table;
  }

  @Override
  public TableTag table() {
    return table;
  }

  @Override
  public String toString() {
    return "part of " + table.oid() + "@" + versionOf(stamp()) + "+" + inFlight();
  }
}
