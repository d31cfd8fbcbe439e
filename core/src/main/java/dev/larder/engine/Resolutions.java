package dev.larder.engine;

import dev.larder.CacheOptions;
import dev.larder.QueryCacheConfig;
import dev.larder.QueryCacheConfig.Invalidation;
import dev.larder.TableRules;
import dev.larder.catalog.CatalogVersion;
import dev.larder.feed.Coverage;
import dev.larder.feed.FollowedDatabase;
import dev.larder.lexer.QueryWords;
import dev.larder.log.CacheLog;
import dev.larder.radar.Demoted;
import dev.larder.resolve.AmbiguousNames;
import dev.larder.resolve.Declarations;
import dev.larder.resolve.EffectfulNames;
import dev.larder.resolve.ResolvedStatement;
import dev.larder.resolve.Scope;
import dev.larder.resolve.StatementKeys;
import dev.larder.resolve.StatementResolver;
import dev.larder.sql.SqlAnalysis;
import dev.larder.sql.StatementFacts;
import dev.larder.store.SessionFingerprint;
import dev.larder.watch.DatabaseControls;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What plans mean in the present catalog, under the configuration of one cache and what operators
 * have set in the database. Thread-safe.
 */
public final class Resolutions {
  /** With more, a statement may do anything. */
  private static final int MOST_PATHS = 50;

  private final QueryCache cache;
  private final Declarations declarations;

  /** Null where the writes of others are not followed. */
  private final @Nullable FollowedDatabase followed;

  /** Of the controls that were met last. */
  private volatile @Nullable PolicyIn policy;

  /** The catalog that was resolved in last. */
  private volatile @Nullable CatalogVersion latest;

  /** Of the catalog in which names were looked up last whose path is not known. */
  private volatile @Nullable AmbiguousNames ambiguous;

  /** Of the catalog in which words were looked up last. */
  private volatile @Nullable EffectfulIn effectful;

  private record EffectfulIn(Object mark, EffectfulNames names) {}

  private record PolicyIn(
      DatabaseControls controls, Demoted demoted, Coverage coverage, CachePolicy policy) {}

  Resolutions(QueryCache cache) {
    this.cache = cache;
    QueryCacheConfig config = cache.config();
    this.followed = config.isFollowing() ? cache.database().feed().followed() : null;
    this.declarations =
        new Declarations(
            config.get(CacheOptions.FUNCTIONS_READ_ONLY),
            config.get(CacheOptions.FUNCTIONS_WRITES),
            config.get(CacheOptions.TRIGGERS_WRITES));
  }

  /** Returns what tells the meaning of statements in a session with these temporary tables. */
  StatementResolver resolver(
      CatalogVersion catalog, SessionFingerprint session, Set<String> temporary) {
    return new StatementResolver(scope(catalog, session, temporary));
  }

  private Scope scope(CatalogVersion catalog, SessionFingerprint session, Set<String> temporary) {
    return new Scope(
        catalog, session.searchPath(), temporary, declarations, cache.database().versions());
  }

  /**
   * Returns what {@code plan} reads and writes in the present catalog, or null while there is none.
   *
   * @param session whose search path decides what names mean
   */
  public @Nullable Resolution resolve(Plan plan, SessionFingerprint session) {
    CatalogVersion catalog = cache.database().catalog().current();
    return catalog == null ? null : resolve(plan, session, catalog);
  }

  /**
   * Returns what {@code plan} reads and writes in a session with temporary objects; null where it
   * may name one of them, or show what they hide, or while there is no catalog.
   *
   * @param beside null where they may have any name
   */
  public @Nullable Resolution resolve(Plan plan, @Nullable BesideTemporary beside) {
    if (beside == null || !beside.hidesNothingOf(plan.shape().analysis())) {
      return null;
    }
    Resolution found = resolve(plan, beside.settings());
    return found != null && BesideTemporary.areTablesAlone(found.statement(), found.catalog())
        ? found
        : null;
  }

