package dev.larder.jdbc.lazy;

import dev.larder.CacheOptions;
import dev.larder.catalog.CatalogVersion;
import dev.larder.engine.Database;
import dev.larder.engine.Plan;
import dev.larder.engine.QueryCache;
import dev.larder.engine.Resolution;
import dev.larder.engine.SessionView;
import dev.larder.engine.ShapePlan;
import dev.larder.engine.TransactionView;
import dev.larder.jdbc.effects.LocalSettings;
import dev.larder.jdbc.effects.SettingChanges;
import dev.larder.jdbc.replay.ReplayStatements;
import dev.larder.jdbc.statement.UnpooledResults;
import dev.larder.lexer.LexOptions;
import dev.larder.result.CachedResult;
import dev.larder.sql.SessionCommand;
import dev.larder.sql.StatementKind;
import dev.larder.store.SessionFingerprint;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The session that all connections of a pool have, as far as they were seen. It answers hits as one
 * more connection of the pool would that was opened when it was learned. Thread-safe.
 */
final class UsualSession {
  /** So many texts are counted whose results depend on the format; then all begin anew. */
  private static final int MAX_COUNTED = 4_096;

  private final PooledSession like;
  private final QueryCache cache;
  private final Database database;
  private final SessionView view;
  private final LexOptions prepared;
  private final LexOptions plain;
  private final ReplayStatements closed;
  private final KnownDatabase known;
  private final LocalNames names;
  private final long leaseNanos;
  private final long maxResultBytes;
  private final ConcurrentMap<String, AtomicInteger> executions = new ConcurrentHashMap<>();

  /**
   * Creates the session.
   *
   * @param closed of a connection that decodes as those of the pool do, and was closed
   * @param known what they say of their database
   * @param names what their transactions set for themselves
   */
  UsualSession(PooledSession like, ReplayStatements closed, KnownDatabase known, LocalNames names) {
    this.like = like;
    this.cache = like.cache();
    this.database = cache.database();
    this.view = view(like.settings());
    this.prepared = LexOptions.of(true, like.standardStrings(), like.singleByte());
    this.plain = LexOptions.of(false, like.standardStrings(), like.singleByte());
    this.closed = closed;
    this.known = known;
    this.names = names;
    this.leaseNanos = cache.config().get(CacheOptions.LAZY_LEASE).toNanos();
    this.maxResultBytes = cache.config().get(CacheOptions.MAX_RESULT_BYTES);
  }

  /** Returns the same session in another catalog and life of the server. */
  UsualSession in(PooledSession later) {
    return new UsualSession(later, closed, known, names);
  }

  /** Returns the same session, but for settings that have since become those of transactions. */
  UsualSession withoutLocal() {
    return in(like.with(names.without(like.settings())));
  }

  PooledSession like() {
    return like;
  }

  KnownDatabase knownDatabase() {
    return known;
  }

  /** Returns what look-ups go by. */
  SessionView view() {
    return view;
  }

  private SessionView view(SessionFingerprint settings) {
    return new SessionView(
        null, settings, TransactionView.PLAIN, like.serverGeneration(), null, null, null);
  }

  Plan plan(String sql, boolean isPrepared) {
    return cache.plan(sql, isPrepared ? prepared : plain);
  }

  /**
   * Returns the result of a hit, or null: nothing was counted then.
   *
   * @param binds the bind values as parts of a key
   * @param seen {@link #view()}, or what a transaction has made of it
   */
  @Nullable CachedResult look(
      Plan plan, Object[] binds, long maxRows, boolean isPrepared, SessionView seen) {
    ShapePlan shape = plan.shape();
    if (shape.kind() != StatementKind.QUERY
        || !shape.isResultSeen()
        || (plan.hasBackslashes() && plan.standardStrings() != like.standardStrings())
        || !isValid()) {
      return null;
    }
    boolean binary = shape.dependsOnFormat() && isPrepared && isBinary(plan.sql());
    return cache
        .unpooled()
        .look(plan, binds, maxRows | (binary ? UnpooledResults.BINARY : 0), seen);
  }

  /**
   * The settings were read in this catalog; and a server that is not heard may have lost its place
   * to another.
   */
  @SuppressWarnings("ReferenceEquality") // As a connection of the pool compares them.
  private boolean isValid() {
    CatalogVersion catalog = database.catalog().current();
    if (catalog == null
        || catalog.mark() != like.catalogMark()
        || database.serverGeneration() != like.serverGeneration()) {
      return false;
    }
    if (System.nanoTime() - database.catalog().heardNanos() < leaseNanos) {
      return true;
    }
    cache.unpooled().unheard();
    return false;
  }

  /** Counts an execution, and returns whether the driver would receive its result in binary. */
  private boolean isBinary(String sql) {
    if (executions.size() > MAX_COUNTED) {
      executions.clear();
    }
    int threshold = like.binaryThreshold();
    AtomicInteger count = executions.computeIfAbsent(sql, text -> new AtomicInteger());
    return threshold > 0 && (count.get() > threshold || count.incrementAndGet() > threshold);
  }

  /** Returns the rows of a hit, or null where their getters need a connection. */
  @Nullable ResultSet rows(CachedResult result) throws SQLException {
    return closed.needNoServer(result.columns())
        ? UnpooledResults.of(cache, result, closed, like.options(), maxResultBytes)
        : null;
  }

  // ---- settings of a transaction

  /**
   * Returns what a text sets for its transaction alone, where the server is sure to accept it; or
   * null.
   */
  @Nullable SessionCommand local(Plan plan, Object[] binds) throws SQLException {
    SessionCommand command =
        LocalSettings.isOfTheForm(plan) && isValid()
            ? LocalSettings.command(plan, () -> calls(plan, binds))
            : null;
    return command != null && names.has(like, command.name()) ? command : null;
  }

  private SettingChanges calls(Plan plan, Object[] binds) {
    Resolution resolution = cache.resolutions().resolve(plan, like.settings());
    return resolution != null
            && resolution.statement().settingsTold()
            && resolution.statement().writes().isEmpty()
        ? SettingChanges.of(plan.statements().get(0).settingCalls(), plan.literals(), binds)
        : SettingChanges.UNTOLD;
  }

  /** Returns {@code seen} after {@code command}. */
  SessionView with(SessionView seen, SessionCommand command) {
    SessionFingerprint before = Objects.requireNonNull(seen.settings());
    SortedMap<String, String> settings = new TreeMap<>(before.settings());
    settings.put(command.name(), Objects.requireNonNull(command.value()));
    return view(before.with(settings));
  }

  /** Returns the row that set_config would return. */
  CachedResult row(SessionCommand command) {
    return UnpooledResults.row("set_config", Objects.requireNonNull(command.value()));
  }
}
