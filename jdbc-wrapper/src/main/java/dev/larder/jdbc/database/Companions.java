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
 * The JDBC side of one database. The engine's {@code Database} refers to it through {@link
 * OwnConnections}, so that all exist as long as a connection, an entry or a thread needs one.
 * Thread-safe.
 */
public record Companions(
    OwnConnections connections, OutcomeResolver resolver, SearchPaths paths, KnownEffects effects) {
  /** Guarded by itself. */
  private static final Map<DatabaseIdentity, WeakReference<OwnConnections>> ALL = new HashMap<>();

  /** Returns this JVM's only object for {@code identity}; a new one if that is unknown. */
  public static Companions of(DatabaseIdentity identity) {
    if (identity.isUnknown()) {
      return new OwnConnections(identity).companions();
    }
    synchronized (ALL) {
      WeakReference<OwnConnections> reference = ALL.get(identity);
      OwnConnections known = reference == null ? null : reference.get();
      if (known == null) {
        ALL.values().removeIf(each -> each.get() == null);
        known = new OwnConnections(identity);
        ALL.put(identity, new WeakReference<>(known));
      }
      return known.companions();
    }
  }

  /** Returns the companions of the database that {@code url} last led to, or null. */
  public static @Nullable Companions behind(String url) {
    return all().stream()
        .filter(each -> each.isTo(url))
        .findFirst()
        .map(OwnConnections::companions)
        .orElse(null);
  }

  /** Returns whether any of Larder's own connections is open; all are closed as soon as may be. */
  public static boolean giveUpConnections() {
    boolean open = false;
    for (OwnConnections connections : all()) {
      open |= connections.giveUp();
    }
    return open;
  }

  private static List<OwnConnections> all() {
    synchronized (ALL) {
      return ALL.values().stream().map(WeakReference::get).filter(Objects::nonNull).toList();
    }
  }
}
