package dev.larder.jdbc.database;

import dev.larder.engine.Database;
import dev.larder.engine.DatabaseIdentity;
import dev.larder.jdbc.effects.KnownEffects;
import dev.larder.jdbc.postgresql.PostgresCatalogLoader;
import dev.larder.jdbc.session.SearchPaths;
import java.lang.ref.WeakReference;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What one database needs of JDBC, beside what the engine keeps of it. The database refers to it,
 * so that both are there as long as a connection, an entry or a thread needs one of them.
 * Thread-safe.
 */
public final class Companions {
  /** Guarded by itself. */
  private static final Map<DatabaseIdentity, WeakReference<Companions>> ALL = new HashMap<>();

  private final OwnConnections connections;
  private final OutcomeResolver resolver;
  private final SearchPaths paths = new SearchPaths();
  private final KnownEffects effects = new KnownEffects();

  private Companions(DatabaseIdentity identity) {
    this.connections =
        new OwnConnections(
            Database.of(
                identity,
                () -> new PostgresCatalogLoader(() -> connect(this), this::isOwn),
                new Primary(identity, this::connections)));
    this.resolver = new OutcomeResolver(connections);
  }

  private boolean isOwn(int process) {
    return connections.direct().stream().anyMatch(backend -> backend.pid() == process);
  }

  private static Connection connect(Companions companions) throws SQLException {
    return companions.connections.open().connection();
  }

  /**
   * Returns the one object of this JVM for {@code identity}; each time another where that is
   * unknown.
   */
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

  /** Returns those of the database that {@code url} led to the last time, or null. */
  public static @Nullable Companions behind(String url) {
    synchronized (ALL) {
      for (WeakReference<Companions> reference : ALL.values()) {
        Companions companions = reference.get();
        if (companions != null && companions.connections.isTo(url)) {
          return companions;
        }
      }
    }
    return null;
  }

  /** Returns whether any of Larder's own connections is open; all are closed as soon as may be. */
  public static boolean giveUpConnections() {
    boolean open = false;
    synchronized (ALL) {
      for (WeakReference<Companions> reference : ALL.values()) {
        Companions companions = reference.get();
        open |= companions != null && companions.connections.giveUp();
      }
    }
    return open;
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
