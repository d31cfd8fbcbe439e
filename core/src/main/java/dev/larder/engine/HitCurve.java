package dev.larder.engine;

import dev.larder.store.VersionVector;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Which hit ratio a cache of any size would have, found out without the results: for each key how
 * many bytes of other results were asked for since it was asked for last. A least recently used
 * cache holds it still if it is larger than that.
 *
 * <p>The memory is bounded: there are at most {@value #MAX_KEYS} keys. Where there are more, only
 * those are looked at whose hash is below a threshold, which is halved when it must be, and what
 * was counted with it; distances are multiplied by the inverse (Waldspurger, Park, Garthwaite and
 * Ahmad: Efficient MRC Construction with SHARDS, FAST 2015). Thread-safe; an access of a key that
 * is looked at takes a lock for well under a microsecond.
 */
final class HitCurve {
  static final int MAX_KEYS = 32_768;

  private static final int POSITIONS = 4 * MAX_KEYS;

  /** Steps of sizes for each doubling. */
  private static final int STEPS = 8;

  private static final int LEAST_SHIFT = 10;
  private static final int SIZES = (44 - LEAST_SHIFT) * STEPS;

  private static final class Ghost {
    /** Under which the result was kept last. */
    VersionVector versions;

    long weightBytes;
    long expiresNanos;

    /** Of the last access, from 1 on; 0 before the first. */
    int position;

    Ghost(VersionVector versions) {
      this.versions = versions;
    }
  }

  /** By hash; of two keys with one hash the curve believes that they are the same. */
  private final Map<Integer, Ghost> ghosts = new HashMap<>();

  /** A Fenwick tree: the bytes of the keys by the position of their last access. */
  private final long[] bytes = new long[POSITIONS + 1];

  /** How many accesses would have been hits at a size of the step, and at none below. */
  private final double[] hits = new double[SIZES + 1];

  private int nextPosition = 1;
  private long rate = 1L << 32;
  private double sampled;
  private double expected;

  /**
   * Notes an execution whose result was kept, or would have been a hit.
   *
   * @param hash of the key
   * @param weightBytes what the store needs for the result
   * @param versions under which it may be hit from now on
   * @param expiresNanos until when, by {@code nowNanos}; {@link Long#MAX_VALUE} for ever
   */
  synchronized void kept(
      int hash, long weightBytes, VersionVector versions, long expiresNanos, long nowNanos) {
    if (!isLookedAt(hash)) {
      return;
    }
    Ghost ghost = ghosts.computeIfAbsent(hash, key -> new Ghost(versions));
    if (ghost.position > 0) {
      if (ghost.versions.isUnchanged() && ghost.expiresNanos > nowNanos) {
        hits[step(distance(ghost))]++;
      }
      add(ghost.position, -ghost.weightBytes);
    }
    ghost.versions = versions;
    ghost.expiresNanos = expiresNanos;
    ghost.weightBytes = weightBytes;
    place(ghost);
    halve();
  }

  /** Notes an execution that would have been a miss whatever the size. */
  synchronized void missed(int hash) {
    isLookedAt(hash);
  }

  /**
   * Returns the hit ratio of a cache of so many bytes, from 0 to 1; NaN before the first access.
   */
  synchronized double ratio(long maxBytes) {
    // Keys that are asked for very often, of which too many or too few are looked at.
    double sum = expected - sampled;
    for (int step = 0; step <= SIZES && bytesAt(step) <= maxBytes; step++) {
      sum += hits[step];
    }
    return expected == 0 ? Double.NaN : Math.max(0, Math.min(1, sum / expected));
  }

  /** Returns the hit ratio of a cache without bounds. */
  double bestRatio() {
    return ratio(Long.MAX_VALUE);
  }

  /**
   * Returns the least size, in bytes, whose ratio is at most {@code loss} below the best.
   *
   * @param loss as a part of 1
   */
  synchronized long leastBytes(double loss) {
    double enough = bestRatio() - loss;
    for (int step = 0; step < SIZES; step++) {
      if (ratio(bytesAt(step)) >= enough) {
        return bytesAt(step);
      }
    }
    return bytesAt(SIZES);
  }

  /** Returns how many keys are looked at. */
  synchronized int keys() {
    return ghosts.size();
  }

  private boolean isLookedAt(int hash) {
    expected += rate / (double) (1L << 32);
    boolean looked = mixed(hash) < rate;
    if (looked) {
      sampled++;
    }
    return looked;
  }

  /** Returns a number below 2³² that says nothing of its neighbours (the finalizer of Murmur3). */
  private static long mixed(int hash) {
    int h = hash;
    h = (h ^ (h >>> 16)) * 0x85ebca6b;
    h = (h ^ (h >>> 13)) * 0xc2b2ae35;
    return Integer.toUnsignedLong(h ^ (h >>> 16));
  }

  /** Returns how large a cache must be to hold the key still, itself included. */
  private long distance(Ghost ghost) {
    long after = sum(nextPosition - 1) - sum(ghost.position);
    return (long) (after * ((double) (1L << 32) / rate)) + ghost.weightBytes;
  }

  private void place(Ghost ghost) {
    if (nextPosition > POSITIONS) {
      ghost.position = 0;
      renumber(ghost);
    }
    ghost.position = nextPosition++;
    add(ghost.position, ghost.weightBytes);
  }

  private void renumber(Ghost besides) {
    List<Ghost> ordered = new ArrayList<>(ghosts.values());
    ordered.remove(besides);
    ordered.sort(Comparator.comparingInt(ghost -> ghost.position));
    Arrays.fill(bytes, 0);
    nextPosition = 1;
    for (Ghost ghost : ordered) {
      ghost.position = nextPosition++;
      add(ghost.position, ghost.weightBytes);
    }
  }

  private void halve() {
    while (ghosts.size() > MAX_KEYS) {
      rate >>= 1;
      ghosts
          .entrySet()
          .removeIf(
              each -> {
                boolean out = mixed(each.getKey()) >= rate;
                if (out) {
                  add(each.getValue().position, -each.getValue().weightBytes);
                }
                return out;
              });
      for (int i = 0; i <= SIZES; i++) {
        hits[i] /= 2;
      }
      sampled /= 2;
      expected /= 2;
    }
  }

  private void add(int position, long weight) {
    for (int i = position; i > 0 && i <= POSITIONS; i += i & -i) {
      bytes[i] += weight;
    }
  }

  private long sum(int position) {
    long sum = 0;
    for (int i = position; i > 0; i -= i & -i) {
      sum += bytes[i];
    }
    return sum;
  }

  /** Returns the first step that holds so many bytes. */
  private static int step(long size) {
    double doublings = Math.log(Math.max(1.0, (double) size)) / Math.log(2) - LEAST_SHIFT;
    return (int) Math.max(0, Math.min(SIZES, Math.ceil(doublings * STEPS)));
  }

  private static long bytesAt(int step) {
    return (long) Math.ceil(Math.pow(2, LEAST_SHIFT + step / (double) STEPS));
  }
}
