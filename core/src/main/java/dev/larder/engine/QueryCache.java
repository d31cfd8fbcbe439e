package dev.larder.engine;

import dev.larder.CacheOptions;
import dev.larder.QueryCacheConfig;
import dev.larder.engine.Lookup.Capture;
import dev.larder.sql.BypassReason;
import dev.larder.sql.LexOptions;
import dev.larder.store.CacheEntry;
import dev.larder.store.EntryOwner;
import dev.larder.store.QueryKey;
import dev.larder.store.ResultStore;
import dev.larder.store.SessionFingerprint;
import dev.larder.store.VersionVector;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The cache of one configuration and database: it plans texts, decides about executions and keeps
 * results. It does no I/O but the store's. Thread-safe; shared by every connection with equal
 * configuration.
 */
public final class QueryCache implements EntryOwner {
  private final Database database;
  private final QueryCacheConfig config;
  private final Resolutions resolutions;
  private final Purges purges = new Purges(this);
  private final ResultStore store;
  private final ShapeStatistics retired = new ShapeStatistics();
  private final PlanCache plans = new PlanCache(retired);
  private final EntryCounts entryCounts = new EntryCounts();
  private final BypassCounts bypassCounts = new BypassCounts();
  private final UndeclaredWrites undeclared = new UndeclaredWrites(this);
  private final @Nullable SharedLookups shared;
  private final @Nullable ObservedLookups observed;
  private final @Nullable Verification verification;
  private final Admissions admissions;
  private final AtomicInteger clears = new AtomicInteger();
  private final AtomicBoolean saidSerializable = new AtomicBoolean();
  private volatile boolean enabled;

  QueryCache(Database database, QueryCacheConfig config, ResultStore store) {
    this.database = database;
    this.config = config;
    this.resolutions = new Resolutions(this);
    this.store = store;
    this.shared = config.remote().isPresent() ? new SharedLookups(this, store) : null;
    boolean observes = config.get(CacheOptions.MODE) == QueryCacheConfig.Mode.OBSERVE;
    this.observed = observes ? new ObservedLookups(this, store, database.versions()) : null;
    this.verification =
        observes || config.get(CacheOptions.VERIFY) > 0
            ? new Verification(this, config.get(CacheOptions.VERIFY), observation())
            : null;
    this.admissions = new Admissions(this, shared, observed);
    this.enabled = config.get(CacheOptions.ENABLED);
  }

  /** Returns the database. */
  public Database database() {
    return database;
  }

  /** Returns the configuration. */
  public QueryCacheConfig config() {
    return config;
  }

  /** Returns whether the cache is switched on for the JVM. */
  public boolean enabled() {
    return enabled;
  }

  /** Switches the cache on or off for the JVM; writes invalidate all the same. */
  public void enabled(boolean on) {
    enabled = on;
  }

  /** Returns the plan of {@code sql}; never throws for what the text holds. */
  public Plan plan(String sql, LexOptions options) {
    return plans.plan(sql, options);
  }

  /** As {@link #plan}, if the text was among the last that were asked for; else null. */
  public @Nullable Plan recentPlan(String sql, LexOptions options) {
    return plans.recent(sql, options);
  }

  /** Returns what tells what plans mean. */
  public Resolutions resolutions() {
    return resolutions;
  }

  /** Returns why no execution of the text can be looked up just now, or null. */
  public @Nullable BypassReason textBypass(Plan plan) {
    if (!enabled) {
      return BypassReason.DISABLED;
    }
    BypassReason reason = plan.textBypass();
    return reason == BypassReason.SEEN_ONCE ? plans.meetAgain(plan.shape()) : reason;
  }

