package dev.larder.engine;

import dev.larder.bypass.BypassReason;
import dev.larder.engine.ShapeStatistics.Count;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Whether the executions of one shape are looked up. It begins <b>admitted</b>. While it is, each
 * window of time is judged by its {@link Profit}; after {@value #LOSSES} losses in a row the shape
 * is only <b>probed</b>: its executions are bypasses, all but those of a few keys ({@link
 * BypassReason#NO_PROFIT}). If these earn enough, it is admitted again.
 *
 * <p>The keys fall into {@value #GROUPS} groups, by a hash of their values. Two groups are looked
 * up. One stays the same, so that keys that come again after a long time are seen to do so. The
 * other changes every {@value #TURN_NANOS} ns, so that a few keys that come often are seen before
 * long, whichever they are. To choose executions instead of keys would find no hits at all: what
 * one execution has kept, the next to be chosen would not ask for.
 *
 * <p>A window with more hits than the one before is no loss, however few they are: the cache is
 * just being filled. A shape that was admitted in vain is admitted later the next time.
 *
 * <p>A bypass is always right, so that nothing here concerns what rows are returned. Thread-safe.
 */
final class Admission {
  /** How long a window is at least. */
  static final long WINDOW_NANOS = 1_000_000_000;

  /** How many look-ups a window has at least: fewer cost nothing worth the trouble. */
  static final int WINDOW_LOOKUPS = 256;

  /** How many windows in a row end the admission. */
  static final int LOSSES = 3;

  static final int GROUPS = 128;

  /** How long the changing group stays the same. */
  static final long TURN_NANOS = 12_500_000;

  /** A window of a shape that is probed: every group has had its turn. */
  static final long PROBE_NANOS = GROUPS * TURN_NANOS;

  static final int PROBE_LOOKUPS = 16;

  private static final int FEW = 32;

  /** How long a shape that was admitted again is not judged. */
  static final long STAY_NANOS = 4_000_000_000L;

  /** A shape that does not stay longer was admitted in vain. */
  static final long VAIN_NANOS = 15_000_000_000L;

  /** How many windows in a row must be a gain, where a shape was often admitted in vain. */
  static final int MOST_GAINS = 8;

  /** How much the share of hits rises, at least, while a cache is being filled. */
  private static final double RISE = 1.05;

  private static final double LEAST_RISE = 0.002;

  /**
   * What each kept byte costs in the end, as the collector moves it. Measured: misses that kept 19
   * kB took 3 to 5 µs of processor time more than bypasses, collection included; those that kept
   * 0.6 kB took as long.
   */
  private static final double NANOS_A_BYTE = 0.2;

  private static final double USUAL_HIT_NANOS = 1_000;
  private static final double USUAL_MISS_NANOS = 5_000;

  private final Admissions all;
  private final ShapePlan shape;
  private final MeanCost hitCost = new MeanCost(USUAL_HIT_NANOS);
  private final MeanCost missCost = new MeanCost(USUAL_MISS_NANOS);

  /** Read without a lock, to see whether there is anything to do. */
  private volatile long windowEnds;

  private volatile int steadyGroup;
  private long windowBegan;
  private long hitsBefore;
  private long missesBefore;
  private long executedBefore;
  private long callsBefore;
  private long nanosBefore;
  private long bytesBefore;
  private double databaseNanos;
  private boolean probing;
  private int losses;
  private int gains;
  private int gainsNeeded = 1;
  private long changed;
  private @Nullable Profit last;
  private double lastPerSecond;

  Admission(Admissions all, ShapePlan shape) {
    this.all = all;
    this.shape = shape;
    long now = all.now();
    this.changed = now - VAIN_NANOS;
    begin(now);
  }

  /**
   * What is shown of an admission.
   *
   * @param state in a word, or null where profit does not matter
   * @param microsPerSecond what all look-ups earn in a second, or would; null before the end of the
   *     first window
   * @param because the numbers behind it, or null as well
   */
  record Shown(@Nullable String state, @Nullable String microsPerSecond, @Nullable String because) {
    static final Shown UNKNOWN = new Shown(null, null, null);
    static final Shown ADMITTED = new Shown(ADMITTED_WORD, null, null);
  }

  private static final String ADMITTED_WORD = "admitted";

  synchronized Shown shown() {
    String state = probing ? "probed" : ADMITTED_WORD;
    return last == null
        ? new Shown(state, null, null)
        : new Shown(state, String.format(Locale.ROOT, "%.0f", lastPerSecond / 1_000), last.words());
  }

  // ---- measure

  synchronized void hit(long nanos) {
    hitCost.add(nanos);
  }

  /** Ends a miss; {@code costNanos} is negative where it was not taken. */
  void missed(long now, long costNanos) {
    if (costNanos >= 0) {
      synchronized (this) {
        missCost.add(costNanos);
      }
    }
    judgeIfDue(now);
  }

  // ---- probe

  /** Returns whether an execution with these values is looked up while the shape is probed. */
  boolean probes(Object[] literals, Object[] binds) {
    int hash = 31 * Arrays.hashCode(literals) + Arrays.hashCode(binds);
    int group = (hash * 0x9E3779B9) >>> (Integer.SIZE - Integer.numberOfTrailingZeros(GROUPS));
    long now = all.now();
    if (group != steadyGroup && group != (int) (now / TURN_NANOS & (GROUPS - 1))) {
      return false;
    }
    judgeIfDue(now); // Here, too: where all is hit there is no miss to end.
    return true;
  }

  // ---- judge

  private void judgeIfDue(long now) {
    if (now - windowEnds >= 0) {
      synchronized (this) {
        if (now - windowEnds >= 0) {
          judge(now);
        }
      }
    }
  }

  private void judge(long now) {
    ShapeStatistics counts = shape.statistics();
    long verified = counts.of(Count.VERIFIED);
    long hits = counts.hits() + verified - hitsBefore;
    long misses = counts.misses() - verified - missesBefore;
    if (hits < 0 || misses < 0) {
      begin(now); // Somebody has set the counts to zero.
      return;
    }
    if (hits + misses < (probing ? PROBE_LOOKUPS : WINDOW_LOOKUPS)) {
      return;
    }
    Profit profit = profit(counts, hits, misses);
    boolean rises = last == null || profit.hitRatio() > RISE * last.hitRatio() + LEAST_RISE;
    last = profit;
    lastPerSecond = perSecond(counts, profit, now);
    if (probing) {
      judgeProbed(profit, now);
    } else {
      judgeAdmitted(profit, rises, now);
    }
    begin(now);
  }

  private void judgeProbed(Profit profit, long now) {
    gains = profit.isGain() ? gains + 1 : 0;
    if (gains >= gainsNeeded) {
      become(false, now);
    }
  }

  private void judgeAdmitted(Profit profit, boolean rises, long now) {
    if (!profit.isLoss()) {
      losses = 0;
    } else if (!rises && now - changed >= STAY_NANOS) {
      losses++;
    }
    if (losses >= LOSSES) {
      gainsNeeded = now - changed < VAIN_NANOS ? Math.min(MOST_GAINS, 2 * gainsNeeded) : 1;
      steadyGroup = (int) (now / WINDOW_NANOS * 31 & (GROUPS - 1)); // Another one each time.
      become(true, now);
    }
  }

  private void become(boolean probed, long now) {
    probing = probed;
    losses = 0;
    gains = 0;
    changed = now;
    shape.profitable(!probed);
  }

  private Profit profit(ShapeStatistics counts, long hits, long misses) {
    long executed = counts.of(Count.MISSES) - executedBefore;
    if (executed > 0) {
      double mean = (double) (counts.of(Count.DATABASE_NANOS) - nanosBefore) / executed;
      // A few do not outweigh what is known.
      double weight = databaseNanos == 0 ? 1 : Math.min(1, (double) executed / FEW);
      databaseNanos += weight * (mean / all.crowding() - databaseNanos);
    }
    double bytes = (double) (counts.of(Count.KEPT_BYTES) - bytesBefore) / Math.max(1, executed);
    return new Profit(
        hits, misses, databaseNanos - hitCost.nanos(), missCost.nanos() + NANOS_A_BYTE * bytes);
  }

  /** While it is probed, as if all executions were looked up. */
  private double perSecond(ShapeStatistics counts, Profit profit, long now) {
    long bypasses = counts.of(Count.BYPASSES) - callsBefore;
    double share = probing ? 1 + (double) Math.max(0, bypasses) / profit.lookups() : 1;
    return profit.nanos() * share / ((now - windowBegan) / 1e9);
  }

  private void begin(long now) {
    ShapeStatistics counts = shape.statistics();
    long verified = counts.of(Count.VERIFIED);
    windowBegan = now;
    hitsBefore = counts.hits() + verified;
    missesBefore = counts.misses() - verified;
    executedBefore = counts.of(Count.MISSES);
    callsBefore = counts.of(Count.BYPASSES);
    nanosBefore = counts.of(Count.DATABASE_NANOS);
    bytesBefore = counts.of(Count.KEPT_BYTES);
    windowEnds = now + (probing ? PROBE_NANOS : WINDOW_NANOS);
  }
}
