package dev.larder.examples.wrongrows;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * What all processes know at once, in memory that they share: the newest version of each product
 * whose change was acknowledged, against which every answer is checked, and how many answers there
 * were. A row is wrong if it is older than what had been acknowledged before it was asked for.
 * Thread-safe, across processes too.
 */
final class Board {
  /** How many threads read, of all processes together. */
  static final int READERS = Instance.COUNT * Instance.READERS;

  private static final VarHandle LONGS =
      MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());
  private static final int SIDES = Side.values().length;
  private static final int VERSIONS = SIDES * (Products.COUNT + 1);
  private static final int COUNTS = READERS * SIDES;

  private final MappedByteBuffer memory;

  private Board(MappedByteBuffer memory) {
    this.memory = memory;
  }

  /** Opens the board in {@code file}, which begins with nothing. */
  static Board in(Path file) throws IOException {
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      return new Board(
          channel.map(MapMode.READ_WRITE, 0, (long) Long.BYTES * (VERSIONS + 2 * COUNTS)));
    }
  }

  private long get(int index) {
    return (long) LONGS.getVolatile(memory, index * Long.BYTES);
  }

  private static int versionOf(Side side, int product) {
    return side.index() * (Products.COUNT + 1) + product;
  }

  /** Returns the version that a read which begins now must at least see. */
  long acknowledged(Side side, int product) {
    return get(versionOf(side, product));
  }

  /** Notes that the application has been told that {@code version} is committed. */
  void acknowledge(Side side, int product, long version) {
    int index = versionOf(side, product);
    long known = get(index);
    while (known < version && !LONGS.compareAndSet(memory, index * Long.BYTES, known, version)) {
      known = get(index);
    }
  }

  private static int answersOf(Side side, int reader) {
    return VERSIONS + reader * SIDES + side.index();
  }

  /**
   * Notes what a thread has read so far; each has a number of its own.
   *
   * @param answers how many answers it got
   * @param wrong how many of them were wrong
   */
  void note(Side side, int reader, long answers, long wrong) {
    int index = answersOf(side, reader);
    LONGS.setVolatile(memory, index * Long.BYTES, answers);
    LONGS.setVolatile(memory, (index + COUNTS) * Long.BYTES, wrong);
  }

  /** Returns what all threads have noted by now. */
  Totals totals() {
    long[] answers = new long[SIDES];
    long[] wrong = new long[SIDES];
    for (Side side : Side.values()) {
      for (int reader = 0; reader < READERS; reader++) {
        answers[side.index()] += get(answersOf(side, reader));
        wrong[side.index()] += get(answersOf(side, reader) + COUNTS);
      }
    }
    return new Totals(System.nanoTime(), answers, wrong);
  }
}
