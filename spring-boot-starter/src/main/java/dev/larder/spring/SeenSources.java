package dev.larder.spring;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The data sources that were looked at, told apart as objects: two may be equal as long as their
 * settings are. Weak, because those of a short scope come and go. Thread-safe.
 */
final class SeenSources {
  private final Set<Seen> all = ConcurrentHashMap.newKeySet();
  private final ReferenceQueue<DataSource> gone = new ReferenceQueue<>();

  /** Adds a data source; returns whether it had not been added. */
  boolean add(DataSource source) {
    for (Reference<?> each = gone.poll(); each != null; each = gone.poll()) {
      all.remove(each);
    }
    return all.add(new Seen(source, gone));
  }

  private static final class Seen extends WeakReference<DataSource> {
    private final int hash;

    Seen(DataSource source, ReferenceQueue<DataSource> gone) {
      super(source, gone);
      this.hash = System.identityHashCode(source);
    }

    @Override
    public boolean equals(@Nullable Object other) {
      DataSource source = get();
      return this == other
          || (other instanceof Seen seen && source != null && seen.refersTo(source));
    }

    @Override
    public int hashCode() {
      return hash;
    }
  }
}
