package dev.larder.watch;

import dev.larder.catalog.CatalogChange;
import dev.larder.store.WriteSet;
import java.util.ArrayDeque;
import java.util.Set;

/** The last changes of a catalog that touch some relations only. Thread-safe. */
final class LatestChanges {
  private static final int MOST = 64;

  private record Change(long version, Set<Long> relations) {}

  private final ArrayDeque<Change> changes = new ArrayDeque<>();

  /** Of what was found out before this version anything may have changed. */
  private long complete;

  /** Notes the change that leads to a version. */
  synchronized void add(long version, CatalogChange change) {
    if (change.everything()) {
      changes.clear();
      complete = version;
      return;
    }
    changes.addLast(new Change(version, change.relations()));
    if (changes.size() > MOST) {
      complete = changes.removeFirst().version();
    }
  }

  /** Returns whether a change after the version {@code since} may concern {@code writes}. */
  synchronized boolean concern(long since, WriteSet writes) {
    return since < complete
        || writes.unknown()
        || changes.stream()
            .filter(change -> change.version() > since)
            .anyMatch(change -> writes.touchesAnyOf(change.relations()));
  }
}
