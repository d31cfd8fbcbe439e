package dev.larder.jdbc.proof.history;

/**
 * A line of versions: a table whose counter is bumped by every transaction that writes it, under
 * the lock of the counter's row, and whatever follows that table by foreign keys or triggers and so
 * has the same versions. What a version wrote is a set of slots: the rows, told apart by their
 * keys. The counter is in slot 0.
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
  TAP("tap"),
  /**
   * Members of lists, and the heads of the lists. A member that moves leaves one slot and comes to
   * another. The counter is in a table of its own: so a write touches no row but those that it is
   * for.
   */
  LISTED("listed_version"),
  /** A row that is its own counter, in one table with the others: nothing else locks them. */
  HOT_1("hot"),
  /** As the first. */
  HOT_2("hot"),
  /** As the first. */
  HOT_3("hot");

  /** How many keys a table has, from 0 on; but in LISTED, the slot of a row is its key. */
  public static final int SLOTS = 8;

  /** All of them. */
  public static final int ALL_SLOTS = (1 << SLOTS) - 1;

  /** How many lists there are. */
  public static final int LISTS = 3;

  /** How many slots a line has at most: in LISTED those of the members of each list, and heads. */
  static final int MOST_SLOTS = LISTS * SLOTS + 1;

  private static final Line[] ALL = values();

  private final String table;

  Line(String table) {
    this.table = table;
  }

  /** Returns whether all of its rows are in one table, or in the partitions of one. */
  boolean isOneTable() {
    return this == ITEM || this == PART || isHot();
  }

  /** Returns whether who writes one of its tables writes all of them. */
  boolean isWrittenAsOne() {
    return isOneTable() || this == PARENT || this == SOURCE || this == TAP;
  }

  /** Returns the table with the counter. */
  public String table() {
    return table;
  }

  /** Returns the key of the counter's row. */
  public int counter() {
    return isHot() ? ordinal() - HOT_1.ordinal() + 1 : 0;
  }

  /** Returns whether the counter is all that there is, and its row one among others. */
  public boolean isHot() {
    return ordinal() >= HOT_1.ordinal();
  }

  /** Returns how many lines there are. */
  public static int count() {
    return ALL.length;
  }

  /** Returns the line of an ordinal. */
  public static Line of(int ordinal) {
    return ALL[ordinal];
  }

  /** Returns the slot of a member of a list, whose key is above 0. */
  public static int member(int key, int list) {
    return list * SLOTS + key;
  }

  /** Returns the slots of a member, one for each list that it may be in. */
  public static int memberAnywhere(int key) {
    int slots = 0;
    for (int list = 0; list < LISTS; list++) {
      slots |= 1 << member(key, list);
    }
    return slots;
  }

  /** Returns the slots of all members of a list. */
  public static int membersOf(int list) {
    return (ALL_SLOTS & ~1) << list * SLOTS;
  }

  /** Returns the slot of the head of a list. */
  public static int head(int list) {
    return (list + 1) * SLOTS;
  }

  /** Returns the slots that a line starts with. */
  public int initialSlots() {
    return switch (this) {
      case CHOICE, HOT_1, HOT_2, HOT_3 -> 1;
      case TAP -> 3;
      case LISTED -> {
        int slots = 1;
        for (int list = 0; list < LISTS; list++) {
          slots |= 1 << head(list);
        }
        for (int key = 1; key < SLOTS; key++) {
          slots |= 1 << member(key, key % LISTS);
        }
        yield slots;
      }
      default -> ALL_SLOTS;
    };
  }
}
