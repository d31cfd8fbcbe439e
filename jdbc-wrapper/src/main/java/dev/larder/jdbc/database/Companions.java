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
public final class Companions {
  /** Guarded by itself. */
  private static final Map<DatabaseIdentity, WeakReference<Companions>> ALL = new HashMap<>();

  private final OwnConnections connections;
  private final OutcomeResolver resolver;
  private final SearchPaths paths = new SearchPaths();
  private final KnownEffects effects = new KnownEffects();

  private Companions(DatabaseIdentity identity) {
    this.connections = new OwnConnections(identity);
    this.resolver = new OutcomeResolver(connections);
  }

  /** Returns this JVM's only object for {@code identity}; a new one if that is unknown. */
  public static Companions of(DatabaseIdentity identity) {
    if (identity.isUnknown()) {
      return new Companions(identity);
    }
    synchronized (ALL) {
      WeakReference<Companions> reference = ALL.get(identity);
      Companions known = reference == null ? null : reference.get();
      if (known == null) {
        ALL.values().removeIf(each -> each.get() == null);
        known = new Companions(identity);
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

  public OwnConnections connections() {
    return connections;
  }

  public OutcomeResolver resolver() {
    return resolver;
  }

  public SearchPaths paths() {
    return paths;
  }

  public KnownEffects effects() {
    return effects;
  }
}
