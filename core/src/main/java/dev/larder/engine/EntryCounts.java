package dev.larder.engine;

import dev.larder.store.EntryOwner.Event;
import java.util.concurrent.atomic.LongAdder;

/** Counts the entries of one cache, what they weigh, and why they went. Thread-safe. */
final class EntryCounts {
  private final LongAdder entries = new LongAdder();
  private final LongAdder bytes = new LongAdder();
  private final LongAdder invalidations = new LongAdder();
  private final Counters<Event> events = new Counters<>(Event.class);

  void count(Event event, long weightBytes) {
    events.add(event, 1);
    entries.add(event == Event.ADMITTED ? 1 : -1);
    bytes.add(event == Event.ADMITTED ? weightBytes : -weightBytes);
  }

  void invalidated() {
    invalidations.increment();
  }

  long entries() {
    return entries.sum();
  }

  long bytes() {
    return bytes.sum();
  }

  long invalidations() {
    return invalidations.sum();
  }

  long events(Event event) {
    return events.sum(event);
  }

  /** Sets what was counted to zero; the entries that live stay counted. */
  void resetStatistics() {
    invalidations.reset();
    events.reset();
  }
}
