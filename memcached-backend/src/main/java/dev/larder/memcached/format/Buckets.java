package dev.larder.memcached.format;

import java.util.Collection;
import java.util.List;
import java.util.TreeSet;

/**
 * Some rows of a table, by the buckets that their values fall into: those that a write may change,
 * or that a result depends on. Immutable.
 *
 * @param layout tells the schemes that the buckets belong to from others
 * @param numbers the buckets of all schemes, in ascending order, each once; at least one
 */
public record Buckets(long layout, List<Integer> numbers) {
  /** How many buckets there can be. */
  static final int LIMIT = 1 << 12;

  /** Checks and copies. */
  public Buckets {
    numbers = List.copyOf(numbers);
    int before = -1;
    for (int number : numbers) {
      if (number <= before || number >= LIMIT) {
        throw new IllegalArgumentException("buckets " + numbers);
      }
      before = number;
    }
    if (before < 0) {
      throw new IllegalArgumentException("no bucket");
    }
  }

  /** Returns the buckets {@code numbers}, in any order. */
  public static Buckets of(long layout, Collection<Integer> numbers) {
    return new Buckets(layout, List.copyOf(new TreeSet<>(numbers)));
  }

  /** Returns whether bucket {@code number} is one of these. */
  public boolean contains(int number) {
    return java.util.Collections.binarySearch(numbers, number) >= 0;
  }

  /**
   * Returns whether a row can be in both. Rows by other schemes can be any, because a JVM may know
   * an index that another one does not know yet.
   */
  public boolean meets(Buckets other) {
    return layout != other.layout || numbers.stream().anyMatch(other::contains);
  }
}