  /**
   * Decides whether this execution of a query may be answered from memory. On a {@link Lookup.Miss}
   * the versions are captured here, so that nothing may be sent before the call.
   *
   * @param binds see {@link QueryKey}; not changed while the returned miss is in use
   * @param options see {@link QueryKey}
   */
  public Lookup lookup(Plan plan, Object[] binds, long options, SessionView session) {
    ShapePlan shape = plan.shape();
    BypassReason reason = textBypass(plan);
    if (reason == null) {
      reason = session.sessionBypass();
    }
    SessionFingerprint fingerprint = session.fingerprint();
    if (reason != null || fingerprint == null) {
      return bypass(shape, reason == null ? withoutSettings() : reason);
    }
    Resolution resolution = resolutions.resolve(plan, fingerprint);
    if (resolution == null) {
      return bypass(shape, BypassReason.CATALOG_LOADING);
    }
    reason = resolution.bypass();
    if (reason == null
        && resolution.readsSettings()
        && !session.knowsSettings(resolution.statement().keySettings())) {
      reason = BypassReason.UNKNOWN_SETTINGS;
    }
    if (reason == null) {
      reason = session.transactionBypass(resolution.statement());
    }
    if (reason != null) {
      return bypass(shape, reason);
    }
    QueryKey key = new QueryKey(shape.shape(), fingerprint, plan.literals(), binds, options);
    if (shared != null) {
      return shared.lookup(shape, key, resolution, session);
    }
    return observed == null
        ? lookup(shape, key, resolution, session)
        : observed.lookup(shape, key, resolution, session);
  }

  /** Nobody asks for settings that could not be used. */
  private BypassReason withoutSettings() {
    return database.catalog().current() == null
        ? BypassReason.CATALOG_LOADING
        : BypassReason.UNKNOWN_SETTINGS;
  }

  private Lookup lookup(ShapePlan shape, QueryKey key, Resolution resolution, SessionView session) {
    if (session.mayHit(resolution.statement())) {
      CacheEntry entry = store.get(key, resolution.timeToLiveNanos());
      if (entry != null) {
        if (!database.versions().isCurrent(entry)) {
          // It stays: that the next result takes its place costs less than to remove it first.
          if (entry.isFoundOutdated()) {
            entryCounts.invalidated();
          }
        } else if (entry.versions().notAfter(session.snapshotEpoch())) {
          if (verification != null && verification.isDue()) {
            return expecting(shape, key, resolution, entry);
          }
          shape.statistics().hit();
          return new Lookup.Hit(entry.result());
        }
      }
    }
    return miss(shape, key, resolution, session);
  }

  /** Counts a miss, and captures what it needs. */
  Lookup miss(ShapePlan shape, QueryKey key, Resolution resolution, SessionView session) {
    return miss(shape, key, resolution, session, 1);
  }

  /** Counts a miss that stands for {@code weight} ones, and captures what it needs. */
  Lookup miss(
      ShapePlan shape, QueryKey key, Resolution resolution, SessionView session, int weight) {
    int cleared = clears.get();
    return miss(shape, key, resolution, capture(resolution, session), cleared, weight);
  }

  /** Counts a miss for which {@code capture} was captured after {@code cleared} was read. */
  Lookup miss(
      ShapePlan shape,
      QueryKey key,
      Resolution resolution,
      Capture capture,
      int cleared,
      int weight) {
    if (isQuarantined(capture, resolution)) {
      return bypass(shape, BypassReason.QUARANTINED);
    }
    shape.statistics().miss();
    return new Lookup.Miss(key, resolution, capture, cleared, weight, null);
  }

  /** Returns a miss instead of the hit that {@code entry}, which is current, would be. */
  private Lookup expecting(ShapePlan shape, QueryKey key, Resolution resolution, CacheEntry entry) {
    Lookup.Expected expected = expected(shape, entry);
    return expecting(key, resolution, Capture.of(entry.versions()), 1, expected);
  }

  /** Returns a miss of which something is expected. */
  Lookup expecting(
      QueryKey key, Resolution resolution, Capture capture, int weight, Lookup.Expected expected) {
    return new Lookup.Miss(key, resolution, capture, clears.get(), weight, expected);
  }

  /** Counts a hit that the database is to answer, too, and returns what it would have been. */
  Lookup.Expected expected(ShapePlan shape, CacheEntry entry) {
    if (verification != null) {
      verification.expected(shape.statistics());
    }
    return new Lookup.Expected(entry.result(), entry.admittedNanos(), entry.weightBytes());
  }

