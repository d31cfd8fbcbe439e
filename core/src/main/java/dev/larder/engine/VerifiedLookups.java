package dev.larder.engine;

import dev.larder.engine.Lookup.Capture;
import dev.larder.engine.Lookup.Checked;
import dev.larder.engine.Lookup.Miss;
import dev.larder.store.CacheEntry;
import dev.larder.store.QueryKey;
import dev.larder.store.ResultStore;

/** As {@link LocalLookups}, but has the database answer a share of the hits, too. Thread-safe. */
final class VerifiedLookups extends LocalLookups {
  private final QueryCache cache;

  VerifiedLookups(QueryCache cache, ResultStore store) {
    super(cache, store);
    this.cache = cache;
  }

  @Override
  Lookup current(ShapePlan shape, QueryKey key, Resolution resolution, CacheEntry entry) {
    Verification verification = cache.verification();
    if (!verification.isDue()) {
      return super.current(shape, key, resolution, entry);
    }
    verification.expected(shape.statistics());
    Miss miss = new Miss(key, resolution, Capture.of(entry.versions()), cache.clears());
    return new Checked(miss, 1, Lookup.Expected.of(entry));
  }
}
