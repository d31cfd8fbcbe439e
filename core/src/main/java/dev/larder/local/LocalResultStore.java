package dev.larder.local;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.RemovalCause;
import dev.larder.result.HeapWeight;
import dev.larder.store.CacheEntry;
import dev.larder.store.EntryOwner;
import dev.larder.store.EntryOwner.Event;
import dev.larder.store.QueryKey;
import dev.larder.store.ResultStore;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Entries in Caffeine, bounded by the bytes that they occupy on the heap ({@link BoundedEntries}).
 * Thread-safe; no method waits for another, and the callers' threads do Caffeine's maintenance.
 *
 * <p>Ages are checked here: Caffeine's expiration costs every hit a reading of the clock, and an
 * entry without a time to live costs one comparison here. Old entries leave when they are touched,
 * superseded ones when another takes their place. Each put into a store that is half full also
 * looks at {@value #SWEPT_BY_A_PUT} others in turn, so that the dead leave before the living. That
 * is a third of what a put costs, and so only one put in {@value #PUTS_A_LOOK} looks at one where
 * all were alive lately.
 */
public final class LocalResultStore implements ResultStore {
  private static final long SHARED_MAX_BYTES =
      Math.min(64L * 1024 * 1024, Runtime.getRuntime().maxMemory() / 8);

  private static final class Shared {
    static final ResultStore STORE = of(SHARED_MAX_BYTES, OptionalLong.empty());
  }

  /** How many entries a put looks at: more than one, or the dead would stay as many as they are. */
  private static final int SWEPT_BY_A_PUT = 4;

  /** Where so many were alive in a row, few are dead. */
  private static final int MANY_ALIVE = 64;

  private static final int PUTS_A_LOOK = 4;

  /** Caffeine's node, the map's node, the entry's part of the map's table and of the sketch. */
  private static final long STORE_BYTES =
      HeapWeight.ofObject(6, 12) + HeapWeight.ofObject(3, 4) + 2 * HeapWeight.REFERENCE + 12;

  private final BoundedEntries entries;

  /** Those of {@link #entries} that a look-up asks first. */
  private final Cache<QueryKey, CacheEntry> common;

  private final long maxBytes;

  /** The least that Caffeine takes an entry for, so that there are at most so many entries. */
  private final long floorBytes;

  private final LongSupplier nanoClock;
  private final LongAdder sizeBytes = new LongAdder();

  private final AtomicBoolean sweeping = new AtomicBoolean();

  /** Guarded by {@link #sweeping}. */
  private Iterator<Map.Entry<QueryKey, CacheEntry>> cursor;

  /** Of the cursor; guarded as well. */
  private int turn;

  /** How many were alive since the last dead one. Written under {@link #sweeping}, read racily. */
  private int aliveInARow;

  /** Racy: it only decides how often is looked. */
  private int puts;

  LocalResultStore(long maxBytes, OptionalLong maxEntries, LongSupplier nanoClock) {
    this.maxBytes = requirePositive(maxBytes, "maxBytes");
    this.nanoClock = nanoClock;
    long most = requirePositive(maxEntries.orElse(maxBytes), "maxEntries");
    floorBytes = Math.max(1, maxBytes / most);
    entries = new BoundedEntries(Math.min(maxBytes, floorBytes * most), floorBytes, this::removed);
    common = entries.common();
    cursor = Collections.emptyIterator();
  }

  /**
   * Returns the one store of all caches that have no budget of their own: 64 MB, or an eighth of
   * the heap where that is less.
   */
  public static ResultStore shared() {
    return Shared.STORE;
  }

  /** Returns the budget of {@link #shared()} in bytes. */
  public static long sharedMaxBytes() {
    return SHARED_MAX_BYTES;
  }

  /**
   * Returns a new store.
   *
   * @param maxBytes what all entries together may occupy on the heap, at least 1
   * @param maxEntries at least 1; empty for as many as fit. An entry counts for at least {@code
   *     maxBytes / maxEntries} bytes of the budget.
   */
  public static ResultStore of(long maxBytes, OptionalLong maxEntries) {
    return new LocalResultStore(maxBytes, maxEntries, System::nanoTime);
  }

  @Override
  public @Nullable CacheEntry get(QueryKey key, long maxAgeNanos) {
    CacheEntry entry = common.getIfPresent(key);
    if (entry == null) {
      entry = entries.costly(key);
    }
    if (entry != null && entry.result().isAskingForRoom()) {
      grow(key, entry, entry::giveRoom);
    }
    if (entry == null || Math.min(entry.timeToLiveNanos(), maxAgeNanos) == Long.MAX_VALUE) {
      return entry;
    }
    long now = nanoClock.getAsLong(); // Once: it costs as much as the look-up.
    if (isExpired(entry, now)) {
      remove(key, entry);
      return null;
    }
    return now - entry.admittedNanos() < maxAgeNanos ? entry : null;
  }

  /** Lets the entry grow, where Caffeine weighs it again and nobody removes it meanwhile. */
  private void grow(QueryKey key, CacheEntry entry, LongSupplier growth) {
    entries.change(
        key,
        entry,
        () -> {
          long before = entry.weightBytes();
          sizeBytes.add(growth.getAsLong());
          entry.owner().count(Event.DROPPED, before);
          entry.owner().count(Event.ADMITTED, entry.weightBytes());
        });
  }

  @Override
  public void put(QueryKey key, CacheEntry entry, long databaseNanos) {
    entry.kept(key, STORE_BYTES, nanoClock.getAsLong() + entry.timeToLiveNanos());
    sizeBytes.add(entry.weightBytes());
    entry.owner().count(Event.ADMITTED, entry.weightBytes());
    CacheEntry replaced = entries.put(key, entry, databaseNanos);
    if (replaced != null && replaced.isBearer()) {
      grow(key, entry, () -> entry.bear(key));
    }
    boolean manyAlive = aliveInARow >= MANY_ALIVE;
    if ((!manyAlive || puts++ % PUTS_A_LOOK == 0) && isHalfFull()) {
      sweep(manyAlive ? 1 : SWEPT_BY_A_PUT);
    }
  }

  @Override
  public void remove(QueryKey key, CacheEntry entry) {
    entries.remove(key, entry);
  }

  @Override
  public void clear(EntryOwner owner) {
    entries.removeIf(entry -> entry.owner() == owner);
  }

  @Override
  public void forEach(EntryOwner owner, BiConsumer<QueryKey, CacheEntry> visitor) {
    entries.forEach(
        (key, entry) -> {
          if (entry.owner() == owner && !isExpired(entry)) {
            visitor.accept(key, entry);
          }
        });
  }

  @Override
  public List<QueryKey> hottest(EntryOwner owner, int limit) {
    return entries.hottest(entry -> entry.owner() == owner, limit);
  }

  @Override
  public long sizeBytes() {
    return sizeBytes.sum();
  }

  @Override
  public long maxBytes() {
    return maxBytes;
  }

  private boolean isExpired(CacheEntry entry) {
    return entry.timeToLiveNanos() != Long.MAX_VALUE && isExpired(entry, nanoClock.getAsLong());
  }

  private static boolean isExpired(CacheEntry entry, long nowNanos) {
    return entry.timeToLiveNanos() != Long.MAX_VALUE && nowNanos - entry.deadlineNanos() >= 0;
  }

  /** Whether it is worth the time to look for dead entries. */
  private boolean isHalfFull() {
    return Math.max(sizeBytes.sum(), entries.count() * floorBytes) >= maxBytes / 2;
  }

  /** Looks at the next entries and removes the dead, unless another thread is just doing so. */
  private void sweep(int looks) {
    if (!sweeping.compareAndSet(false, true)) {
      return;
    }
    try {
      for (int i = 0; i < looks && cursor.hasNext(); i++) {
        Map.Entry<QueryKey, CacheEntry> next = cursor.next();
        aliveInARow = Math.min(aliveInARow + 1, MANY_ALIVE);
        if (isExpired(next.getValue()) || next.getValue().isSuperseded()) {
          remove(next.getKey(), next.getValue());
          aliveInARow = 0;
        }
      }
      if (!cursor.hasNext()) {
        cursor = entries.iterator(turn++);
      }
    } finally {
      sweeping.set(false);
    }
  }

  /** Called once for every entry that was put, whatever became of it. */
  private void removed(@Nullable QueryKey key, @Nullable CacheEntry entry, RemovalCause cause) {
    if (key == null || entry == null) {
      return; // Caffeine's signature allows for references that were collected; these are strong.
    }
    entry.forgotten(key);
    long weight = entry.weightBytes();
    sizeBytes.add(-weight);
    Event event = isExpired(entry) ? Event.EXPIRED : Event.DROPPED;
    entry.owner().count(cause.wasEvicted() ? Event.EVICTED : event, weight);
  }

  private static long requirePositive(long value, String name) {
    if (value < 1) {
      throw new IllegalArgumentException(name + " is " + value + "; it must be at least 1.");
    }
    return value;
  }
}
