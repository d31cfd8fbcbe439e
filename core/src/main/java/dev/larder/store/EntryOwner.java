package dev.larder.store;

/**
 * Whose statistics count an entry: one cache. Compared by identity. Implementations are
 * thread-safe, return at once, throw nothing and do not call the store: they are called in the
 * middle of its maintenance.
 */
@FunctionalInterface
public interface EntryOwner {
  /** What becomes of an entry: it is admitted once, and later one of the others happens once. */
  enum Event {
    /** It is kept from now on. */
    ADMITTED,
    /** It had to leave because the store is full, be it at its own admission. */
    EVICTED,
    /** It had lived its time. */
    EXPIRED,
    /**
     * It was replaced, cleared, or removed as stale; or has grown, and is admitted again with its
     * new weight.
     */
    DROPPED
  }

  /** Counts what became of one of this owner's entries, which weighs so much. */
  void count(Event event, long weightBytes);
}
