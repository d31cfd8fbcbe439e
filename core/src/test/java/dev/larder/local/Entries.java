package dev.larder.local;

import static java.util.Objects.requireNonNull;

import dev.larder.lexer.LexOptions;
import dev.larder.lexer.SqlLexer;
import dev.larder.lexer.StatementShape;
import dev.larder.result.CachedResult;
import dev.larder.store.CacheEntry;
import dev.larder.store.EntryOwner;
import dev.larder.store.QueryKey;
import dev.larder.store.Renewal;
import dev.larder.store.SessionFingerprint;
import dev.larder.store.TableTag;
import dev.larder.store.TableVersions;
import dev.larder.store.VersionVector;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;

/** Keys and entries for the tests of the store. */
final class Entries {
  static final SessionFingerprint SESSION =
      new SessionFingerprint("space", "user", "user", List.of("public"), new TreeMap<>());
  static final TableVersions VERSIONS = new TableVersions();
  static final List<TableTag> TAGS = List.of(VERSIONS.tag(TableTag.Scope.RELATION, 1));

  private Entries() {}

  static StatementShape shape(String text) {
    return SqlLexer.lex(text, LexOptions.PREPARED).shape();
  }

  static QueryKey key(StatementShape shape, Object... binds) {
    return new QueryKey(shape, SESSION, new Object[0], binds, 0);
  }

  static CacheEntry entry(EntryOwner owner) {
    return entry(owner, Long.MAX_VALUE);
  }

  static CacheEntry entry(EntryOwner owner, long timeToLiveNanos) {
    return entry(owner, new CachedResult(24), timeToLiveNanos);
  }

  static CacheEntry entry(EntryOwner owner, CachedResult result) {
    return entry(owner, result, Long.MAX_VALUE);
  }

  /** Returns the entry of a cache that only observes. */
  static CacheEntry observed(EntryOwner owner, VersionVector versions, Renewal renewal) {
    return new CacheEntry(new CachedResult(24), versions, null, Long.MAX_VALUE, owner, renewal, 0);
  }

  private static CacheEntry entry(EntryOwner owner, CachedResult result, long timeToLiveNanos) {
    return new CacheEntry(result, requireNonNull(VERSIONS.capture(TAGS)), timeToLiveNanos, owner);
  }

  /** Counts what a store tells. */
  static final class Counts implements EntryOwner {
    final LongAdder admitted = new LongAdder();
    final LongAdder evicted = new LongAdder();
    final LongAdder expired = new LongAdder();
    final LongAdder dropped = new LongAdder();
    final LongAdder liveBytes = new LongAdder();

    long live() {
      return admitted.sum() - evicted.sum() - expired.sum() - dropped.sum();
    }

    @Override
    public void count(Event event, long weightBytes) {
      switch (event) {
        case ADMITTED -> admitted.increment();
        case EVICTED -> evicted.increment();
        case EXPIRED -> expired.increment();
        case DROPPED -> dropped.increment();
      }
      liveBytes.add(event == Event.ADMITTED ? weightBytes : -weightBytes);
    }
  }
}
