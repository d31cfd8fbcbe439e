package dev.larder.examples.wrongrows;

/** What is compared. Each side has a table of its own, and all of them the same work. */
enum Side {
  /** The PostgreSQL driver alone. */
  PLAIN(0, "plain JDBC", "product_plain"),
  /** A cache as a team writes it around the driver: see {@link CachedByHand}. */
  BY_HAND(1, "by hand", "product_by_hand"),
  /** Larder's driver. */
  LARDER(2, "Larder", "product_larder");

  private static final int TURN_MILLIS = 333;

  private final int index;
  private final String label;
  private final String table;

  Side(int index, String label, String table) {
    this.index = index;
    this.label = label;
    this.table = table;
  }

  /** Returns where its counts stand among those of all, from 0 on. */
  int index() {
    return index;
  }

  String label() {
    return label;
  }

  String table() {
    return table;
  }

  /**
   * Returns whose turn it is to read, in every process the same: a third of each second each, so
   * that none takes the processor from another.
   */
  static Side reading() {
    long millis = System.currentTimeMillis() % 1_000;
    return values()[(int) Math.min(millis / TURN_MILLIS, values().length - 1)];
  }
}
