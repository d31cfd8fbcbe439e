package dev.larder.benchmarks;

import dev.larder.store.EntryOwner;

/** The owner of entries that nobody counts. */
enum UncountedEntries implements EntryOwner {
  OWNER;

  @Override
  public void count(Event event, long weightBytes) {}
}
