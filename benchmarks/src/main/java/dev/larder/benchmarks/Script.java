package dev.larder.benchmarks;

import java.util.concurrent.ThreadLocalRandom;

/**
 * Which look-ups come one after the other, again and again: the shapes in turn, the keys of each at
 * random. Made beforehand, because to choose one takes as long as a part of a hit. For one thread.
 */
final class Script {
  /** A multiple of the number of shapes; more than there are keys. */
  private static final int LENGTH = 3_200 * PointLookup.SHAPES;

  private final int keys;
  private final short[] accounts = new short[LENGTH];
  private int next = -1;
  private int shape = -1;

  /** Makes a script of {@code keys} different look-ups. */
  Script(int keys) {
    this.keys = keys;
    ThreadLocalRandom random = ThreadLocalRandom.current();
    for (int i = 0; i < LENGTH; i++) {
      accounts[i] = (short) account(i % PointLookup.SHAPES, random.nextInt(keysOfAShape()));
    }
  }

  /** Returns how many keys each shape has. */
  int keysOfAShape() {
    return keys / PointLookup.SHAPES;
  }

  /** Returns one of the accounts that are looked up by a shape; they are spread over all. */
  int account(int shape, int index) {
    int apart = PointLookup.SHAPES * BenchmarkDatabase.KEYS / keys;
    return 1 + shape % apart + apart * index;
  }

  /** Goes on to the next look-up. */
  void advance() {
    next = next + 1 == LENGTH ? 0 : next + 1;
    shape = shape + 1 == PointLookup.SHAPES ? 0 : shape + 1;
  }

  /** Returns its shape. */
  int shape() {
    return shape;
  }

  /** Returns its account. */
  int account() {
    return accounts[next];
  }
}
