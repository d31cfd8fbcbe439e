package dev.larder.engine;

import dev.larder.CacheOptions;
import dev.larder.QueryCacheConfig;
import dev.larder.lexer.QueryHints;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Admission by profit in one cache: what the {@link Admission} of each of its shapes needs to know
 * of the others. Thread-safe.
 */
public final class Admissions {
  /** A hit that takes longer is slow: a database may be faster. */
  public static final long SLOW_HIT_NANOS = 500_000;

  /** How often it is found out how busy the database is, at most. */
  private static final long SPAN_NANOS = 50_000_000;

  /** Which part of what was found out before still counts. */
  private static final double KEPT = 0.95;

  private final boolean byProfit;
  private final boolean shared;
  private final LongSupplier clock;
  private final int processors;
  private final SeenKeys seenKeys = new SeenKeys();
  private final LongAdder busyNanos = new LongAdder();

  private volatile long since;

  /** The busy time of each span, the last ones most. Guarded by this. */
  private double weights;

  /** The executions at a time of each span, times its weight. Guarded by this. */
  private double sum;

  private volatile double crowding = 1;

  /** Creates the admissions of a cache. */
  Admissions(QueryCacheConfig config) {
    this(
        config.get(CacheOptions.ADMISSION) == QueryCacheConfig.Admission.PROFIT
            && config.get(CacheOptions.MODE) != QueryCacheConfig.Mode.OBSERVE,
        config.remote().isPresent(),
        System::nanoTime,
        Runtime.getRuntime().availableProcessors());
  }

  /**
   * Creates the admissions of a cache.
   *
   * @param byProfit whether shapes may be left alone that do not pay
   * @param shared whether a miss asks another process, too
   * @param clock nanoseconds, as {@link System#nanoTime}
   * @param processors how many there are
   */
  Admissions(boolean byProfit, boolean shared, LongSupplier clock, int processors) {
    this.byProfit = byProfit;
    this.shared = shared;
    this.clock = clock;
    this.processors = processors;
    this.since = clock.getAsLong();
  }

  long now() {
    return clock.getAsLong();
  }

  /** Returns whether a miss asks another process, too. */
  boolean shared() {
    return shared;
  }

  SeenKeys seenKeys() {
    return seenKeys;
  }

  /** Notes for how long statements were at the database. */
  void ran(long databaseNanos) {
    busyNanos.add(databaseNanos);
  }

  /**
   * Returns how many executions at a time there are for each processor, at least 1, as one of them
   * finds it: times in which nothing runs do not count. Where there are more than processors, most
   * of the time of each is waiting for the others: a hit then saves the others that wait, but not
   * the whole of its own time. So times are divided by this.
   */
  double crowding() {
    return crowding;
  }

  private void measureIfDue(long now) {
    if (now - since >= SPAN_NANOS) {
      measure(now);
    }
  }

  private synchronized void measure(long now) {
    long elapsed = now - since;
    if (elapsed < SPAN_NANOS) {
      return; // Another thread was faster.
    }
    double busy = busyNanos.sumThenReset();
    since = now;
    weights = KEPT * weights + busy;
    sum = KEPT * sum + busy * busy / elapsed;
    crowding = weights == 0 ? 1 : Math.max(1, sum / weights / processors);
  }

  /**
   * Ends a miss.
   *
   * @param databaseNanos how long the statement ran
   * @param now when it had answered
   * @param costNanos how long it took to look it up in vain and to keep its result; negative where
   *     that was not taken
   */
  public void missed(ShapePlan shape, long databaseNanos, long now, long costNanos) {
    if (byProfit) {
      ran(databaseNanos);
      measureIfDue(now);
      Admission admission = of(shape);
      if (admission != null) {
        admission.missed(now, costNanos);
      }
    }
  }

  /** Notes how long a hit took. */
  public void hit(ShapePlan shape, long nanos) {
    Admission admission = shape.admission();
    if (admission != null) {
      admission.hit(nanos);
    }
  }

  /** Notes how long a hit took of a result that other JVMs share, of which all may be hits. */
  public void remoteHit(ShapePlan shape, long nanos) {
    if (byProfit) {
      long now = now();
      measureIfDue(now); // Where all is hit there is no miss that would.
      Admission admission = of(shape);
      if (admission != null) {
        admission.remoteHit(now, nanos);
      }
    }
  }

  /**
   * Notes how long an execution took at the database that was not looked up.
   *
   * @param weight for how many it stands
   */
  void bypassed(ShapePlan shape, long databaseNanos, int weight) {
    ran(weight * databaseNanos);
    long now = now();
    measureIfDue(now);
    Admission admission = shape.isProbed() ? shape.admission() : null;
    if (admission != null) {
      admission.bypassed(databaseNanos, now);
    }
  }

  /** Returns whether each bypass of a shape is to be timed. */
  boolean isTrying(ShapePlan shape) {
    Admission admission = shape.isProbed() ? shape.admission() : null;
    return admission != null && admission.isTrying();
  }

  /** Returns whether the database is to be asked for a result that other JVMs share. */
  boolean asksDatabase(ShapePlan shape) {
    Admission admission = shape.admission();
    return admission != null && admission.asksDatabase();
  }

  /** Returns the admission of a shape, or null where it is admitted whatever it earns. */
  private @Nullable Admission of(ShapePlan shape) {
    Admission known = shape.admission();
    return known != null || shape.shape().hints().caching() == QueryHints.Caching.ON
        ? known
        : shape.admission(new Admission(this, shape));
  }

  /** Returns what is shown of a shape. */
  Admission.Shown shown(ShapePlan shape) {
    Admission known = shape.admission();
    return known != null
        ? known.shown()
        : byProfit ? Admission.Shown.ADMITTED : Admission.Shown.UNKNOWN;
  }

  /** Returns whether an execution of a shape that does not pay is looked up all the same. */
  boolean probes(ShapePlan shape, Plan plan, Object[] binds) {
    Admission admission = shape.admission();
    return admission == null || admission.probes(plan.literals(), binds);
  }
}
