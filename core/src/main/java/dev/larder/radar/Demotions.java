package dev.larder.radar;

import dev.larder.catalog.CatalogVersion;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The tables that others have written of late, as one thread finds them. Thread-safe otherwise. */
final class Demotions {
  /** By the topmost table of a tree, when it was noticed last. */
  private final Map<Long, Long> everybody = new ConcurrentHashMap<>();

  private final Map<Long, Long> group = new ConcurrentHashMap<>();
  private volatile Demoted demoted = new Demoted(Set.of(), Set.of());

  /** Returns the tables that are demoted: the same object until they change. */
  Demoted demoted() {
    return demoted;
  }

  void add(Radar.Found found, @Nullable CatalogVersion catalog) {
    (found.byGroup() ? group : everybody).put(found.table(), System.nanoTime());
    publish(catalog);
  }

  /** Forgets tables that others have not written for so long. */
  void forget(long quietNanos, @Nullable CatalogVersion catalog) {
    long now = System.nanoTime();
    boolean changed = everybody.values().removeIf(nanos -> now - nanos > quietNanos);
    changed |= group.values().removeIf(nanos -> now - nanos > quietNanos);
    if (changed) {
      publish(catalog);
    }
  }

  private void publish(@Nullable CatalogVersion catalog) {
    Demoted next = new Demoted(names(everybody, catalog), names(group, catalog));
    if (!next.equals(demoted)) {
      demoted = next;
    }
  }

  private static Set<String> names(Map<Long, Long> roots, @Nullable CatalogVersion catalog) {
    Set<String> names = new HashSet<>();
    if (catalog != null) {
      roots.keySet().forEach(root -> names.addAll(catalog.tree(root)));
    }
    return Set.copyOf(names);
  }
}
