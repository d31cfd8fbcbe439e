package dev.larder.jdbc.caching;

import dev.larder.CacheOptions;
import dev.larder.engine.CacheLog;
import dev.larder.engine.Lookup;
import dev.larder.engine.Plan;
import dev.larder.engine.QueryCache;
import dev.larder.engine.Verification;
import dev.larder.jdbc.postgresql.ComparedResults;
import dev.larder.jdbc.postgresql.PostgresResults;
import dev.larder.result.CachedResult;
import dev.larder.result.ResultColumns;
import dev.larder.result.ResultComparison;
import dev.larder.result.ResultLimits;
import dev.larder.sql.BypassReason;
import dev.larder.sql.StatementKind;
import dev.larder.store.SessionFingerprint;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * The read and the write path: asks the engine, and acts on its answer. A query is answered from
 * memory, or runs and is kept; everything else runs between its announce and its publish. Confined
 * to the thread that uses the connection.
 */
final class StatementExecution {
  private final PhysicalConnection physical;
  private final QueryCache cache;
  private final ResultLimits limits;
  private final FormatOfResults formats;

  StatementExecution(PhysicalConnection physical) {
    this.physical = physical;
    this.cache = physical.cache();
    this.formats = new FormatOfResults(physical.session().formats());
    this.limits =
        new ResultLimits(
            cache.config().get(CacheOptions.MAX_RESULT_BYTES),
            cache.config().find(CacheOptions.MAX_RESULT_ROWS).orElse(Long.MAX_VALUE));
  }

  /**
   * Decides about one execution. What a miss captures is captured here, so that nothing may be sent
   * before.
   *
   * @param binds the bind values as parts of a key, or null where they cannot be
   * @return null where the engine has no part in it
   */
  @Nullable Lookup lookup(CachingStatement statement, Plan plan, Object @Nullable [] binds)
      throws SQLException {
    if (plan.kind() != StatementKind.QUERY || physical.mayBeReadOtherwise(plan)) {
      return null;
    }
    Lookup lookup = decide(statement, plan, binds, formats.foretell(statement, plan));
    return lookup instanceof Lookup.Hit hit && formats.isNewTo(plan, hit.result().columns())
        ? decide(statement, plan, binds, formats.foretell(statement, plan))
        : lookup;
  }

  /** Returns how much one result may weigh. */
  long maxResultBytes() {
    return limits.maxResultBytes();
  }

  /** Returns the driver's result set of a hit. */
  ResultSet replay(CachingStatement statement, Lookup.Hit hit) throws SQLException {
    HitListeners.hit(cache);
    return statement.replay(hit.result());
  }

  /**
   * Runs a statement that is no hit, and keeps its result where that is allowed.
   *
   * @param lookup what was decided
   * @param run sends the statement
   * @param live finds the live result set in what {@code run} returned
   */
  <T> T run(
      CachingStatement statement,
      Plan plan,
      @Nullable Lookup lookup,
      SqlCall<T> run,
      LiveResult<T> live)
      throws SQLException {
    if (!(lookup instanceof Lookup.Miss miss)) {
      return runUntimed(statement, plan, lookup, run);
    }
    long start = System.nanoTime();
    T answer = sendAlone(statement, plan, run);
    long databaseNanos = System.nanoTime() - start;
    statement.captured(keep(statement, plan, miss, live.of(answer), databaseNanos));
    return answer;
  }

  /** Runs a statement whose result is not kept, and whose time is mostly not taken. */
  private <T> T runUntimed(
      CachingStatement statement, Plan plan, @Nullable Lookup lookup, SqlCall<T> run)
      throws SQLException {
    if (lookup instanceof Lookup.Bypass bypass) {
      return runBypass(statement, plan, bypass, run);
    }
    T answer = sendAlone(statement, plan, run);
    if (lookup instanceof Lookup.Uncaptured miss && physical.overlap().wasAlone(statement.turn())) {
      cache.admissions().ran(plan, miss);
    }
    return answer;
  }

  private <T> T runBypass(
      CachingStatement statement, Plan plan, Lookup.Bypass bypass, SqlCall<T> run)
      throws SQLException {
    int weight = cache.timingWeight(bypass);
    if (weight == 0) {
      return sendAlone(statement, plan, run);
    }
    long start = System.nanoTime();
    T answer = sendAlone(statement, plan, run);
    cache.bypassed(bypass, weight * (System.nanoTime() - start));
    return answer;
  }

  /** Runs a statement of {@code statement} that returns no result set, but keys perhaps. */
  <T> T update(CachingStatement statement, Plan plan, SqlCall<T> run) throws SQLException {
    return sendAlone(statement, plan, run);
  }

