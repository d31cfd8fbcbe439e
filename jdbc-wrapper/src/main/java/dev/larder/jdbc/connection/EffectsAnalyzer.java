package dev.larder.jdbc.connection;

import dev.larder.bypass.BypassReason;
import dev.larder.catalog.CatalogVersion;
import dev.larder.engine.Database;
import dev.larder.engine.Plan;
import dev.larder.engine.QueryCache;
import dev.larder.engine.Resolution;
import dev.larder.jdbc.effects.Effects;
import dev.larder.jdbc.effects.KnownEffects;
import dev.larder.jdbc.effects.KnownEffects.Known;
import dev.larder.jdbc.effects.StatementKinds;
import dev.larder.jdbc.postgresql.PostgresSession;
import dev.larder.jdbc.postgresql.TransactionStatus;
import dev.larder.jdbc.session.SessionState;
import dev.larder.jdbc.session.SessionTracker;
import dev.larder.jdbc.session.TemporaryTables;
import dev.larder.lexer.QueryWords;
import dev.larder.log.CacheLog;
import dev.larder.resolve.ResolvedStatement;
import dev.larder.sql.StatementFacts;
import dev.larder.store.SessionFingerprint;
import dev.larder.store.WriteSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds out what sending a text may do: by the text alone where that is enough, else by what its
 * names mean in the catalog, for the session as it is. Confined to the thread that uses the
 * connection.
 */
public final class EffectsAnalyzer {
  private final PhysicalConnection physical;
  private final PostgresSession session;
  private final QueryCache cache;
  private final Database database;
  private final SessionState state;
  private final SessionTracker tracker;
  private final TemporaryTables temporaryTables;
  private final KnownEffects knownEffects;
  private final EffectsByWords byWords;

  /** Whether a pooler may have another session run what is sent, which searches other schemas. */
  private final boolean anyPath;

  private @Nullable Plan lastToSet;

  EffectsAnalyzer(
      PhysicalConnection physical,
      SessionState state,
      SessionTracker tracker,
      TemporaryTables temporaryTables,
      KnownEffects knownEffects) {
    this.physical = physical;
    this.session = physical.session();
    this.cache = physical.cache();
    this.database = cache.database();
    this.state = state;
    this.tracker = tracker;
    this.temporaryTables = temporaryTables;
    this.knownEffects = knownEffects;
    this.anyPath = state.pooler() != null;
    this.byWords = new EffectsByWords(physical, state, tracker, temporaryTables);
  }

  /** As {@link #of(Plan, boolean)}, for a text that was looked up with these very settings. */
  @SuppressWarnings("ReferenceEquality") // Catalog versions have no other equality.
  public Effects of(Plan plan, Resolution resolution) throws SQLException {
    long catalogVersion = database.catalog().version();
    return database.catalog().current() == resolution.catalog() && !anyPath
        ? named(knownEffects.of(plan.statements()), resolution, catalogVersion)
        : of(plan, true);
  }

  /**
   * Returns the effects of texts that are sent together.
   *
   * @param binds the values of each, or none where they are not known
   */
  public Effects of(List<Plan> plans, List<@Nullable Object[]> binds) throws SQLException {
    List<Effects> effects = new ArrayList<>();
    // SET TRANSACTION, LOCK and FETCH at the head of a batch must come before any question.
    boolean mayAsk =
        plans.isEmpty()
            || !knownEffects.of(plans.get(0).statements()).kinds().beginWithoutSnapshot()
            || areSettled();
    for (int i = 0; i < plans.size(); i++) {
      Effects one = of(plans.get(i), mayAsk);
      effects.add(binds.isEmpty() ? one : one.ofExecution(plans.get(i), binds.get(i)));
    }
    return Effects.union(effects, tracker.isTouched());
  }

  /**
   * Returns the effects of a text.
   *
   * @param mayAsk whether the server may be asked for the settings
   */
  public Effects of(Plan plan, boolean mayAsk) throws SQLException {
    long catalogVersion = database.catalog().version();
    if (state.isReadOnly()) {
      // A standby refuses every write.
      return Effects.writing(WriteSet.NONE, catalogVersion);
    }
    if (plan.hasBackslashes() && physical.mayBeReadOtherwise(plan)) {
      return Effects.unknown(StatementKinds.NONE, catalogVersion);
    }
    QueryWords words = mayAsk ? plan.shape().words() : null;
    Effects reading = words == null ? null : byWords.reading(words, catalogVersion);
    if (reading != null) {
      return reading;
    }
    Effects found = found(plan, mayAsk, catalogVersion);
    // Not before: to find out may have asked for what the one before has set.
    if ((found.settings().any() || found.kinds().touchSettings()) && tracker.current() != null) {
      lastToSet = plan;
    }
    return found;
  }

  /** Returns the last text that may set something, sent while the settings were known. */
  @Nullable Plan lastToSet() {
    return lastToSet;
  }

  private Effects found(Plan plan, boolean mayAsk, long catalogVersion) throws SQLException {
    Known known = knownEffects.of(plan.statements());
    StatementKinds kinds = known.kinds();
    if (mayAsk && tracker.isAskedInVain()) {
      beforeSetting(kinds);
    }
    if (kinds.needNoNames() || !mayAsk) {
      return nameless(known, catalogVersion);
    }
    return tracker.current() == null
        ? unsettled(plan, known, kinds, catalogVersion)
        : looked(plan, known, kinds, catalogVersion);
  }

  /** Returns the effects while the settings are unknown. */
  private Effects unsettled(Plan plan, Known known, StatementKinds kinds, long catalogVersion)
      throws SQLException {
    Effects anything = anything(known, catalogVersion);
    return anything == null ? looked(plan, known, kinds, catalogVersion) : anything;
  }

