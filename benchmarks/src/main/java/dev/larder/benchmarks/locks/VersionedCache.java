package dev.larder.benchmarks.locks;

import dev.larder.local.LocalResultStore;
import dev.larder.result.CachedResult;
import dev.larder.store.CacheEntry;
import dev.larder.store.EntryOwner;
import dev.larder.store.QueryKey;
import dev.larder.store.ResultStore;
import dev.larder.store.TableTag;
import dev.larder.store.TableVersions;
import dev.larder.store.VersionVector;
import dev.larder.store.WriteSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The product's own store and versions, as its read and write path use them. */
final class VersionedCache implements ResultCache {
  private static final long ENOUGH_BYTES = 1L << 36;

  private final ResultStore store = LocalResultStore.of(ENOUGH_BYTES, OptionalLong.empty());
  private final TableVersions versions = new TableVersions();
  private final List<List<TableTag>> tagsOfTable;
  private final List<WriteSet> writesOfTable;

  VersionedCache(int tables) {
    tagsOfTable =
        IntStream.range(0, tables)
            .mapToObj(i -> List.of(versions.tag(TableTag.Scope.RELATION, i + 1L)))
            .toList();
    writesOfTable = tagsOfTable.stream().map(tags -> new WriteSet(tags, false)).toList();
  }

  @Override
  public @Nullable CachedResult get(QueryKey key) {
    CacheEntry entry = store.get(key);
    // One that is outdated stays: the next result takes its place.
    return entry != null && versions.isCurrent(entry) ? entry.result() : null;
  }

  @Override
  public void put(QueryKey key, CachedResult result, int table) {
    VersionVector captured = versions.capture(tagsOfTable.get(table));
    if (captured != null) {
      store.put(key, new CacheEntry(result, captured, Long.MAX_VALUE, Nobody.COUNTS));
    }
  }

  @Override
  public void invalidate(int table) {
    versions.publish(versions.announce(writesOfTable.get(table)));
  }

  private enum Nobody implements EntryOwner {
    COUNTS;

    @Override
    public void count(Event event, long weightBytes) {}
  }
}
