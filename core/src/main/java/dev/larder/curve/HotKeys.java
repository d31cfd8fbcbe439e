package dev.larder.curve;

/**
 * Finds the keys that are asked for so often of late that a sample is wrong with them and without
 * them. Each key falls into a set of cells, which remembers a few keys with their lead over all
 * others of the set (Misra and Gries: Finding repeated elements, 1982). Thread-safe; counts that
 * race may be lost.
 */
final class HotKeys {
  /** At most so many keys are hot, to leave room for a sample. */
  static final int CELLS = MissRatioCurve.MAX_KEYS / 2;

  private static final int SET = 4;

  /** A key is hot from one in so many accesses on: half of the even share of a set. */
  private static final int PART = CELLS / 2;

  private static final long LEAST = 16;

  private static final long FADING = 64L * PART;

  /** The hash of a key in the upper half, its lead in the lower one. */
  private final long[] cells = new long[CELLS];

  private volatile long hotFrom = LEAST;

  /** The caller's count when the present one began; negative before that. */
  private long since = -1;

  /** Says how many accesses there were so far. Only for one thread at a time. */
  void outOf(long accesses) {
    if (since < 0) {
      since = accesses;
    }
    if (accesses - since >= FADING) {
      for (int i = 0; i < CELLS; i++) {
        cells[i] = cells[i] - lead(cells[i]) + lead(cells[i]) / 2;
      }
      since += (accesses - since) / 2;
    }
    hotFrom = Math.max(LEAST, (accesses - since) / PART);
  }

  boolean access(int hash) {
    int set = set(hash);
    int free = -1;
    for (int i = set; i < set + SET; i++) {
      long lead = lead(cells[i]);
      if (lead > 0 && key(cells[i]) == hash) {
        cells[i] = cell(hash, lead + 1);
        return lead + 1 >= hotFrom;
      }
      if (lead == 0) {
        free = i;
      }
    }
    if (free >= 0) {
      cells[free] = cell(hash, 1);
      return false;
    }
    for (int i = set; i < set + SET; i++) {
      cells[i] = cell(key(cells[i]), Math.max(0, lead(cells[i]) - 1));
    }
    return false;
  }

  boolean isHot(int hash) {
    int set = set(hash);
    for (int i = set; i < set + SET; i++) {
      if (key(cells[i]) == hash && lead(cells[i]) >= hotFrom) {
        return true;
      }
    }
    return false;
  }

  private static long cell(int key, long lead) {
    return (long) key << Integer.SIZE | Math.min(lead, Integer.MAX_VALUE);
  }

  private static int key(long cell) {
    return (int) (cell >>> Integer.SIZE);
  }

  private static long lead(long cell) {
    return cell & Integer.MAX_VALUE;
  }

  /** By the lower bits: the upper ones decide whether the curve looks at the key. */
  private static int set(int hash) {
    return (int) MissRatioCurve.mixed(hash) & (CELLS - SET);
  }
}
