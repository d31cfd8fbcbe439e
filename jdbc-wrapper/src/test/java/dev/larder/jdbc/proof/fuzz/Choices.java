package dev.larder.jdbc.proof.fuzz;

import java.util.List;

/**
 * The numbers that a grammar decides by. A rule puts its simplest alternative first, and a list
 * that has ended gives zeros: so a shorter list and smaller numbers make a simpler statement, and
 * jqwik, which shrinks lists and numbers, shrinks statements. Not thread-safe.
 */
final class Choices {
  /** Numbers are below this. */
  static final int BOUND = 10_000;

  private final List<Integer> numbers;
  private int next;

  Choices(List<Integer> numbers) {
    this.numbers = numbers;
  }

  /** Returns a number from 0 to {@code bound - 1}. */
  int below(int bound) {
    return next < numbers.size() ? numbers.get(next++) % bound : 0;
  }

  /** Returns one of {@code alternatives}, the first if there is nothing left to decide by. */
  @SafeVarargs
  @SuppressWarnings("varargs")
  final <T> T of(T... alternatives) {
    return alternatives[below(alternatives.length)];
  }

  /** Returns one of {@code alternatives}, which are not empty. */
  <T> T of(List<T> alternatives) {
    return alternatives.get(below(alternatives.size()));
  }

  /** Returns true about so many times of a hundred; false if there is nothing left. */
  boolean percent(int percent) {
    return below(100) >= 100 - percent;
  }
}
