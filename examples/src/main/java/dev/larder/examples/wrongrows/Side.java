package dev.larder.examples.wrongrows;

/** What is compared. Each side has a table of its own, and all of them the same work. */
enum Side {
  /** The PostgreSQL driver alone. */
  PLAIN("plain JDBC", "product_plain"),
  /** A cache as a team writes it around the driver: see {@link CachedByHand}. */
  BY_HAND("by hand", "product_by_hand"),
  /** Larder's driver. */
  LARDER("Larder", "product_larder");

  private static final int TURN_MILLIS = 333;

  private final String label;
  private final String table;

  Side(String label, String table) {
    this.label = label;
    this.table = table;
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
