package dev.larder.jdbc.statement;

import dev.larder.CacheOptions;
import dev.larder.bypass.BypassReason;
import dev.larder.catalog.CatalogVersion;
import dev.larder.engine.FollowedSession;
import dev.larder.engine.Lookup;
import dev.larder.engine.Plan;
import dev.larder.engine.QueryCache;
import dev.larder.engine.ShapePlan;
import dev.larder.jdbc.connection.BackgroundConnection;
import dev.larder.jdbc.connection.PhysicalConnection;
import dev.larder.jdbc.connection.Sender;
import dev.larder.jdbc.connection.SqlCall;
import dev.larder.jdbc.effects.Effects;
import dev.larder.jdbc.effects.StatementKinds;
import dev.larder.jdbc.format.ResultFormats;
import dev.larder.log.CacheLog;
import dev.larder.result.ResultLimits;
import dev.larder.sql.StatementKind;
import dev.larder.store.SessionFingerprint;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The way of a statement, from top to bottom: the engine <b>decides</b>; a hit is <b>answered</b>
 * by the statement. Anything else is <b>sent</b> between its announce and its publish, which is
 * where it <b>settles</b>; and the result of a miss is <b>kept</b>. Confined to the thread that
 * uses the connection.
 */
final class StatementPipeline {
  private final PhysicalConnection physical;
  private final QueryCache cache;
  private final Sender sender;
  private final ResultLimits limits;
  private final boolean shares;
  private final FormatOfResults formats;
  private final MeasuredExecution measured;
  private final Waits waits;
  private final ProvenReads proven;
  private final MissCost cost;
  final ResultCapture capture;

  StatementPipeline(PhysicalConnection physical) {
    this.physical = physical;
    this.cache = physical.cache();
    this.sender = physical.sender();
    this.shares = cache.config().remote().isPresent();
    this.formats = new FormatOfResults(physical.session().formats(), shares);
    this.limits =
        new ResultLimits(
            cache.config().get(CacheOptions.MAX_RESULT_BYTES),
            cache.config().find(CacheOptions.MAX_RESULT_ROWS).orElse(Long.MAX_VALUE));
    this.proven = new ProvenReads(physical, this, formats);
    this.measured = new MeasuredExecution(physical, this, proven);
    this.waits = new Waits(physical, this);
    this.capture = new ResultCapture(physical, limits, formats);
    this.cost = new MissCost(cache.admissions(), shares);
  }

  /** Returns how large a result may be. */
  ResultLimits limits() {
    return limits;
  }

  /** Returns what lets misses wait for each other. */
  Waits waits() {
    return waits;
  }

  // ---- decide

  /**
   * Begins an execution that may be a hit, and decides about it. What a miss captures is captured
   * here, so that nothing may be sent before.
   *
   * @param binds the bind values as parts of a key, unless the statement refuses them
   * @return null where the engine has no part in it
   * @throws SQLException as the driver, or if the statement was cancelled while it waited for
   *     another execution of the same query
   */
  @Nullable Lookup decide(CachingStatement statement, Plan plan, Object[] binds)
      throws SQLException {
    statement.beforeExecution();
    ShapePlan shape = plan.shape();
    if (shape.kind() != StatementKind.QUERY
        || (plan.hasBackslashes() && physical.mayBeReadOtherwise(plan))) {
      return null;
    }
    try {
      long start = cost.isDue || (shares && shape.isProbed()) ? System.nanoTime() : 0;
      Lookup lookup = lookup(statement, plan, binds);
      if (start != 0) {
        cost.lookedUp(shape, lookup, System.nanoTime() - start);
      } else if (shares && lookup instanceof Lookup.Hit) {
        cost.remoteHit();
      }
      if (lookup instanceof Lookup.Hit hit) {
        return (shares || !shape.isResultSeen()) && formats.isNewTo(shape, hit.result().columns())
            ? lookup(statement, plan, binds)
            : lookup;
      }
      return lookup instanceof Lookup.Miss miss
          ? waits.leadOrWait(statement, plan, binds, miss)
          : lookup;
    } catch (RuntimeException e) {
      CacheLog.trouble(CacheLog.Trouble.INTERNAL, "looking a statement up", e);
      return null;
    }
  }

