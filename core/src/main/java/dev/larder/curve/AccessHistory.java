package dev.larder.curve;

import java.util.Arrays;

/**
 * Weights at numbered positions, and their sum behind any of them: a Fenwick tree over blocks of
 * positions, so that the tree fits into the processor's caches. Not thread-safe.
 */
final class AccessHistory {
  private static final int BLOCK_SHIFT = 4;

  private final int[] weights;

  /** Element {@code b} holds the sum of the {@code b & -b} blocks that end with block b - 1. */
  private final long[] blocks;

  private long total;

  AccessHistory(int positions) {
    weights = new int[positions + 1];
    blocks = new long[block(positions) + 1];
  }

  private static int block(int position) {
    return (position >> BLOCK_SHIFT) + 1;
  }

  int weight(int position) {
    return weights[position];
  }

  long after(int position) {
    if (total == 0) {
      return 0;
    }
    int block = block(position);
    long sum = total;
    for (int i = block; i > 0; i -= i & -i) {
      sum -= blocks[i];
    }
    int end = Math.min(block << BLOCK_SHIFT, weights.length);
    for (int i = position + 1; i < end; i++) {
      sum += weights[i];
    }
    return sum;
  }

  void weigh(int position, int weight) {
    long more = (long) weight - weights[position];
    weights[position] = weight;
    total += more;
    for (int i = block(position); i < blocks.length; i += i & -i) {
      blocks[i] += more;
    }
  }

  void clear() {
    Arrays.fill(weights, 0);
    Arrays.fill(blocks, 0);
    total = 0;
  }
}