  /** Returns what {@code plan} reads and writes in {@code catalog}. */
  @SuppressWarnings("ReferenceEquality") // Analyses, catalogs and policies have no other equality.
  public Resolution resolve(Plan plan, SessionFingerprint session, CatalogVersion catalog) {
    ShapePlan shape = plan.shape();
    CachePolicy obeyed = policy();
    Resolution known = shape.resolution();
    return known != null
            && known.catalog() == catalog
            && known.policy() == obeyed
            && known.analysis() == shape.presentAnalysis()
            && known.byKey() == session.comparesPlainly()
            && known.searchPath().equals(session.searchPath())
        ? known
        : resolve(shape, catalog, session, obeyed);
  }

  /**
   * Returns what a plan means in a session with temporary tables, or null while the catalog is
   * being loaded: see {@link StatementResolver}.
   *
   * @param temporary the names of all that is temporary there, tables only
   */
  public @Nullable ResolvedStatement resolve(
      Plan plan, SessionFingerprint session, Set<String> temporary) {
    CatalogVersion catalog = cache.database().catalog().current();
    return catalog == null
        ? null
        : resolver(catalog, session, temporary).resolve(plan.shape().analysis());
  }

  /**
   * Returns what a plan may do in {@code catalog}, whichever schemas are searched; null where that
   * may be too much.
   *
   * @param session whose path is the likely one
   */
  public @Nullable ResolvedStatement anywhere(
      Plan plan, SessionFingerprint session, CatalogVersion catalog) {
    Anywhere known = plan.shape().anywhere();
    SqlAnalysis analysis = plan.shape().presentAnalysis();
    if (known == null || !known.isOf(session, catalog.mark(), analysis)) {
      ResolvedStatement found = anywhere(plan.shape(), session, catalog);
      known = new Anywhere(session, catalog.mark(), plan.shape().presentAnalysis(), found);
      plan.shape().anywhere(known);
    }
    return known.statement();
  }

  /**
   * What a plan may do whichever schemas are searched.
   *
   * @param statement null for anything
   */
  record Anywhere(
      SessionFingerprint session,
      Object mark,
      @Nullable SqlAnalysis analysis,
      @Nullable ResolvedStatement statement) {
    @SuppressWarnings("ReferenceEquality") // Analyses and catalogs have no other equality.
    boolean isOf(SessionFingerprint other, Object catalog, @Nullable SqlAnalysis present) {
      return mark == catalog && analysis == present && session.equals(other);
    }
  }

  @SuppressWarnings("ReferenceEquality") // Catalog marks have no other equality.
  private @Nullable ResolvedStatement anywhere(
      ShapePlan shape, SessionFingerprint session, CatalogVersion catalog) {
    AmbiguousNames names = ambiguous;
    if (names == null || names.mark() != catalog.mark()) {
      names = new AmbiguousNames(catalog);
      ambiguous = names;
    }
    List<StatementFacts> statements = shape.analysis().statements();
    ResolvedStatement told =
        along(names.paths(session.searchPath(), statements), shape, session, catalog);
    return told == null || told.told()
        ? told
        : along(names.allPaths(session.searchPath()), shape, session, catalog);
  }

  private @Nullable ResolvedStatement along(
      List<List<String>> paths,
      ShapePlan shape,
      SessionFingerprint session,
      CatalogVersion catalog) {
    if (paths.size() > MOST_PATHS) {
      return null;
    }
    ResolvedStatement all = null;
    for (List<String> path : paths) {
      Scope scope = new Scope(catalog, path, Set.of(), declarations, cache.database().versions());
      ResolvedStatement found = new StatementResolver(scope).resolve(shape.analysis());
      StatementKeys keys =
          session.comparesPlainly() ? keys(shape, found, scope) : StatementKeys.NONE;
      all = all == null ? found.withKeys(keys) : all.or(found);
    }
    return all;
  }