  Lookup lookup(CachingStatement statement, Plan plan, Object[] binds) throws SQLException {
    boolean binary = plan.shape().dependsOnFormat() && formats.foretell(statement, plan);
    BypassReason refusal = statement.refusal(binds);
    if (refusal != null) {
      return cache.bypass(plan.shape(), refusal);
    }
    Set<Long> types = statement.declaredTypes(binds);
    if (!types.isEmpty() && mayRunAnything(types)) {
      return cache.bypass(plan.shape(), BypassReason.OPERATOR);
    }
    statement.turn = physical.overlap().turn();
    StatementExtras extras = statement.extrasIfAny();
    long options = (extras == null ? 0 : extras.maxRows) | (binary ? ResultFormats.BINARY : 0);
    Lookup lookup = cache.lookup(plan, binds, options, physical.view());
    if (lookup instanceof Lookup.Unsettled unsettled) {
      BypassReason reason = physical.settle(plan, unsettled);
      lookup = reason == null ? cache.lookup(plan, binds, options, physical.view()) : lookup;
      if (lookup instanceof Lookup.Unsettled) {
        lookup =
            cache.bypass(plan.shape(), reason == null ? BypassReason.UNKNOWN_SETTINGS : reason);
      }
    }
    if (physical.isInBlock() || !(lookup instanceof Lookup.Hit)) {
      physical.lookedUp(lookup);
    }
    return lookup;
  }

  /**
   * Returns whether to make values of these types of users, or to compare them, may run anything.
   */
  private boolean mayRunAnything(Set<Long> types) {
    CatalogVersion catalog = cache.database().catalog().current();
    return catalog == null || !catalog.areQuiet(types);
  }

  // ---- send and settle

  /**
   * Runs a statement that is no hit, and keeps its result where that is allowed.
   *
   * @param binds the values of its parameters
   * @param lookup what was decided
   * @param run sends the statement
   * @param live finds the live result set in what {@code run} returned
   */
  <T> T run(
      CachingStatement statement,
      Plan plan,
      Object[] binds,
      @Nullable Lookup lookup,
      SqlCall<T> run,
      LiveResult<T> live)
      throws SQLException {
    if (physical.further().areOfBackground()) {
      BackgroundConnection.check(lookup);
    }
    if (lookup == null) {
      return send(statement, plan, binds, run);
    }
    statement.turn = sender.held().sendBefore(statement.turn);
    SqlCall<T> inTime = statement.inTimeLeft(run);
    if (lookup instanceof Lookup.Miss miss) {
      return runMiss(statement, plan, miss, inTime, live);
    }
    if (!(lookup instanceof Lookup.Leading leading)) {
      return measured.run(statement, plan, binds, lookup, inTime, live);
    }
    return runLeading(statement, plan, leading, inTime, live);
  }

  private <T> T runLeading(
      CachingStatement statement,
      Plan plan,
      Lookup.Leading leading,
      SqlCall<T> run,
      LiveResult<T> live)
      throws SQLException {
    boolean answered = false;
    try {
      T answer = runMiss(statement, plan, leading.miss(), run, live);
      answered = true;
      return answer;
    } finally {
      leading.flight().end(answered);
    }
  }

  private <T> T runMiss(
      CachingStatement statement, Plan plan, Lookup.Miss miss, SqlCall<T> run, LiveResult<T> live)
      throws SQLException {
    if (physical.further().areOfBackground()) {
      cache.misses().inBackground(plan); // Its reads are not kept: to it nothing outdated is a hit.
    } else if (miss.resolution().stalenessNanos() > 0) {
      physical.reads().begin();
    }
    // What was looked up was resolved, and means the same unless another thread has sent something.
    Effects effects =
        physical.overlap().turn() == statement.turn
            ? physical.effects().of(plan, miss.resolution())
            : effects(plan, statement.declaredTypes(miss.key().binds()));
    long start = System.nanoTime();
    T answer = proven.send(statement, plan, effects, miss, run);
    long end = System.nanoTime();
    ResultSet rows = proven.isSo() ? live.of(answer) : null;
    statement.captured(keep(statement, plan, miss, rows, end - start));
    cost.missed(plan.shape(), end - start, end);
    return answer;
  }

