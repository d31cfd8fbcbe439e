package dev.larder.benchmarks;

import dev.larder.store.EntryOwner;

/** The owner of entries that nobody counts. */
enum UncountedEntries implements EntryOwner {
  OWNER;

  @Override
  public void admitted(long weightBytes) {}

  @Override
  public void evicted(long weightBytes) {}

  @Override
  public void expired(long weightBytes) {}

  @Override
  public void dropped(long weightBytes) {}
}
