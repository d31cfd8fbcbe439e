package dev.larder.engine;

import dev.larder.CacheOptions;
import dev.larder.QueryCacheConfig;
import dev.larder.catalog.CatalogSnapshot;
import dev.larder.catalog.DatabaseControls;
import dev.larder.catalog.Declarations;
import dev.larder.catalog.ResolvedStatement;
import dev.larder.sql.SqlAnalysis;
import dev.larder.store.SessionFingerprint;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What plans mean in the present catalog, under the configuration of one cache and what operators
 * have set in the database. Thread-safe.
 */
public final class Resolutions {
  private final QueryCache cache;
  private final Declarations declarations;

  /** Of the controls that were met last. */
  private volatile @Nullable PolicyIn policy;

  /** The catalog that was resolved in last. */
  private volatile @Nullable CatalogSnapshot latest;

  private record PolicyIn(
      DatabaseControls controls, RadarLink.Demoted demoted, CachePolicy policy) {}

  Resolutions(QueryCache cache) {
    this.cache = cache;
    QueryCacheConfig config = cache.config();
    this.declarations =
        new Declarations(
            config.get(CacheOptions.FUNCTIONS_READ_ONLY),
            config.get(CacheOptions.FUNCTIONS_WRITES),
            config.get(CacheOptions.TRIGGERS_WRITES));
  }

  /** Returns what the configuration declares of routines and triggers. */
  Declarations declarations() {
    return declarations;
  }

  /**
   * Returns what {@code plan} reads and writes in the present catalog, or null while there is none.
   *
   * @param session whose search path decides what names mean
   */
  public @Nullable Resolution resolve(Plan plan, SessionFingerprint session) {
    CatalogSnapshot snapshot = cache.database().catalog().current();
    if (snapshot == null) {
      return null;
    }
    ShapePlan shape = plan.shape();
    CachePolicy obeyed = policy();
    Resolution known = shape.recall(snapshot, session.searchPath(), obeyed);
    return known != null ? known : resolve(shape, snapshot, session, obeyed);
  }

  /**
   * Returns what a plan means in a session with temporary tables, or null while the catalog is
   * being loaded: see {@link CatalogSnapshot#resolve}.
   *
   * @param temporary the names of all that is temporary there, tables only
   */
  public @Nullable ResolvedStatement resolve(
      Plan plan, SessionFingerprint session, Set<String> temporary) {
    CatalogSnapshot snapshot = cache.database().catalog().current();
    return snapshot == null
        ? null
        : snapshot.resolve(
            plan.shape().analysis(),
            session.searchPath(),
            declarations,
            cache.database().versions(),
            temporary);
  }

  private Resolution resolve(
      ShapePlan shape, CatalogSnapshot snapshot, SessionFingerprint session, CachePolicy obeyed) {
    follow(snapshot);
    SqlAnalysis analysis = shape.analysis();
    ResolvedStatement statement =
        snapshot.resolve(analysis, session.searchPath(), declarations, cache.database().versions());
    Resolution made =
        new Resolution(
            snapshot,
            session.searchPath(),
            obeyed,
            statement,
            !statement.keySettings().isEmpty(),
            obeyed.bypass(statement, shape.shape().hints()),
            obeyed.timeToLiveNanos(statement, shape.shape().hints()));
    if (made.bypass() == null) {
      cache.database().radar().cached(statement, snapshot);
    }
    shape.remember(analysis, made);
    return made;
  }

  @SuppressWarnings("ReferenceEquality") // Snapshots have no other equality.
  private void follow(CatalogSnapshot snapshot) {
    if (latest != snapshot) {
      latest = snapshot;
      cache.plans().shapes().forEach(shape -> shape.forgetCatalogsBut(snapshot));
    }
  }

  /** Returns the present catalog, or while there is none the last, for status displays, or null. */
  @Nullable CatalogSnapshot catalog() {
    CatalogSnapshot present = cache.database().catalog().current();
    return present == null ? latest : present;
  }

  /** Returns what the configuration says, and what operators have set in the database. */
  @SuppressWarnings("ReferenceEquality") // What was read again and is the same is kept.
  CachePolicy policy() {
    DatabaseControls controls = cache.database().catalog().controls();
    RadarLink.Demoted demoted = cache.database().radar().demoted();
    PolicyIn known = policy;
    if (known == null || known.controls() != controls || known.demoted() != demoted) {
      Set<String> tables = demoted.of(cache.config().get(CacheOptions.WRITERS));
      known = new PolicyIn(controls, demoted, CachePolicy.of(cache.config(), controls, tables));
      policy = known;
    }
    return known.policy();
  }
}
