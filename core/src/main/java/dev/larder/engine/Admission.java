package dev.larder.engine;

import dev.larder.bypass.BypassReason;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Whether the executions of one shape are looked up. It begins <b>admitted</b>. While it is, each
 * window of time is judged by its {@link Profit}; after {@value #LOSSES} losses in a row the shape
 * is only <b>probed</b>: its executions are bypasses, all but those of a few keys ({@link
 * BypassReason#NO_PROFIT}). If these earn enough, it is admitted again.
 *
 * <p>{@link ProbedKeys} chooses these keys.
 *
 * <p>A window with more hits than the one before is no loss, however few they are: the cache is
 * just being filled. A shape that was admitted in vain is admitted later the next time.
 *
 * <p>What was never hit is no gain, however little its misses cost. Where a query takes long, each
 * of its keys that comes again is looked up while it is probed.
 *
 * <p>A new shape need not wait for three windows: if hardly any of its {@link FirstLookups first
 * look-ups} is a hit, it is <b>doubted</b>. That is to be probed, but a key is looked up, too,
 * where it {@link SeenKeys has come before}. So the first seconds of an application cost little,
 * and the keys that come again are kept all the same. Their hits have the shape admitted, and then
 * judged.
 *
 * <p>A bypass is always right, so that nothing here concerns what rows are returned. Thread-safe.
 */
final class Admission {
  /** How long a window is at least. */
  static final long WINDOW_NANOS = 1_000_000_000;

  /** How many look-ups a window has at least: fewer cost nothing worth the trouble. */
  static final int WINDOW_LOOKUPS = 256;

  /** So much time for hits is worth the trouble, though there are fewer look-ups. */
  private static final long MUCH_NANOS = 100_000_000;

  /** How many windows in a row end the admission. */
  static final int LOSSES = 3;

  /** A window of a shape that is probed: every group of keys has had its turn. */
  static final long PROBE_NANOS = ProbedKeys.ROUND_NANOS;

  static final int PROBE_LOOKUPS = 16;

  /** How long a shape that was admitted again is not judged. */
  static final long STAY_NANOS = 4_000_000_000L;

  /** A shape that does not stay longer was admitted in vain. */
  static final long VAIN_NANOS = 15_000_000_000L;

  /** How many windows in a row must be a gain, where a shape was often admitted in vain. */
  static final int MOST_GAINS = 8;

  /** How much the share of hits rises, at least, while a cache is being filled. */
  private static final double RISE = 1.05;

  private static final double LEAST_RISE = 0.002;

  /** How much of the time at the database a hit may take, where the shape is to come back. */
  private static final double MOST_OF_DATABASE = 0.8;

  private final Admissions all;
  private final ShapePlan shape;
  private final AdmissionWindow window;
  private final ShapeCosts costs;
  private final DatabaseTime databaseTime;
  private final ProbedKeys probed;
  private final FirstLookups first;

  /** Read without a lock, to see whether there is anything to do. */
  private volatile long windowEnds;

  private final Trial trial = new Trial();

  /** Whether a result that is there is to be asked for all the same. */
  private final AtomicBoolean asks = new AtomicBoolean();

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
    this.window = new AdmissionWindow(shape);
    this.costs = new ShapeCosts(all.shared());
    this.probed = new ProbedKeys(shape, all.seenKeys());
    long now = all.now();
    this.first = new FirstLookups(shape, now);
    this.databaseTime = new DatabaseTime(now);
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
    costs.hit(nanos);
  }

  /** Notes a hit that may have taken longer than the database does, though nothing is missed. */
  void remoteHit(long now, long nanos) {
    hit(nanos);
    judgeIfDue(now);
  }

  /** Notes how long an execution took at the database that was not looked up. */
  synchronized void bypassed(long nanos, long now) {
    if (trial.isOn()) {
      trial.took(nanos, now);
    } else {
      databaseTime.bypassed(nanos);
    }
  }

  /** Returns whether each bypass is to be timed. */
  boolean isTrying() {
    return trial.isOn();
  }

  /**
   * Returns whether the caller is to ask the database though a result is there: hits are slow, and
   * it is not known how long the database takes. For one caller now and then.
   */
  boolean asksDatabase() {
    return asks.get() && asks.compareAndSet(true, false);
  }

  /** Ends a miss; {@code costNanos} is negative where it was not taken. */
  void missed(long now, long costNanos) {
    if (costNanos >= 0) {
      synchronized (this) {
        costs.missed(costNanos);
      }
    }
    if (first.missed()) {
      doubt(now);
    }
    judgeIfDue(now);
  }

  private synchronized void doubt(long now) {
    if (first.areInVain(now, all.crowding()) && !probing && window.isWhole()) {
      probed.withThoseSeen(true);
      learn(now);
      note(profit(), now);
      become(true, now);
      begin(now);
    }
  }

  // ---- probe

  /** Returns whether an execution with these values is looked up while the shape is probed. */
  boolean probes(Object[] literals, Object[] binds) {
    long now = all.now();
    if (trial.isOn()) {
      endTrialIfOver(now);
      return !trial.isOn() || !trial.takes();
    }
    if (!probed.choose(literals, binds, now)) {
      return false;
    }
    judgeIfDue(now); // Here, too: where all is hit there is no miss to end.
    return true;
  }

  /** Nothing is admitted or given up by it. */
  private void tryDatabase(long now) {
    databaseTime.tries(now);
    trial.begin(now);
    shape.profitable(false);
  }

  private void endTrialIfOver(long now) {
    if (trial.isOver(now)) {
      synchronized (this) {
        if (trial.isOn()) {
          trial.end();
          shape.profitable(true);
          databaseTime.tried(trial.counted(), trial.nanos(), all.crowding(), now);
        }
      }
    }
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
    long hits = window.hits();
    long misses = window.misses();
    if (!window.isWhole()) {
      begin(now); // Somebody has set the counts to zero.
      return;
    }
    if (!isJudged(hits + misses, hits)) {
      probed.spareNothing();
      return;
    }
    learn(now);
    if (databaseTime.known() == 0) {
      begin(now);
      return;
    }
    Profit profit = profit();
    probed.spare(profit, databaseTime.nanos(), probing, window.nanos(now));
    boolean rises = last == null || profit.hitRatio() > RISE * last.hitRatio() + LEAST_RISE;
    note(profit, now);
    if (probing) {
      judgeProbed(profit, now);
    } else {
      judgeAdmitted(profit, rises, now);
    }
    begin(now);
    if (!probing && hits > misses && databaseTime.isToTry(costs.hitNanos(), now)) {
      tryDatabase(now);
    }
  }

  private boolean isJudged(long lookups, long hits) {
    boolean few = probing || hits * costs.hitNanos() > MUCH_NANOS;
    return lookups >= (few ? PROBE_LOOKUPS : WINDOW_LOOKUPS);
  }

  private void judgeProbed(Profit profit, long now) {
    double database = databaseTime.nanos();
    boolean fast = costs.hitNanosOfAll(database) < MOST_OF_DATABASE * database;
    gains = fast && profit.isGain() ? gains + 1 : 0;
    if (gains >= gainsNeeded) {
      probed.withThoseSeen(false);
      become(false, now);
    } else if (gains == 0 && ++losses >= LOSSES) {
      // A key that has come before is missed when it comes again: so much for a fair share.
      probed.withThoseSeen(false);
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
      probed.givenUp(profit, databaseTime.nanos(), now);
      costs.givenUp();
      become(true, now);
    }
  }

  private void become(boolean isProbed, long now) {
    probing = isProbed;
    trial.end();
    losses = 0;
    gains = 0;
    changed = now;
    shape.profitable(!isProbed);
  }

  /** Finds out how long the database takes, as far as executions of the window say. */
  private void learn(long now) {
    databaseTime.learn(window.executed(), window.databaseNanos(), all.crowding(), now);
    // While it is probed, bypasses say it.
    asks.set(!probing && databaseTime.isToAsk(costs.hitNanos(), now));
  }

  private Profit profit() {
    double database = databaseTime.nanos();
    return probing
        ? window.profit(costs.hitNanosOfAll(database), costs.missNanosOfAll(database), database)
        : window.profit(costs.hitNanos(), costs.missNanos(), database);
  }

  /** Has it shown: while it is probed, as if all executions were looked up. */
  private void note(Profit profit, long now) {
    double others = (double) Math.max(0, window.bypasses()) / Math.max(1, profit.lookups());
    last = profit;
    lastPerSecond =
        profit.nanos() * (probing ? 1 + others : 1) / (Math.max(1, window.nanos(now)) / 1e9);
  }

  private void begin(long now) {
    window.begin(now);
    windowEnds = now + (probing ? PROBE_NANOS : WINDOW_NANOS);
    if (probing) {
      costs.weighLess(); // They may have changed, and only a few are seen.
    }
  }
}