  /** Asks before a transaction that may set something, as that spares it the question. */
  private void beforeSetting(StatementKinds kinds) throws SQLException {
    StatementFacts only = kinds.only();
    boolean maySet =
        only != null
            && switch (only.kind()) {
              case SET, BEGIN, SAVEPOINT -> true;
              default -> !only.settingCalls().isEmpty();
            };
    if (maySet && session.status() == TransactionStatus.IDLE) {
      tracker.reread();
      physical.knownSettings(true, kinds);
    }
  }

  /** Returns the effects by what the names mean, for the session as it is. */
  private Effects looked(Plan plan, Known known, StatementKinds kinds, long catalogVersion)
      throws SQLException {
    SessionFingerprint settings = physical.knownSettings(true, kinds);
    if (settings == null || state.writesAreUnknown()) {
      Effects reading = byWords.unsettled(plan, catalogVersion);
      return reading == null ? nameless(known, catalogVersion) : reading;
    }
    try {
      if (anyPath) {
        return behindPooler(plan, known, settings, catalogVersion);
      }
      Resolution found =
          temporaryTables.present()
              ? cache.resolutions().resolve(plan, temporaryTables.beside(settings))
              : cache.resolutions().resolve(plan, settings);
      if (found != null) {
        return named(known, found, catalogVersion);
      }
      return temporaryTables.present()
          ? besideTemporaryTables(plan, known, settings, catalogVersion)
          : inLastCatalog(plan, known, settings, catalogVersion);
    } catch (RuntimeException e) {
      CacheLog.trouble(CacheLog.Trouble.INTERNAL, "resolving a statement", e);
      return nameless(known, catalogVersion);
    }
  }

  /**
   * Returns the effects while there is no catalog: a statement that in the last one reads and
   * writes rows of tables, and does no more, does so. A query gets no locks, for its names may mean
   * others.
   */
  private Effects inLastCatalog(
      Plan plan, Known known, SessionFingerprint settings, long catalogVersion) {
    CatalogVersion last = known.kinds().isRowsOnly() ? byWords.judging() : null;
    Resolution resolution = last == null ? null : cache.resolutions().resolve(plan, settings, last);
    if (resolution == null || !resolution.statement().changesRowsOnly()) {
      return nameless(known, catalogVersion);
    }
    return resolution.statement().writes().isEmpty()
        ? Effects.reading(settings.searchPath(), catalogVersion, null)
        : named(known, resolution, catalogVersion);
  }

  private Effects besideTemporaryTables(
      Plan plan, Known known, SessionFingerprint settings, long catalogVersion) {
    Set<String> names = temporaryTables.names();
    return names == null || temporaryTables.areOutdated(plan.statements(), catalogVersion)
        ? nameless(known, catalogVersion)
        : known.effects(
            cache.resolutions().resolve(plan, settings, names),
            settings.searchPath(),
            tracker.isTouched(),
            database,
            catalogVersion,
            null);
  }

  /**
   * Returns the effects where another session than the one that was asked may be written in: rows
   * of tables whose names mean one thing in all schemas, or anything.
   */
  private Effects behindPooler(
      Plan plan, Known known, SessionFingerprint settings, long catalogVersion) {
    CatalogVersion catalog = database.catalog().current();
    if (catalog == null || !known.kinds().isRowsOnly() || temporaryTables.present()) {
      return nameless(known, catalogVersion);
    }
    ResolvedStatement resolved = cache.resolutions().anywhere(plan, settings, catalog);
    return resolved == null
        ? nameless(known, catalogVersion)
        : known.effects(resolved, null, tracker.isTouched(), database, catalogVersion, null);
  }

  /** The names mean what they mean in the catalog, as no temporary table hides them. */
  private Effects named(Known known, Resolution resolution, long catalogVersion) {
    return known.effects(
        resolution.statement(),
        temporaryTables.present() ? temporaryTables.path() : resolution.searchPath(),
        tracker.isTouched(),
        database,
        catalogVersion,
        database.remote().cache() == null
            ? null
            : database.remote().catalogVersion(resolution.catalog()));
  }

  /** Returns the effects where names may mean anything: harmless statements stay harmless. */
  private Effects nameless(Known known, long catalogVersion) {
    return known.effects(null, null, tracker.isTouched(), database, catalogVersion, null);
  }

  /**
   * Returns the effects of statements that may do anything, where only a question could tell what
   * their names mean, and it would be asked for each of them again; else null. For sessions whose
   * settings are unknown.
   */
  private @Nullable Effects anything(Known known, long catalogVersion) {
    CatalogVersion catalog = database.catalog().current();
    Effects last = known.last();
    return catalog == null
            || last == null
            || last.resolved() == null
            || last.catalogVersion() != catalogVersion
            || !last.writes().unknown()
            || !last.settings().untold()
            || state.writesAreUnknown()
        ? null
        : last.whateverNamesMean(catalog);
  }

  /** Returns why a query is not cached that may do anything with unknown settings, or null. */
  @Nullable BypassReason doesAnything(Plan plan) {
    if (tracker.current() != null) {
      return null;
    }
    Effects effects = anything(knownEffects.of(plan.statements()), database.catalog().version());
    ResolvedStatement resolved = effects == null ? null : effects.resolved();
    return resolved == null ? null : resolved.bypass();
  }

  /** Whether the settings are known without a question: in another catalog they are asked anew. */
  private boolean areSettled() {
    return state.followCatalog(true) != null;
  }
}
