package dev.larder.jdbc.statement;

import dev.larder.engine.Lookup;
import dev.larder.engine.Plan;
import dev.larder.engine.QueryCache;
import dev.larder.engine.Verification;
import dev.larder.jdbc.connection.PhysicalConnection;
import dev.larder.jdbc.connection.SqlCall;
import dev.larder.jdbc.effects.Effects;
import dev.larder.jdbc.replay.ComparedResults;
import dev.larder.jdbc.replay.ReplayStatements;
import dev.larder.log.CacheLog;
import dev.larder.result.CachedResult;
import dev.larder.result.ResultComparison;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * Runs what is neither hit nor kept, but measured: hits that the database answers, too, executions
 * of a cache that only observes, and a share of the bypasses. Confined to the thread that uses the
 * connection.
 */
final class MeasuredExecution {
  private final PhysicalConnection physical;
  private final QueryCache cache;
  private final StatementPipeline pipeline;
  private final ProvenReads proven;

  MeasuredExecution(PhysicalConnection physical, StatementPipeline pipeline, ProvenReads proven) {
    this.proven = proven;
    this.physical = physical;
    this.cache = physical.cache();
    this.pipeline = pipeline;
  }

  /** As {@link StatementPipeline#run}, for anything but a hit and a miss. */
  <T> T run(
      CachingStatement statement,
      Plan plan,
      Object[] binds,
      Lookup lookup,
      SqlCall<T> run,
      LiveResult<T> live)
      throws SQLException {
    if (lookup instanceof Lookup.Bypass bypass) {
      return runBypass(statement, plan, binds, bypass, run);
    }
    if (lookup instanceof Lookup.Checked checked) {
      return runChecked(statement, plan, checked, run, live);
    }
    T answer = pipeline.send(statement, plan, binds, run);
    if (lookup instanceof Lookup.Uncaptured miss && physical.overlap().wasAlone(statement.turn)) {
      cache.verification().ran(plan, miss);
    }
    return answer;
  }

  private <T> T runBypass(
      CachingStatement statement, Plan plan, Object[] binds, Lookup.Bypass bypass, SqlCall<T> run)
      throws SQLException {
    int weight = cache.timingWeight(plan, bypass);
    if (weight == 0) {
      return pipeline.send(statement, plan, binds, run);
    }
    long start = System.nanoTime();
    T answer = pipeline.send(statement, plan, binds, run);
    cache.bypassed(plan, bypass, System.nanoTime() - start, weight);
    return answer;
  }

  private <T> T runChecked(
      CachingStatement statement,
      Plan plan,
      Lookup.Checked checked,
      SqlCall<T> run,
      LiveResult<T> live)
      throws SQLException {
    long start = System.nanoTime();
    Effects effects = physical.effects().of(plan, checked.miss().resolution());
    T answer = proven.send(statement, plan, effects, checked.miss(), run);
    long databaseNanos = System.nanoTime() - start;
    ResultSet rows = proven.isSo() ? live.of(answer) : null;
    statement.captured(settle(statement, plan, checked, rows, databaseNanos));
    return answer;
  }

  /**
   * Compares and keeps the result where that is allowed; returns whether its rows are now shared.
   */
  private boolean settle(
      CachingStatement statement,
      Plan plan,
      Lookup.Checked checked,
      @Nullable ResultSet live,
      long databaseNanos) {
    Captured captured = pipeline.capture.of(statement, plan, checked.miss(), live);
    CachedResult answer = captured.result();
    Lookup.Expected expected = checked.expected();
    Verification verification = cache.verification();
    try {
      if (answer == null
          || (expected != null && !verification.mayCompare(checked.miss(), expected))) {
        verification.notCompared(plan, checked, captured.refusal(), databaseNanos);
        return false;
      }
      if (expected == null) {
        long weighted = checked.weight() * databaseNanos;
        cache.misses().admit(plan, checked.miss(), answer, weighted);
        return true;
      }
      return settle(plan, checked, expected, answer, statement.connection.replay(), databaseNanos);
    } catch (SQLException | RuntimeException e) {
      CacheLog.trouble(CacheLog.Trouble.INTERNAL, "comparing a result", e);
      verification.notCompared(plan, checked, null, databaseNanos);
      return false;
    }
  }

  private boolean settle(
      Plan plan,
      Lookup.Checked checked,
      Lookup.Expected expected,
      CachedResult answer,
      ReplayStatements replay,
      long databaseNanos)
      throws SQLException {
    Verification verification = cache.verification();
    CachedResult known = expected.result();
    if (known == null) {
      verification.renew(plan, checked, expected, answer, databaseNanos);
      return true;
    }
    ResultComparison comparison =
        ComparedResults.compare(
            known, answer, () -> verification.repeatability(plan, checked.miss()), replay);
    return verification.compared(plan, checked, expected, answer, comparison, databaseNanos);
  }
}
