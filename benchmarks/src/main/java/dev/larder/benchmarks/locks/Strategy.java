package dev.larder.benchmarks.locks;

/** How a cache keeps its readers and writers apart. */
public enum Strategy {
  /** Of this project: versions of tables beside Caffeine. */
  LARDER("Larder: versions + Caffeine"),
  /** One lock. */
  EXCLUSIVE("exclusive lock (pgpool ≤ 4.3, MySQL)"),
  /** A lock that readers share. */
  READ_WRITE("read-write lock (pgpool 4.4)"),
  /** A lock that readers try to do without. */
  OPTIMISTIC("StampedLock, optimistic reads"),
  /** Many locks. */
  STRIPED("64 striped locks"),
  /** No lock, and a search. */
  SEARCHED("ConcurrentHashMap, searched");

  private final String label;

  Strategy(String label) {
    this.label = label;
  }

  /** Returns the name on a figure. */
  public String label() {
    return label;
  }

  ResultCache create(int tables, int expectedEntries) {
    return switch (this) {
      case LARDER -> new VersionedCache(tables);
      case EXCLUSIVE -> new ExclusiveLockCache(tables, expectedEntries);
      case READ_WRITE -> new ReadWriteLockCache(tables, expectedEntries);
      case OPTIMISTIC -> new OptimisticLockCache(tables, expectedEntries);
      case STRIPED -> new StripedLockCache(tables, expectedEntries);
      case SEARCHED -> new SearchedMapCache(expectedEntries);
    };
  }
}
