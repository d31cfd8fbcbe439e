package dev.larder.jdbc.proof.history;

/**
 * A line of versions: a table whose counter, in the row of slot 0, is bumped by every transaction
 * that writes it, under the row's lock, and whatever follows that table by foreign keys or triggers
 * and so has the same versions. What a version wrote is a set of slots, the keys of the rows.
 */
public enum Line {
  /** A plain table, read and written through views too. */
  ITEM("item"),
  /** A partitioned table, with a partition that is partitioned again. */
  PART("part"),
  /** A table with cascading foreign keys to it. */
  PARENT("parent"),
  /** A table whose trigger writes another. */
  SOURCE("source"),
  /** A view that is defined anew with each version. */
  CHOICE("choice_version"),
  /** A table whose trigger is switched on and off: slot 1 is what the trigger writes. */
  TAP("tap");

  /** How many slots a line has. */
  public static final int SLOTS = 8;

  /** All of them. */
  public static final int ALL_SLOTS = (1 << SLOTS) - 1;

  private static final Line[] ALL = values();

  private final String table;

  Line(String table) {
    this.table = table;
  }

  /** Returns the table with the counter. */
  public String table() {
    return table;
  }

  /** Returns how many lines there are. */
  public static int count() {
    return ALL.length;
  }

  /** Returns the line of an ordinal. */
  public static Line of(int ordinal) {
    return ALL[ordinal];
  }

  /** Returns the slots that a line starts with. */
  public int initialSlots() {
    return this == CHOICE ? 1 : this == TAP ? 3 : ALL_SLOTS;
  }
}
