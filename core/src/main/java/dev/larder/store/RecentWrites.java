package dev.larder.store;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The last writes of a database, and when each was announced: they tell since when an entry may be
 * outdated. Thread-safe.
 *
 * <p>A write is noted after its announce and before it is sent, with the epoch of that moment. So
 * when an entry was found current at an epoch, all writes that may have outdated it since have a
 * later one, and none of them was committed before the moment that is noted with it.
 */
public final class RecentWrites {
  private static final int MOST = 4_096;

  /** How many tags all of them may name. */
  private static final int MOST_TAGS = 1 << 16;

  private final TableVersions versions;
  private final ArrayDeque<Noted> writes = new ArrayDeque<>();

  /**
   * What was found out: it never changes, as later writes have later epochs. Null until writes are
   * noted: most databases never need it.
   */
  private volatile @Nullable Cache<CacheEntry, Outdating> known;

  /** Whether writes are to be noted; once they are, for ever. */
  volatile boolean on;

  /** All writes with a later epoch are here. It only grows once it is set; written under this. */
  private volatile long complete = Long.MAX_VALUE;

  /** How many tags the writes name. Guarded by this. */
  private int named;

  private record Noted(long epoch, long nanos, List<? extends Tag> tags) {}

  RecentWrites(TableVersions versions) {
    this.versions = versions;
  }

  /** Returns those of a database. */
  public static RecentWrites of(TableVersions versions) {
    return versions.recent;
  }

  /** Has writes noted from now on. */
  public synchronized void begin() {
    if (!on) {
      known = Caffeine.newBuilder().weakKeys().executor(Runnable::run).build();
      on = true;
      forget(); // Nobody has found anything current at this epoch before writes were noted.
    }
  }

  /**
   * Forgets all writes: of an entry that was not found current since, nothing is known any more.
   * For a write that was made at a time that nobody knows.
   */
  public synchronized void forget() {
    Cache<CacheEntry, Outdating> found = known;
    if (found != null) {
      writes.clear();
      named = 0;
      found.invalidateAll();
      complete = versions.advance();
    }
  }

  /** Notes a write that was announced and is about to be sent. */
  synchronized void add(List<? extends Tag> tags) {
    named += tags.size();
    while (writes.size() >= MOST || (named > MOST_TAGS && !writes.isEmpty())) {
      Noted first = writes.removeFirst();
      named -= first.tags().size();
      complete = first.epoch();
    }
    writes.addLast(new Noted(versions.epoch(), System.nanoTime(), tags));
  }

  /** Returns what first may have outdated {@code entry}, which is not current, or null. */
  public @Nullable Outdating outdating(CacheEntry entry) {
    Cache<CacheEntry, Outdating> found = known;
    if (found == null || !entry.versions().holds(0)) {
      return null; // After a write of everything it is never used.
    }
    Outdating before = found.getIfPresent(entry);
    if (before != null || entry.validatedEpoch() < complete) {
      return before; // Of what is forgotten nobody need wait for the lock.
    }
    return find(entry, found);
  }

  private synchronized @Nullable Outdating find(
      CacheEntry entry, Cache<CacheEntry, Outdating> found) {
    long current = entry.validatedEpoch();
    Noted first = current < complete ? null : firstAfter(current, entry.versions());
    if (first == null) {
      return null;
    }
    Outdating outdating = new Outdating(first.epoch(), first.nanos());
    found.put(entry, outdating);
    return outdating;
  }

  /** Returns null where a tag was changed by something else than a write that is noted, too. */
  private @Nullable Noted firstAfter(long current, VersionVector versions) {
    Set<Tag> read = Collections.newSetFromMap(new IdentityHashMap<>());
    Set<Tag> changed = Collections.newSetFromMap(new IdentityHashMap<>());
    for (int i = 1; i < versions.size(); i++) {
      read.add(versions.tag(i));
      if (!versions.holds(i)) {
        changed.add(versions.tag(i));
      }
    }
    Noted first = null;
    Iterator<Noted> later = writes.descendingIterator();
    for (Noted write = next(later, current); write != null; write = next(later, current)) {
      for (Tag tag : write.tags()) {
        if (read.contains(tag)) {
          changed.remove(tag);
          first = write;
        }
      }
    }
    return changed.isEmpty() ? first : null;
  }

  private static @Nullable Noted next(Iterator<Noted> writes, long after) {
    Noted write = writes.hasNext() ? writes.next() : null;
    return write == null || write.epoch() <= after ? null : write;
  }
}
