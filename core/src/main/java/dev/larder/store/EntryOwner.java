package dev.larder.store;

/**
 * Whose statistics count an entry: one cache. A store tells it what becomes of its entries, each
 * admission once and later its end once, so that the sums are the number and the weight of the
 * entries that live. Compared by identity. Implementations are thread-safe, return at once, throw
 * nothing and do not call the store: they are called in the middle of its maintenance.
 */
public interface EntryOwner {
  /** One of this owner's entries is kept from now on and weighs {@code weightBytes}. */
  void admitted(long weightBytes);

  /** An entry had to leave because the store is full, be it at its own admission. */
  void evicted(long weightBytes);

  /** An entry had lived its time. */
  void expired(long weightBytes);

  /**
   * An entry was replaced, cleared, or removed as stale; or has grown, and is admitted again with
   * its new weight.
   */
  void dropped(long weightBytes);
}
