package dev.larder.jdbc.database;

import dev.larder.engine.DatabaseIdentity;
import dev.larder.jdbc.effects.KnownEffects;
import dev.larder.jdbc.session.SearchPaths;
import java.lang.ref.WeakReference;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The JDBC side of one database. The engine's {@code Database} refers to it, so that both exist as
 * long as a connection, an entry or a thread needs one of them. Thread-safe.
 */
public record Companions(
    OwnConnections connections, OutcomeResolver resolver, SearchPaths paths, KnownEffects effects) {
  /** Guarded by itself. */
  private static final Map<DatabaseIdentity, WeakReference<Companions>> ALL = new HashMap<>();

  private static Companions create(DatabaseIdentity identity) {
    OwnConnections connections = new OwnConnections(identity);
    return new Companions(
        connections, new OutcomeResolver(connections), new SearchPaths(), new KnownEffects());
  }

  /** Returns this JVM's only object for {@code identity}; a new one if that is unknown. */
  public static Companions of(DatabaseIdentity identity) {
    if (identity.isUnknown()) {
      return create(identity);
    }
    synchronized (ALL) {
      WeakReference<Companions> reference = ALL.get(identity);
      Companions known = reference == null ? null : reference.get();
      if (known == null) {
        ALL.values().removeIf(each -> each.get() == null);
        known = create(identity);
        ALL.put(identity, new WeakReference<>(known));
      }
      return known;
    }
  }

  /** Returns the companions of the database that {@code url} last led to, or null. */
  public static @Nullable Companions behind(String url) {
    return all().stream().filter(each -> each.connections.isTo(url)).findFirst().orElse(null);
  }

  /** Returns whether any of Larder's own connections is open; all are closed as soon as may be. */
  public static boolean giveUpConnections() {
    boolean open = false;
    for (Companions companions : all()) {
      open |= companions.connections.giveUp();
    }
    return open;
  }

  private static List<Companions> all() {
    synchronized (ALL) {
      return ALL.values().stream().map(WeakReference::get).filter(Objects::nonNull).toList();
    }
  }
}
