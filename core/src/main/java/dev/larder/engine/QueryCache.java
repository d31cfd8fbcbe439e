package dev.larder.engine;

import dev.larder.CacheOptions;
import dev.larder.QueryCacheConfig;
import dev.larder.bypass.BypassReason;
import dev.larder.catalog.CatalogVersion;
import dev.larder.lexer.LexOptions;
import dev.larder.log.CacheLog;
import dev.larder.remote.RemoteCache;
import dev.larder.store.CacheEntry;
import dev.larder.store.EntryOwner;
import dev.larder.store.QueryKey;
import dev.larder.store.ResultStore;
import dev.larder.store.SessionFingerprint;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
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
  private final UnpooledHits unpooled = new UnpooledHits(this);
  private final Counters<CacheCount> counts = new Counters<>(CacheCount.class);
  private final Set<String> warmedUp = ConcurrentHashMap.newKeySet();
  private final UndeclaredWrites undeclared = new UndeclaredWrites(this);
  private final Verification verification;
  private final Misses misses;
  private final Flights flights;
  private final Admissions admissions;
  private final LookupStrategy strategy;
  private final ClockReads clockReads = new ClockReads(this);
  private final AtomicInteger clears = new AtomicInteger();
  private final Set<CacheLog.Trouble> said = ConcurrentHashMap.newKeySet();
  private volatile boolean enabled;

  /** Null while nothing declares it. */
  volatile @Nullable Staleness staleness;

  QueryCache(Database database, QueryCacheConfig config, ResultStore store) {
    this.database = database;
    this.config = config;
    this.resolutions = new Resolutions(this);
    this.store = store;
    this.misses = new Misses(this);
    this.flights = new Flights(this);
    this.admissions = new Admissions(config);
    this.verification = LookupStrategy.verification(this);
    this.strategy = LookupStrategy.of(this, store);
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

  /** Returns what keeps its results apart from those of caches that mean others by the same key. */
  public String namespace() {
    return database.identity()
        + "/"
        + config.get(CacheOptions.NAME)
        + (isShared() ? "/shared" : "")
        + (config.isFollowing() ? "/followed" : "")
        + (observation() == null ? "/" : "/observed/");
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

  /** Returns what tells what plans mean. */
  public Resolutions resolutions() {
    return resolutions;
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
    BypassReason reason = enabled ? shape.textBypass() : BypassReason.DISABLED;
    reason = reason == null ? session.bypass() : clockReads.bypass(plan, binds, session, reason);
    if (reason != null) {
      return misses.bypass(plan, binds, options, session, reason);
    }
    SessionFingerprint settings = session.settings();
    if (settings == null) {
      return unsettled(shape);
    }
    CatalogVersion catalog = database.catalog().current();
    Resolution resolution = catalog == null ? null : resolutions.resolve(plan, settings, catalog);
    if (resolution == null) {
      return bypass(shape, BypassReason.CATALOG_LOADING);
    }
    reason = resolution.bypass();
    boolean clock =
        reason == BypassReason.TIME && clockReads.areDeclared(shape, resolution, session);
    reason = clock ? null : reason;
    if (reason == null && resolution.key().needsAny() && !resolution.settingsAreIn(settings)) {
      return new Lookup.Unsettled(resolution.key().needed());
    }
    SessionFingerprint read = settings.hasCustom() ? settings.keeping(resolution.key()) : settings;
    QueryKey key = new QueryKey(shape.shape(), read, plan.literals(), binds, options);
    reason = reason == null ? session.transaction().bypass(resolution.statement(), key) : reason;
    return reason == null
        ? (clock ? clockReads : strategy).lookup(shape, key, resolution, session)
        : misses.bypass(shape, reason, session);
  }

  /** Has what is needed ready, from now on, to use results for a while after they are outdated. */
  public void mayBeOutdated() {
    Staleness.begin(this);
  }

  /** Returns what answers hits without a connection of a pool. */
  public UnpooledHits unpooled() {
    return unpooled;
  }

  /** Returns true once for each user: whether the queries of that user are to be asked again. */
  public boolean warmsUp(String user) {
    return warmedUp.add(user);
  }

  /** Counts one more. */
  public void count(CacheCount what) {
    counts.add(what, 1);
  }

  Counters<CacheCount> counts() {
    return counts;
  }

  /** Nobody asks for settings that could not be used. */
  private Lookup unsettled(ShapePlan shape) {
    return database.catalog().current() == null
        ? bypass(shape, BypassReason.CATALOG_LOADING)
        : Lookup.Unsettled.ALL;
  }

  /** Says {@code trouble} in the log, once; {@code detail} is shown behind the cache's name. */
  public void sayOnce(CacheLog.Trouble trouble, String detail) {
    if (!said.contains(trouble) && said.add(trouble)) {
      String name = config.get(CacheOptions.NAME);
      CacheLog.always(trouble, "cache " + name + " of " + database.identity().describe() + detail);
    }
  }

  /** Counts a bypass, which may have been decided outside of {@link #lookup}. */
  public Lookup.Bypass bypass(ShapePlan shape, BypassReason reason) {
    shape.statistics().bypass(reason);
    bypassCounts.add(reason);
    return Lookup.Bypass.of(reason);
  }

  /**
   * Returns for how many bypasses the time of this one is to stand, because not all of them are
   * timed; 0 if it is not to be taken.
   */
  public int timingWeight(Plan plan, Lookup.Bypass bypass) {
    return admissions.isTrying(plan.shape()) ? 1 : bypassCounts.timingWeight(bypass.reason());
  }

  /**
   * Ends a bypass that was timed.
   *
   * @param databaseNanos how long the statement ran
   * @param weight its {@link #timingWeight}
   */
  public void bypassed(Plan plan, Lookup.Bypass bypass, long databaseNanos, int weight) {
    bypassCounts.ran(bypass.reason(), weight * databaseNanos);
    admissions.bypassed(plan.shape(), databaseNanos, weight);
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

  /** Returns what forgets a part of the results. */
  public Purges purges() {
    return purges;
  }

  /** Sets every count to zero. */
  public void resetStatistics() {
    entryCounts.resetStatistics();
    bypassCounts.reset();
    counts.reset();
    plans.shapes().forEach(shape -> shape.statistics().reset());
    retired.reset();
    verification.resetStatistics();
  }

  /** Returns the counts of all queries, those included that are forgotten. */
  ShapeStatistics statistics() {
    ShapeStatistics sum = new ShapeStatistics();
    sum.add(retired);
    plans.shapes().forEach(shape -> sum.add(shape.statistics()));
    return sum;
  }

  /** Shows the entries of this cache to {@code visitor}. */
  void forEachEntry(BiConsumer<QueryKey, CacheEntry> visitor) {
    store.forEach(this, visitor);
  }

  @Override
  public void count(Event event, long weightBytes) {
    entryCounts.count(event, weightBytes);
  }

  /** Returns what compares hits with the database. */
  public Verification verification() {
    return verification;
  }

  /** Returns what a cache that only observes would have done, or null where it does not. */
  public @Nullable Observation observation() {
    return verification instanceof Observation observed ? observed : null;
  }

  /** Returns whether results are shared with other JVMs. */
  boolean isShared() {
    return config.remote().isPresent();
  }

  /** Returns where results are shared with other JVMs, or null where they are not. */
  @Nullable RemoteCache sharedCache() {
    return isShared() ? database.remote().cache() : null;
  }

  /** Returns what captures and keeps the results of misses. */
  public Misses misses() {
    return misses;
  }

  /** Returns what lets one of several misses ask for all. */
  public Flights flights() {
    return flights;
  }

  /** Returns what decides which shapes pay. */
  public Admissions admissions() {
    return admissions;
  }

  LookupStrategy strategy() {
    return strategy;
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
