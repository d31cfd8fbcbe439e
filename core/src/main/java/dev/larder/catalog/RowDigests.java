package dev.larder.catalog;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Sums of 64-bit hashes of the rows of a catalog, so that their order does not matter: of all rows,
 * and of those of each relation. Not thread-safe while rows are added.
 */
final class RowDigests {
  private static final long ODD = 0x9e3779b97f4a7c15L;

  private final Map<Long, Long> relations = new HashMap<>();
  private final Map<Long, Long> behaviour = new HashMap<>();
  private long general;
  private long all;

  /**
   * Adds a row.
   *
   * @param owner the relation that it belongs to; 0 for none
   * @param behaves whether it says what a write of that relation does besides
   */
  void add(long owner, boolean behaves, Class<?> kind, @Nullable Object... values) {
    long hash = of(kind, values);
    all += hash;
    if (owner == 0) {
      general += hash;
    } else {
      relations.merge(owner, hash, Long::sum);
    }
    if (behaves) {
      behaviour.merge(owner, hash, Long::sum);
    }
  }

  /** Returns that of all rows. */
  long all() {
    return all;
  }

  /** Returns that of the rows that belong to no relation. */
  long general() {
    return general;
  }

  /** Returns those of the rows of each relation. */
  Map<Long, Long> relations() {
    return relations;
  }

  /** Returns that of what a write of the relation does besides; 0 for nothing. */
  long behaviour(long relation) {
    return behaviour.getOrDefault(relation, 0L);
  }

  private static long of(Class<?> kind, @Nullable Object... values) {
    long hash = hash(0, kind.getSimpleName());
    for (Object value : values) {
      hash = hash(hash, value);
    }
    return mixed(hash);
  }

  /** Spreads each bit over all, so that no differences of two rows cancel in the sum. */
  private static long mixed(long hash) {
    long half = (hash ^ hash >>> 30) * 0xbf58476d1ce4e5b9L; // As SplittableRandom does.
    long most = (half ^ half >>> 27) * 0x94d049bb133111ebL;
    return most ^ most >>> 31;
  }

  /** Adds a value to a hash, with its length, so that it ends where the next begins. */
  private static long hash(long hash, @Nullable Object value) {
    if (value == null) {
      return hash(hash, -1);
    }
    if (value instanceof Collection<?> all) {
      long sum = hash(hash, all.size());
      for (Object each : all) {
        sum = hash(sum, each);
      }
      return sum;
    }
    if (value instanceof Number || value instanceof Boolean) {
      return hash(hash, value.hashCode());
    }
    String text = value.toString();
    long sum = hash(hash, text.length());
    for (int i = 0; i < text.length(); i++) {
      sum = hash(sum, text.charAt(i));
    }
    return sum;
  }

  private static long hash(long hash, int next) {
    long product = (hash ^ next) * ODD;
    return product ^ product >>> 32;
  }
}
