package dev.larder.local;

import dev.larder.result.CachedResult;
import dev.larder.store.CacheEntry;
import dev.larder.store.EntryOwner;
import dev.larder.store.PendingWrite;
import dev.larder.store.TableTag;
import dev.larder.store.TableVersions;
import dev.larder.store.VersionVector;
import dev.larder.store.WriteSet;
import java.util.List;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jspecify.annotations.Nullable;

/**
 * A database of one row behind the real stamps and the real validation. Whoever reads through the
 * cache must see what a plain variable would show: Lincheck compares the two.
 */
public abstract class CachedRow {
  private final TableVersions versions = new TableVersions();
  private final TableTag tag = versions.tag(TableTag.Scope.RELATION, 1);
  private final WriteSet writes = new WriteSet(List.of(tag), false);
  private volatile int row;

  /** What was read: carried as the owner of the entry. */
  private record Row(int value) implements EntryOwner {
    @Override
    public void count(Event event, long weightBytes) {}
  }

  /** Returns what is kept, or null. */
  abstract @Nullable CacheEntry kept();

  /** Keeps an entry. */
  abstract void keep(CacheEntry entry);

  /** Reads through the cache. */
  @Operation
  public final int read() {
    CacheEntry found = kept();
    if (found != null && versions.isCurrent(found)) {
      return ((Row) found.owner()).value();
    }
    VersionVector captured = versions.capture(List.of(tag));
    int value = row;
    if (captured != null) {
      keep(new CacheEntry(new CachedResult(24), captured, Long.MAX_VALUE, new Row(value)));
    }
    return value;
  }

  /** Writes between announce and publish. */
  @Operation
  public final void write(@Param(gen = IntGen.class, conf = "1:3") int value) {
    PendingWrite write = versions.announce(writes);
    if (publishesFirst()) {
      versions.publish(write);
    }
    row = value;
    versions.publish(write);
  }

  /** Writes something that might have changed anything. */
  @Operation
  public final void writeUnknown(@Param(gen = IntGen.class, conf = "1:3") int value) {
    PendingWrite write = versions.announce(WriteSet.UNKNOWN);
    row = value;
    versions.publish(write);
  }

  /** Makes a write under way one of everything, as a changed catalog does. */
  @Operation
  public final void widen() {
    versions.widenPending();
  }

  /** Whether it does what it must not, to see that this is noticed. */
  boolean publishesFirst() {
    return false;
  }
}
