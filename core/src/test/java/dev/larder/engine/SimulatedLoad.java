package dev.larder.engine;

import dev.larder.bypass.BypassReason;
import dev.larder.engine.ShapeStatistics.Count;
import dev.larder.lexer.LexOptions;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntSupplier;

/**
 * Executions of one shape on a clock that only they move, with a store that has room for all. An
 * entry is outdated once its key was written.
 */
final class SimulatedLoad {
  private static final long SECOND = 1_000_000_000;

  final Plan plan;
  final ShapePlan shape;
  final Admissions admissions;
  int changes;
  long hits;
  long bypasses;
  long calls;
  long costNanos = 5_000;
  long bytes = 600;

  private final Map<Integer, Integer> store = new HashMap<>();
  private final Map<Integer, Integer> versions = new HashMap<>();
  private long now = 17 * SECOND;
  private boolean probed;

  SimulatedLoad(String sql, int processors) {
    PlanCache plans = new PlanCache(new ShapeStatistics());
    this.plan = plans.plan(sql, LexOptions.PREPARED);
    this.shape = plan.shape();
    this.admissions = new Admissions(true, () -> now, processors);
  }

  /** Begins to count anew. */
  void reset() {
    hits = 0;
    bypasses = 0;
    calls = 0;
    changes = 0;
  }

  double hitRatio() {
    return (double) hits / calls;
  }

  double bypassRatio() {
    return (double) bypasses / calls;
  }

  boolean isProbed() {
    return shape.textBypass() == BypassReason.NO_PROFIT;
  }

  void write(int key) {
    versions.merge(key, 1, Integer::sum);
  }

  /** Runs executions of {@code keys} for some seconds, each {@code databaseNanos} at the server. */
  void run(double seconds, int perSecond, long databaseNanos, IntSupplier keys) {
    long step = SECOND / perSecond;
    long end = now + (long) (seconds * SECOND);
    while (now < end) {
      now += step;
      execute(keys.getAsInt(), databaseNanos);
      if (isProbed() != probed) {
        probed = isProbed();
        changes++;
      }
    }
  }

  /** Lets time pass. */
  void pause(double seconds) {
    now += (long) (seconds * SECOND);
  }

  private void execute(int key, long databaseNanos) {
    calls++;
    if (isProbed() && !admissions.probes(shape, plan, new Object[] {key})) {
      bypasses++;
      shape.statistics().bypass(BypassReason.NO_PROFIT);
      admissions.ran(databaseNanos);
      return;
    }
    int version = versions.getOrDefault(key, 0);
    Integer kept = store.put(key, version);
    if (kept != null && kept == version) {
      hits++;
      shape.statistics().hit();
      return;
    }
    shape.statistics().miss();
    shape.statistics().add(Count.DATABASE_NANOS, databaseNanos);
    shape.statistics().add(Count.KEPT_BYTES, bytes);
    admissions.missed(shape, databaseNanos, now, costNanos);
  }
}
