package dev.larder.store;

import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Where entries are kept. Best effort: a store may forget any entry at any time, and its own
 * failure is a miss. Whether an entry may still be hit is not its business but that of {@link
 * TableVersions}. Thread-safe.
 */
public interface ResultStore {
  /** Returns the entry of {@code key}, however old as long as it lives, or null. */
  default @Nullable CacheEntry get(QueryKey key) {
    return get(key, Long.MAX_VALUE);
  }

  /**
   * Returns the entry of {@code key}, or null.
   *
   * @param maxAgeNanos how old it may be for whoever asks, though it may live longer for others
   */
  @Nullable CacheEntry get(QueryKey key, long maxAgeNanos);

  /**
   * Keeps {@code entry}, one that no store has kept before, under {@code key}, a key that is
   * {@linkplain QueryKey#detach() detached}.
   */
  void put(QueryKey key, CacheEntry entry);

  /** Forgets {@code key} if it still holds {@code entry}, which was found to be stale. */
  void remove(QueryKey key, CacheEntry entry);

  /** Forgets every entry of {@code owner}. */
  void clear(EntryOwner owner);

  /** Shows every entry to {@code visitor}, in no order, while others change them. */
  void forEach(BiConsumer<QueryKey, CacheEntry> visitor);

  /** Returns the weight of all entries in bytes. */
  long sizeBytes();

  /** Returns the most that all entries may weigh, in bytes. */
  long maxBytes();
}
