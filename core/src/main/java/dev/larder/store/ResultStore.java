package dev.larder.store;

import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Keeps entries, best effort: it may forget any entry at any time, and its own failure is a miss.
 * {@link TableVersions} knows whether an entry may still be hit. Thread-safe.
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

  /** Keeps a new entry of which it is not known how long its result took the database. */
  default void put(QueryKey key, CacheEntry entry) {
    put(key, entry, 0);
  }

  /**
   * Keeps a new entry under a {@linkplain QueryKey#detach() detached} key.
   *
   * @param databaseNanos how long its result took the database, so that what is dear to compute
   *     again stays longer than what is not; 0 where that is not known
   */
  void put(QueryKey key, CacheEntry entry, long databaseNanos);

  /** Forgets {@code key} if it still holds {@code entry}, which was found to be stale. */
  void remove(QueryKey key, CacheEntry entry);

  /** Forgets every entry of {@code owner}. */
  void clear(EntryOwner owner);

  /**
   * Shows every entry of {@code owner} to {@code visitor}, in no order, while others change them.
   */
  void forEach(EntryOwner owner, BiConsumer<QueryKey, CacheEntry> visitor);

  /**
   * Returns keys of entries of {@code owner}, those first that are asked for most; none where that
   * is not known. May keep others from putting for some milliseconds.
   */
  default List<QueryKey> hottest(EntryOwner owner, int limit) {
    return List.of();
  }

  /** Returns the weight of all entries in bytes. */
  long sizeBytes();

  /** Returns the most that all entries may weigh, in bytes. */
  long maxBytes();
}
