package dev.larder.local;

/**
 * What results usually cost the database for their size, and which cost much more. Where all cost
 * about the same, none does. Racy: it only decides what is evicted.
 */
final class UsualCost {
  /** No result that takes less is costly. */
  static final long LEAST_NANOS = 1_000_000;

  /** How many doublings above the usual time a byte a costly result is. */
  private static final int DOUBLINGS = 2;

  /** How many of the last results make what is usual, about. */
  private static final int WEIGHT = 256;

  private double usualDoublings;
  private int known;

  /**
   * Returns whether a result is costly, and learns from it.
   *
   * @param databaseNanos how long it took the database
   * @param bytes its weight
   */
  boolean isCostly(long databaseNanos, long bytes) {
    int doublings = Math.getExponent((double) databaseNanos / bytes);
    known = Math.min(WEIGHT, known + 1);
    usualDoublings += (doublings - usualDoublings) / known;
    return databaseNanos >= LEAST_NANOS && doublings >= usualDoublings + DOUBLINGS;
  }
}
