package dev.larder.engine;

import java.util.Objects;

/**
 * The keys of a shape that are looked up while it is {@link Admission probed}. They fall into
 * groups, by a hash of their values, and two groups are looked up. One stays the same, so that keys
 * that come again after a long time are seen to do so. The other changes, and all have had their
 * turn within {@value #ROUND_NANOS} ns, so that a few keys that come often are seen before long,
 * whichever they are. To choose executions instead of keys would find no hits at all: what one
 * execution has kept, the next to be chosen would not ask for.
 *
 * <p>There are {@value #GROUPS} groups, and up to {@value #MOST_GROUPS} where there are many
 * look-ups and hits take longer than the database, as those of a busy memcached do: look-ups that
 * are only to tell something are to cost next to nothing. Where a miss costs much, it stays at
 * {@value #GROUPS}: in smaller groups hardly a key would come twice.
 *
 * <p>Of a doubted shape those keys are looked up, too, that have come before: see {@link SeenKeys}.
 *
 * <p>Thread-safe.
 */
final class ProbedKeys {
  /** In how long each group has had its turn. */
  static final long ROUND_NANOS = 1_600_000_000;

  private static final int GROUPS = 128;
  private static final int MOST_GROUPS = 1_024;

  /** Two groups are looked up. */
  private static final double LOOKED_UP = 2;

  /** How much of the time at the database these look-ups may cost. */
  private static final double MOST_LOST = 0.01;

  /** So many look-ups in a round tell enough. */
  private static final double ENOUGH_LOOKUPS = 2 * Admission.PROBE_LOOKUPS;

  /** From here on a look-up costs little beside the query. */
  private static final long SLOW_NANOS = 1_000_000;

  private static final long SECOND = 1_000_000_000;

  private final ShapePlan shape;
  private final SeenKeys seen;
  private volatile int steadyGroup; // Of GROUPS.
  private volatile int groups = GROUPS;
  private volatile boolean withThoseSeen;
  private volatile boolean keepsSeen;

  /** Creates the choice for {@code shape}, of all of which {@code seen} knows the keys. */
  ProbedKeys(ShapePlan shape, SeenKeys seen) {
    this.shape = shape;
    this.seen = seen;
  }

  /**
   * Begins anew, because of the profit of the last look-ups: another group stays the same from now
   * on. Where nothing was hit, and a query takes long, those are chosen, too, that have come
   * before.
   */
  void givenUp(Profit profit, double databaseNanos, long now) {
    steadyGroup = (int) (now / SECOND * 31 & (GROUPS - 1));
    keepsSeen = profit.isInVain() && databaseNanos >= SLOW_NANOS;
    withThoseSeen = keepsSeen;
  }

  /** Sets whether those are chosen, too, that have come before; of slow queries they stay so. */
  void withThoseSeen(boolean on) {
    withThoseSeen = on || keepsSeen;
  }

  /**
   * Has fewer looked up, but as many as tell enough, where a hit takes longer than the database.
   *
   * @param profit of the look-ups of some time
   * @param databaseNanos the usual time at the database
   * @param probed whether only these keys were looked up
   * @param nanos how long that time was
   */
  void spare(Profit profit, double databaseNanos, boolean probed, long nanos) {
    double loss = -profit.nanos() / Math.max(1, profit.lookups()) / Math.max(1, databaseNanos);
    double executions = profit.lookups() * (probed ? groups / LOOKED_UP : 1);
    double ofRound = executions * ROUND_NANOS / Math.max(1, nanos);
    int wanted = GROUPS;
    while (wanted < MOST_GROUPS
        && profit.savedNanos() < 0
        && LOOKED_UP / wanted * loss > MOST_LOST
        && LOOKED_UP / (2 * wanted) * ofRound >= ENOUGH_LOOKUPS) {
      wanted *= 2;
    }
    groups = wanted;
  }

  /** Has as many looked up as ever: there were too few. */
  void spareNothing() {
    groups = GROUPS;
  }

  /** Returns whether an execution with these values is looked up. */
  boolean choose(Object[] literals, Object[] binds, long now) {
    int hash = hash(hash(0, literals), binds);
    int all = groups;
    int group = hash >>> (Integer.SIZE - Integer.numberOfTrailingZeros(all));
    int steady = steadyGroup * (all / GROUPS);
    if (group == steady || group == (int) (now / (ROUND_NANOS / all) & (all - 1))) {
      return true;
    }
    return withThoseSeen && seen.seen(shape, hash);
  }

  /** Adds values to a hash. As lists have it, near values would often be taken for others. */
  private static int hash(int hash, Object[] values) {
    int sum = hash;
    for (Object value : values) {
      sum = (sum ^ (Objects.hashCode(value) * 0x85EBCA6B)) * 0xC2B2AE35;
      sum ^= sum >>> 15;
    }
    return sum * 0x9E3779B9;
  }
}
