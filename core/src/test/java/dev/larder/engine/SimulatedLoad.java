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

  /** How often it is seen whether the shape is admitted: a look takes longer than an execution. */
  private static final long LOOK_NANOS = SECOND / 100;

  final Plan plan;
  final ShapePlan shape;
  final Admissions admissions;
  int changes;
  long hits;
  long bypasses;
  long calls;
  long costNanos = 5_000;

  /** How long a hit of a shared result takes; 0 for a cache in one JVM. */
  long remoteNanos;

  /** How long a single execution takes at the database, among hits; 0 for as long as many do. */
  long seldomNanos;

  /** Whether it is not the application that executes. */
  boolean inBackground;

  long bytes = 600;

  private final Map<Integer, Integer> store = new HashMap<>();
  private final Map<Integer, Integer> versions = new HashMap<>();
  private long now = 17 * SECOND;
  private boolean probed;

  SimulatedLoad(String sql, int processors) {
    this(sql, processors, false);
  }

  /** Creates a load of results that other JVMs share, if {@code shared}. */
  SimulatedLoad(String sql, int processors, boolean shared) {
    PlanCache plans = new PlanCache(new ShapeStatistics());
    this.plan = plans.plan(sql, LexOptions.PREPARED);
    this.shape = plan.shape();
    this.admissions = new Admissions(true, shared, () -> now, processors);
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

  /** Returns whether the shape is given up; a trial does not count. */
  boolean isProbed() {
    return isLeftAlone() && "probed".equals(admissions.shown(shape).state());
  }

  private boolean isLeftAlone() {
    return shape.textBypass() == BypassReason.NO_PROFIT;
  }

  void write(int key) {
    versions.merge(key, 1, Integer::sum);
  }

  /** Runs executions of {@code keys} for some seconds, each {@code databaseNanos} at the server. */
  void run(double seconds, int perSecond, long databaseNanos, IntSupplier keys) {
    long step = SECOND / perSecond;
    long end = now + (long) (seconds * SECOND);
    long look = now;
    while (now < end) {
      now += step;
      execute(keys.getAsInt(), databaseNanos);
      if (now >= look) {
        look = now + LOOK_NANOS;
        countChange();
      }
    }
    countChange();
  }

  private void countChange() {
    boolean present = isProbed();
    changes += present == probed ? 0 : 1;
    probed = present;
  }

  /** Has another JVM share the results of so many keys. */
  void share(int keys) {
    for (int key = 0; key < keys; key++) {
      store.put(key, versions.getOrDefault(key, 0));
    }
  }

  /** Lets time pass. */
  void pause(double seconds) {
    now += (long) (seconds * SECOND);
  }

  private void execute(int key, long databaseNanos) {
    calls++;
    if (isLeftAlone() && !admissions.probes(shape, plan, new Object[] {key})) {
      bypasses++;
      shape.statistics().bypass(BypassReason.NO_PROFIT);
      admissions.bypassed(shape, databaseNanos, 1);
      return;
    }
    int version = versions.getOrDefault(key, 0);
    Integer kept = store.put(key, version);
    if (kept != null && kept == version && !admissions.asksDatabase(shape)) {
      hits++;
      shape.statistics().hit();
      if (remoteNanos > 0) {
        admissions.remoteHit(shape, remoteNanos);
      }
      return;
    }
    long nanos = seldomNanos > 0 ? seldomNanos : databaseNanos;
    shape.statistics().miss();
    shape.statistics().add(Count.BACKGROUND, inBackground ? 1 : 0);
    shape.statistics().add(Count.DATABASE_NANOS, nanos);
    shape.statistics().add(Count.KEPT_BYTES, bytes);
    admissions.missed(shape, nanos, now, costNanos);
  }
}