  /** Sends a statement of the application's between its announce and its publish. */
  <T> T send(CachingStatement statement, Plan plan, @Nullable Object[] binds, SqlCall<T> run)
      throws SQLException {
    return send(statement, plan, binds, effects(plan, statement.declaredTypes(binds)), run);
  }

  /** As the other, with effects that are known. */
  <T> T send(
      CachingStatement statement,
      Plan plan,
      @Nullable Object[] binds,
      Effects found,
      SqlCall<T> run)
      throws SQLException {
    Effects effects = found.ofExecution(plan, binds);
    boolean rows = plan.shape().kind() == StatementKind.QUERY || plan.shape().dependsOnFormat();
    SqlCall<T> sent = rows ? formats.asUsual(statement, plan, run) : run;
    T answer =
        shares && sender.needsBlock(effects)
            ? sender.sendInBlock(effects, statement.allAtOnce(sent), statement)
            : sender.send(effects, sent, statement);
    FollowedSession followed = physical.followed();
    if (followed != null) {
      followed.answered();
    }
    if (effects.settings().untold() && statement.hasMoreAtServer()) {
      physical.state().tracker().cursorMaySet();
    }
    if (binds.length > 0 && !statement.wasSentWith(binds)) {
      sentAnything();
    }
    return answer;
  }

  /** Another thread has set other values than those of which the effects are known. */
  private void sentAnything() throws SQLException {
    long catalogVersion = cache.database().catalog().version();
    sender.send(Effects.unknown(StatementKinds.NONE, catalogVersion), SqlCall.of(() -> {}));
  }

  /**
   * Sends something that is no statement of the application's, or is not known to be only one.
   *
   * @param parameterTypes the types of users that parameters are declared to be of
   */
  <T extends @Nullable Object> T send(Plan plan, Set<Long> parameterTypes, SqlCall<T> run)
      throws SQLException {
    return sender.send(effects(plan, parameterTypes), run);
  }

  /**
   * Sends a batch of statements of the application's.
   *
   * @param binds the values of each, or none where they are not known
   */
  <T> T send(
      CachingStatement statement,
      List<Plan> batch,
      List<@Nullable Object[]> binds,
      Set<Long> parameterTypes,
      SqlCall<T> run)
      throws SQLException {
    Effects effects = physical.effects().of(batch, binds);
    return sender.send(with(parameterTypes, effects), run, statement);
  }

  /** The server makes values of parameters before it runs a statement. */
  private Effects effects(Plan plan, Set<Long> parameterTypes) throws SQLException {
    Effects effects = physical.effects().of(plan, true);
    SessionFingerprint session =
        effects.writes().unknown() ? physical.state().tracker().current() : null;
    if (session != null) {
      cache.sendingUnknownWrite(plan, session);
    }
    return parameterTypes.isEmpty() ? effects : with(parameterTypes, effects);
  }

  private Effects with(Set<Long> parameterTypes, Effects effects) {
    return mayRunAnything(parameterTypes) ? effects.withAnyRoutine() : effects;
  }

  // ---- keep

  /** Keeps the result where that is allowed; returns whether its rows are now shared. */
  private boolean keep(
      CachingStatement statement,
      Plan plan,
      Lookup.Miss miss,
      @Nullable ResultSet live,
      long databaseNanos) {
    Captured captured = capture.of(statement, plan, miss, live);
    if (captured.result() == null) {
      cache.misses().reject(plan, miss, captured.refusal(), databaseNanos);
      return false;
    }
    cache.misses().admit(plan, miss, captured.result(), databaseNanos);
    return true;
  }
}
