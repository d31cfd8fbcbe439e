package dev.larder.jdbc.connection;

import dev.larder.catalog.CatalogVersion;
import dev.larder.engine.Database;
import dev.larder.engine.Plan;
import dev.larder.engine.QueryCache;
import dev.larder.jdbc.effects.Effects;
import dev.larder.jdbc.effects.StatementKinds;
import dev.larder.jdbc.session.SessionState;
import dev.larder.jdbc.session.SessionTracker;
import dev.larder.jdbc.session.TemporaryTables;
import dev.larder.lexer.QueryWords;
import dev.larder.log.CacheLog;
import dev.larder.store.SessionFingerprint;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * Finds out by the words of a text that it does nothing but read, whichever schemas are searched.
 * Confined to the thread that uses the connection.
 */
final class EffectsByWords {
  private final PhysicalConnection physical;
  private final QueryCache cache;
  private final Database database;
  private final SessionState state;
  private final SessionTracker tracker;
  private final TemporaryTables temporaryTables;
  private final boolean anyPath;

  EffectsByWords(
      PhysicalConnection physical,
      SessionState state,
      SessionTracker tracker,
      TemporaryTables temporaryTables) {
    this.physical = physical;
    this.cache = physical.cache();
    this.database = cache.database();
    this.state = state;
    this.tracker = tracker;
    this.temporaryTables = temporaryTables;
    this.anyPath = state.pooler() != null;
  }

  /**
   * As {@link #reading}, for a text that is analyzed, while nothing but its words can be judged.
   */
  @Nullable Effects unsettled(Plan plan, long catalogVersion) throws SQLException {
    QueryWords words = QueryWords.of(plan.shape().shape());
    return words == null ? null : reading(words, catalogVersion);
  }

  /** Returns the effects of a query with these words if it does nothing but read, else null. */
  @Nullable Effects reading(QueryWords words, long catalogVersion) throws SQLException {
    if (isUnasked()) {
      return null;
    }
    SessionFingerprint settings =
        anyPath ? tracker.current() : physical.knownSettings(true, StatementKinds.NONE);
    CatalogVersion catalog = judging();
    if ((settings == null && isUnasked())
        || catalog == null
        || state.writesAreUnknown()
        || temporaryTables.present()) {
      return null;
    }
    try {
      return cache.resolutions().onlyReads(words, catalog)
          ? Effects.reading(
              settings == null ? null : settings.searchPath(),
              catalogVersion,
              database.remote().catalogVersion(catalog))
          : null;
    } catch (RuntimeException e) {
      CacheLog.trouble(CacheLog.Trouble.INTERNAL, "looking at the words of a statement", e);
      return null;
    }
  }

  /** Whether the settings are unknown, and may be asked for: not while there is no catalog. */
  private boolean isUnasked() {
    return !anyPath && tracker.current() == null && database.catalog().current() != null;
  }

  /**
   * Returns the catalog that statements are judged by: the last one, while it is compared with the
   * database. Until that has ended nothing is hit here, and where the catalog differs all results
   * are dropped then: also those that a statement has changed which was taken for harmless. Null
   * where other JVMs or class loaders may hit meanwhile.
   */
  @Nullable CatalogVersion judging() {
    CatalogVersion present = database.catalog().current();
    return present != null || database.isHitElsewhere() ? present : database.catalog().latest();
  }
}