  private <T> T sendAlone(CachingStatement statement, Plan plan, SqlCall<T> run)
      throws SQLException {
    Effects effects = effects(plan);
    SqlCall<T> sent = formats.asForetold(statement, plan, run);
    SqlCall<T> counting = physical.counting(effects, statement, sent);
    T answer = physical.sendAlone(effects, counting, statement.allAtOnce(counting));
    if (effects.changesSettings() && statement.hasMoreAtServer()) {
      physical.state().tracker().cursorMaySet();
    }
    return answer;
  }

  /** Runs something that is no statement of the application's, or is not known to be only one. */
  <T extends @Nullable Object> T send(Plan plan, SqlCall<T> run) throws SQLException {
    return physical.send(effects(plan), run);
  }

  private Effects effects(Plan plan) throws SQLException {
    Effects effects = physical.effects(plan);
    SessionFingerprint session = effects.writes().unknown() ? physical.state().fingerprint() : null;
    if (session != null) {
      cache.sendingUnknownWrite(plan, session);
    }
    return effects;
  }

  private @Nullable Lookup decide(
      CachingStatement statement, Plan plan, Object @Nullable [] binds, boolean binary)
      throws SQLException {
    try {
      BypassReason reason = statement.bypass(binds);
      if (reason == null) {
        reason = cache.textBypass(plan);
      }
      if (reason == null) {
        reason = physical.doesAnything(plan);
      }
      if (reason != null || binds == null) {
        return reason == null ? null : cache.bypass(plan, reason);
      }
      statement.lookedUp(physical.overlap().turn());
      SessionAtLookup session = physical.beforeLookup();
      long options = FormatOfResults.keyOptions(statement, binary);
      Lookup lookup = cache.lookup(plan, binds, options, session);
      if (lookup instanceof Lookup.Hit) {
        session.hit();
      } else if (physical.transaction().isSerializableByDefault()) {
        cache.serializableByDefault();
      }
      return lookup;
    } catch (RuntimeException e) {
      CacheLog.trouble(CacheLog.Trouble.INTERNAL, "looking a statement up", e);
      return null;
    }
  }

  /** Keeps the result where that is allowed; returns whether its rows are now shared. */
  private boolean keep(
      CachingStatement statement,
      Plan plan,
      Lookup.Miss miss,
      @Nullable ResultSet live,
      long databaseNanos) {
    BypassReason refusal = null;
    try {
      if (live != null && miss.isAdmissible() && physical.overlap().wasAlone(statement.turn())) {
        boolean warned = statement.hasWarnings();
        ResultColumns likely = plan.shape().lastColumns();
        CachedResult captured = warned ? null : PostgresResults.capture(live, limits, likely);
        if (captured != null && formats.isAsForetold(plan, miss, captured.columns())) {
          return admit(statement, plan, miss, captured, databaseNanos);
        }
        if (captured == null) {
          refusal = warned ? BypassReason.WARNINGS : PostgresResults.refusal(live, limits);
        }
      }
    } catch (SQLException | RuntimeException e) {
      CacheLog.trouble(CacheLog.Trouble.INTERNAL, "capturing a result", e);
    }
    cache.admissions().reject(plan, miss, refusal, databaseNanos);
    return false;
  }

  /** Keeps a result, or compares it with what was expected; returns whether it is now shared. */
  private boolean admit(
      CachingStatement statement,
      Plan plan,
      Lookup.Miss miss,
      CachedResult captured,
      long databaseNanos)
      throws SQLException {
    Lookup.Expected expected = miss.expected();
    Verification verification = cache.verification();
    if (expected == null || verification == null) {
      cache.admissions().admit(plan, miss, captured, databaseNanos);
      return true;
    }
    if (!verification.mayCompare(miss)) {
      cache.admissions().reject(plan, miss, null, databaseNanos);
      return false;
    }
    CachedResult known = expected.result();
    if (known == null) {
      cache.admissions().renew(plan, miss, captured, databaseNanos);
      return true;
    }
    ResultComparison comparison =
        ComparedResults.compare(
            known,
            captured,
            () -> verification.repeatability(plan, miss),
            statement.connection.replay());
    boolean wrong = verification.compared(plan, miss, expected, comparison, databaseNanos);
    // In another format it would have to be decoded each time that it is compared.
    boolean replaced =
        wrong
            || (comparison.outcome() == ResultComparison.Outcome.SAME
                && !captured.columns().equals(known.columns()));
    if (replaced) {
      cache.admissions().replace(miss, captured);
    }
    return replaced;
  }

  /** Finds the live result set of a run. */
  @FunctionalInterface
  interface LiveResult<T> {
    @Nullable ResultSet of(T answer) throws SQLException;
  }
}
