package dev.larder.curve;

import dev.larder.store.TableTag;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The hit ratio that a cache of any size would have, without the results: of each key it knows how
 * many bytes of other results were asked for since it was asked for last. A least recently used
 * cache still holds the key if it is larger than that.
 *
 * <p>At most {@value #MAX_KEYS} keys are looked at. Where there are more, only those whose hash is
 * below a threshold are, and distances are multiplied by the inverse; the threshold is halved when
 * necessary, and the counts with it (Waldspurger, Park, Garthwaite and Ahmad: Efficient MRC
 * Construction with SHARDS, FAST 2015). {@linkplain HotKeys Hot} keys are all looked at and counted
 * apart. Thread-safe; an access takes a lock for well under a microsecond.
 */
public final class MissRatioCurve {
  static final int MAX_KEYS = 16_384;

  private static final int POSITIONS = 2 * MAX_KEYS;

  private static final long ALL = 1L << 32;

  private static final long NEVER = Long.MAX_VALUE;

  /** After so many accesses it is found out anew how many make a key hot. */
  private static final int HOT_PERIOD = 256;

  /** A power of two, so that at most half of the slots are taken. */
  private static final int SLOTS = 2 * MAX_KEYS;

  private static final class Ghost {
    final int hash;

    /** Kept, or a tag could be made anew with another version. */
    List<TableTag> tags;

    /** Of the versions under which the result was kept last. */
    long sum;

    long expiresNanos;

    /** Of the last access, from 1 on; 0 before the first. */
    int position;

    boolean hot;

    Ghost(int hash, List<TableTag> tags) {
      this.hash = hash;
      this.tags = tags;
    }
  }

  /** An open hash table; two keys with one hash count as the same. */
  private @Nullable Ghost[] ghosts = new @Nullable Ghost[SLOTS];

  private int keys;

  private final Stratum sampled = new Stratum(POSITIONS);

  /** Those that are all looked at, because some of them would make a sample wrong. */
  private final Stratum hot = new Stratum(POSITIONS);

  private final HotKeys hotKeys = new HotKeys();
  private int nextPosition = 1;

  /** Written under the lock, and read without it. */
  private volatile long rate = ALL;

  private final LongAdder accesses = new LongAdder();
  private final LongAdder misses = new LongAdder();
  private int lookedAt;

  /**
   * Notes an execution whose result was kept, or would have been a hit.
   *
   * @param hash of the key
   * @param tags the tables that were read
   * @param sum of the {@linkplain dev.larder.store.VersionVector#presentSum versions} of what the
   *     result depends on: the next execution with the same sum is a hit
   * @param expiresNanos until when, by {@code nowNanos}; {@link Long#MAX_VALUE} for ever
   */
  public void kept(
      int hash, long weightBytes, List<TableTag> tags, long sum, long expiresNanos, long nowNanos) {
    accesses.increment();
    boolean isHot = isHot(hash);
    if (isHot || isSampled(hash)) {
      access(hash, isHot, weightBytes, tags, sum, expiresNanos, nowNanos);
    }
  }

  @SuppressWarnings("ReferenceEquality") // Mostly it is the very list.
  private synchronized void access(
      int hash,
      boolean isHot,
      long weightBytes,
      List<TableTag> tags,
      long sum,
      long expiresNanos,
      long nowNanos) {
    if (!isHot && !isSampled(hash)) {
      return; // By now.
    }
    if (++lookedAt % HOT_PERIOD == 0) {
      hotKeys.outOf(accesses.sum());
    }
    Ghost ghost = ghost(hash, tags);
    count(ghost, isHot, ghost.sum == sum && ghost.expiresNanos > nowNanos);
    if (ghost.tags != tags) {
      ghost.tags = tags; // Rarely: to note another object costs the collector of the JVM time.
    }
    ghost.sum = sum;
    ghost.expiresNanos = expiresNanos;
    ghost.hot = isHot;
    place(ghost, (int) Math.min(Integer.MAX_VALUE, weightBytes));
    halve();
  }

  private void count(Ghost ghost, boolean isHot, boolean isHit) {
    if (ghost.position > 0) {
      (isHot ? hot : sampled).repeated(isHit ? distance(ghost) : NEVER);
      stratum(ghost).bytes().weigh(ghost.position, 0);
    } else if (isSampled(ghost.hash)) {
      sampled.first();
    }
  }

  /** Notes an execution that would have been a miss whatever the size. */
  public void missed() {
    misses.increment();
  }

  /** As long as every key is looked at there is no need to know. */
  private boolean isHot(int hash) {
    return rate < ALL && hotKeys.access(hash);
  }

  private Stratum stratum(Ghost ghost) {
    return ghost.hot ? hot : sampled;
  }

  /** Returns the hit ratio of a cache of so many bytes; NaN before the first access. */
  public synchronized double ratio(long maxBytes) {
    double all = accesses.sum();
    // A sample tells well how many keys there are, each a miss at first. It tells less well what
    // share of the other accesses are hits, where few keys have most of them.
    double firsts = sampled.firsts() * ((double) ALL / rate);
    double others = Math.max(0, all - firsts - hot.repeats());
    double sum = hot.hits(maxBytes);
    if (sampled.repeats() > 0) {
      sum += sampled.hits(maxBytes) / sampled.repeats() * others;
    }
    double executions = all + misses.sum();
    return executions == 0 ? Double.NaN : Math.max(0, Math.min(1, sum / executions));
  }

  /** Returns the hit ratio of a cache without bounds. */
  public double bestRatio() {
    return ratio(Long.MAX_VALUE);
  }

  /** Returns the least size, in bytes, whose ratio is at most {@code loss} below the best. */
  public synchronized long leastBytes(double loss) {
    double enough = bestRatio() - loss;
    for (int step = 0; step < Stratum.SIZES; step++) {
      if (ratio(Stratum.bytesAt(step)) >= enough) {
        return Stratum.bytesAt(step);
      }
    }
    return Stratum.bytesAt(Stratum.SIZES - 1);
  }

  synchronized int keys() {
    return keys;
  }

  private Ghost ghost(int hash, List<TableTag> tags) {
    int slot = slot(ghosts, hash);
    Ghost ghost = ghosts[slot];
    if (ghost == null) {
      ghost = new Ghost(hash, tags);
      ghosts[slot] = ghost;
      keys++;
    }
    return ghost;
  }

  /** Returns where the ghost of {@code hash} is, or has to go. */
  private static int slot(@Nullable Ghost[] ghosts, int hash) {
    int slot = (int) mixed(hash) & (SLOTS - 1);
    Ghost ghost = ghosts[slot];
    while (ghost != null && ghost.hash != hash) {
      slot = (slot + 1) & (SLOTS - 1);
      ghost = ghosts[slot];
    }
    return slot;
  }

  private boolean isSampled(int hash) {
    return mixed(hash) < rate;
  }

  /** Returns a number below 2³² that says nothing of its neighbours (the finalizer of Murmur3). */
  static long mixed(int hash) {
    int h = hash;
    h = (h ^ (h >>> 16)) * 0x85ebca6b;
    h = (h ^ (h >>> 13)) * 0xc2b2ae35;
    return Integer.toUnsignedLong(h ^ (h >>> 16));
  }

  /** Returns how large a cache must be to hold the key still, itself included. */
  private long distance(Ghost ghost) {
    double after = sampled.bytes().after(ghost.position) * ((double) ALL / rate);
    long own = stratum(ghost).bytes().weight(ghost.position);
    return (long) after + hot.bytes().after(ghost.position) + own;
  }

  private void place(Ghost ghost, int weight) {
    if (nextPosition > POSITIONS) {
      ghost.position = 0;
      renumber();
    }
    ghost.position = nextPosition++;
    stratum(ghost).bytes().weigh(ghost.position, weight);
  }

  /** Moves all that have a position to the front, in their order. */
  private void renumber() {
    @Nullable Ghost[] ordered = new @Nullable Ghost[POSITIONS + 1];
    int[] weights = new int[POSITIONS + 1];
    for (Ghost ghost : ghosts) {
      if (ghost != null && ghost.position > 0) {
        ordered[ghost.position] = ghost;
        weights[ghost.position] = stratum(ghost).bytes().weight(ghost.position);
      }
    }
    sampled.bytes().clear();
    hot.bytes().clear();
    nextPosition = 1;
    for (int i = 1; i <= POSITIONS; i++) {
      Ghost ghost = ordered[i];
      if (ghost != null) {
        ghost.position = nextPosition++;
        stratum(ghost).bytes().weigh(ghost.position, weights[i]);
      }
    }
  }

  private void halve() {
    while (keys > MAX_KEYS) {
      rate = rate / 2;
      hotKeys.outOf(accesses.sum());
      @Nullable Ghost[] all = ghosts;
      ghosts = new @Nullable Ghost[SLOTS];
      keys = 0;
      for (Ghost ghost : all) {
        if (ghost != null && (isSampled(ghost.hash) || (ghost.hot && hotKeys.isHot(ghost.hash)))) {
          ghosts[slot(ghosts, ghost.hash)] = ghost;
          keys++;
        } else if (ghost != null) {
          stratum(ghost).bytes().weigh(ghost.position, 0);
        }
      }
      sampled.halve();
    }
  }
}