  /**
   * Returns whether a query of these words does nothing but read in {@code catalog}, whichever
   * schemas are searched.
   */
  @SuppressWarnings("ReferenceEquality") // Catalog versions have no other equality.
  public boolean onlyReads(QueryWords words, CatalogVersion catalog) {
    EffectfulIn known = effectful;
    if (known == null || known.mark() != catalog.mark()) {
      known = effectful(catalog);
    }
    return !known.names().areAmong(words);
  }

  @SuppressWarnings("ReferenceEquality") // As above.
  private synchronized EffectfulIn effectful(CatalogVersion catalog) {
    EffectfulIn known = effectful;
    if (known == null || known.mark() != catalog.mark()) {
      known =
          new EffectfulIn(
              catalog.mark(),
              new EffectfulNames(catalog, declarations, cache.database().versions()));
      effectful = known;
    }
    return known;
  }

  private Resolution resolve(
      ShapePlan shape, CatalogVersion catalog, SessionFingerprint session, CachePolicy obeyed) {
    follow(catalog);
    SqlAnalysis analysis = shape.analysis();
    Scope scope = scope(catalog, session, Set.of());
    ResolvedStatement found = new StatementResolver(scope).resolve(analysis);
    boolean byKey = session.comparesPlainly();
    ResolvedStatement statement =
        found.withKeys(byKey ? keys(shape, found, scope) : StatementKeys.NONE);
    Resolution made =
        new Resolution(
            analysis,
            catalog,
            session.searchPath(),
            byKey,
            obeyed,
            statement,
            catalog.hidden().keySettings().and(statement.keySettings()),
            obeyed.bypass(statement, shape.shape().hints()),
            obeyed.timeToLiveNanos(statement, shape.shape().hints()),
            obeyed.stalenessNanos(statement, shape.shape().hints()));
    if (made.stalenessNanos() > 0) {
      Staleness.begin(cache);
    }
    if (made.bypass() == null) {
      cache.database().radar().cached(statement, catalog);
    }
    shape.resolution(made);
    return made;
  }

  private StatementKeys keys(ShapePlan shape, ResolvedStatement statement, Scope scope) {
    TableRules tables = cache.config().tables();
    if (!tables.mayInvalidateByKey()) {
      return StatementKeys.NONE;
    }
    try {
      return StatementKeys.of(
          shape.shape(), statement, scope, table -> tables.invalidation(table) == Invalidation.KEY);
    } catch (RuntimeException e) {
      CacheLog.trouble(CacheLog.Trouble.INTERNAL, "finding the rows of a statement", e);
      return StatementKeys.NONE; // Any rows of its tables.
    }
  }

  @SuppressWarnings("ReferenceEquality") // Catalog versions have no other equality.
  private void follow(CatalogVersion catalog) {
    if (latest != catalog) {
      latest = catalog;
      cache.plans().shapes().forEach(shape -> shape.forgetCatalogsBut(catalog));
    }
  }

  /** Returns the present catalog, or while there is none the last, for status displays, or null. */
  @Nullable CatalogVersion catalog() {
    CatalogVersion present = cache.database().catalog().current();
    return present == null ? latest : present;
  }

  /** Returns what the configuration says, and what operators have set in the database. */
  @SuppressWarnings("ReferenceEquality") // What was read again and is the same is kept.
  CachePolicy policy() {
    DatabaseControls controls = cache.database().catalog().controls();
    Demoted demoted = cache.database().radar().demoted();
    Coverage coverage = followed == null ? Coverage.UNKNOWN : followed.coverage();
    PolicyIn known = policy;
    if (known == null
        || known.controls() != controls
        || known.demoted() != demoted
        || known.coverage() != coverage) {
      Set<String> tables = new HashSet<>(demoted.of(cache.config().get(CacheOptions.WRITERS)));
      tables.removeAll(coverage.covered());
      known =
          new PolicyIn(
              controls,
              demoted,
              coverage,
              CachePolicy.of(cache.config(), controls, tables, coverage));
      policy = known;
    }
    return known.policy();
  }
}