  boolean isQuarantined(Capture capture, Resolution resolution) {
    return capture.refusal() == BypassReason.BEING_WRITTEN
        && database.quarantine().holds(resolution.statement().readTags());
  }

  Capture capture(Resolution resolution, SessionView session) {
    VersionVector versions = database.versions().capture(resolution.statement().readTags());
    if (versions == null) {
      return Capture.refused(BypassReason.BEING_WRITTEN);
    }
    if (!versions.notAfter(session.snapshotEpoch())) {
      return Capture.refused(BypassReason.SNAPSHOT);
    }
    // After the capture: a catalog that changes from now on invalidates everything, and so what was
    // captured.
    return isOfPresentCatalog(resolution)
        ? Capture.of(versions)
        : Capture.refused(BypassReason.CATALOG_LOADING);
  }

  @SuppressWarnings("ReferenceEquality") // Snapshots have no other equality.
  boolean isOfPresentCatalog(Resolution resolution) {
    return database.catalog().current() == resolution.snapshot();
  }

  /** Says in the log that connections are SERIALIZABLE by default, once. */
  public void serializableByDefault() {
    if (!saidSerializable.get() && saidSerializable.compareAndSet(false, true)) {
      CacheLog.serializable(this);
    }
  }

  /** Counts a bypass that was decided outside of {@link #lookup}. */
  public Lookup.Bypass bypass(Plan plan, BypassReason reason) {
    return bypass(plan.shape(), reason);
  }

  Lookup.Bypass bypass(ShapePlan shape, BypassReason reason) {
    shape.statistics().bypass(reason);
    bypassCounts.add(reason);
    return Lookup.Bypass.of(reason);
  }

  /**
   * Returns for how many bypasses the time of this one is to stand, because not all of them are
   * timed; 0 if it is not to be taken.
   */
  public int timingWeight(Lookup.Bypass bypass) {
    return bypassCounts.timingWeight(bypass.reason());
  }

  /**
   * Ends a bypass that was timed.
   *
   * @param databaseNanos how long the statement ran, times its {@link #timingWeight}
   */
  public void bypassed(Lookup.Bypass bypass, long databaseNanos) {
    bypassCounts.ran(bypass.reason(), databaseNanos);
  }

  /** Returns how often the cache was cleared. */
  int clears() {
    return clears.get();
  }

  /** Makes sure that nothing is kept that is just being read. */
  void clearing() {
    clears.incrementAndGet();
  }

  /** Forgets every entry of this cache, and those that are just being read. */
  public void clear() {
    clearing();
    store.clear(this);
  }

  /** Returns what ends misses. */
  public Admissions admissions() {
    return admissions;
  }

  /** Returns what forgets a part of the results. */
  public Purges purges() {
    return purges;
  }

  /** Sets every count to zero. */
  public void resetStatistics() {
    CacheStatus.reset(this);
  }

  @Override
  public void admitted(long weightBytes) {
    entryCounts.admitted(weightBytes);
  }

  @Override
  public void evicted(long weightBytes) {
    entryCounts.evicted(weightBytes);
  }

  @Override
  public void expired(long weightBytes) {
    entryCounts.expired(weightBytes);
  }

  @Override
  public void dropped(long weightBytes) {
    entryCounts.dropped(weightBytes);
  }

  /** Returns what compares hits with the database, or null where nothing does. */
  public @Nullable Verification verification() {
    return verification;
  }

  /** Returns what a cache that only observes would have done, or null where it does not. */
  public @Nullable Observation observation() {
    return observed == null ? null : observed.observation();
  }

  @Nullable SharedLookups shared() {
    return shared;
  }

  ResultStore store() {
    return store;
  }

  PlanCache plans() {
    return plans;
  }

  ShapeStatistics retired() {
    return retired;
  }

  /** Notes that a statement is about to be sent that may write anything. */
  public void sendingUnknownWrite(Plan plan, SessionFingerprint session) {
    undeclared.sending(plan, session);
  }

  BypassCounts bypassCounts() {
    return bypassCounts;
  }

  EntryCounts entryCounts() {
    return entryCounts;
  }
}
