package dev.larder.engine;

/**
 * Finds the keys that are asked for so often that a sample would be off which has one of them, or
 * has it not. Of the keys that fall into one cell the one is remembered that outvotes the others
 * (Boyer and Moore: A fast majority vote algorithm, 1981), with its lead over them. Thread-safe;
 * counts that race may be lost.
 */
final class HotKeys {
  /** So many at most are hot, which must leave room for a sample. */
  static final int CELLS = HitCurve.MAX_KEYS / 2;

  /** A key is hot that has at least this part of all accesses: several times that of a cell. */
  private static final int PART = CELLS / 4;

  private static final long LEAST = 16;

  /** The hash of a key in the upper half, its lead in the lower one. */
  private final long[] cells = new long[CELLS];

  private volatile long hotFrom = LEAST;

  /** Notes how many accesses there were. */
  void outOf(long accesses) {
    hotFrom = Math.max(LEAST, accesses / PART);
  }

  /** Notes an access; returns whether the key is hot. */
  boolean access(int hash) {
    int cell = cell(hash);
    long leader = cells[cell];
    long lead = lead(leader);
    if (lead == 0 || (int) (leader >>> Integer.SIZE) == hash) {
      long more = Math.min(lead + 1, Integer.MAX_VALUE);
      cells[cell] = (long) hash << Integer.SIZE | more;
      return more >= hotFrom;
    }
    cells[cell] = leader - 1;
    return false;
  }

  /** Returns whether a key is hot. */
  boolean isHot(int hash) {
    long leader = cells[cell(hash)];
    return (int) (leader >>> Integer.SIZE) == hash && lead(leader) >= hotFrom;
  }

  private static long lead(long leader) {
    return leader & Integer.MAX_VALUE;
  }

  /** By the lower bits: the upper ones decide whether the curve looks at the key. */
  private static int cell(int hash) {
    return (int) HitCurve.mixed(hash) & (CELLS - 1);
  }
}
