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
 * were. A row is wrong if it is older than what had been acknowledged before it was asked for, and
 * late if that had been a second before. Thread-safe, across processes too.
 */
final class Board {
  /** How many threads read, of all processes together. */
  static final int READERS = Instance.COUNT * Instance.READERS;

  private static final VarHandle LONGS =
      MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());
  private static final int SIDES = Side.values().length;
  private static final int VERSIONS = SIDES * (Products.COUNT + 1);
  private static final int COUNTS = READERS * SIDES;

  /** Of so many versions of a product it is known when they were acknowledged. */
  private static final int RECENT = 16;

  private static final int TIMES = VERSIONS + 3 * COUNTS;
  private static final long BOUND_NANOS = 1_000_000_000;

  private final MappedByteBuffer memory;

  private Board(MappedByteBuffer memory) {
    this.memory = memory;
  }

  /** Opens the board in {@code file}, which begins with nothing. */
  static Board in(Path file) throws IOException {
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      return new Board(
          channel.map(MapMode.READ_WRITE, 0, (long) Long.BYTES * (TIMES + 2 * RECENT * VERSIONS)));
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

  private static int timeOf(Side side, int product, long version) {
    return TIMES + 2 * (versionOf(side, product) * RECENT + (int) (version % RECENT));
  }

  /**
   * Returns whether a row is late: whether a version after it had been acknowledged a second before
   * the row was asked for.
   *
   * @param version of the row
   * @param known what {@link #acknowledged} has returned before it was asked for
   * @param asked when that was, by {@link System#nanoTime}, which the processes have in common
   */
  boolean isLate(Side side, int product, long version, long known, long asked) {
    if (known - version >= RECENT) {
      return true;
    }
    for (long newer = version + 1; newer <= known; newer++) {
      int index = timeOf(side, product, newer);
      // Another process may not have noted its own yet.
      if (get(index + 1) == newer && asked - get(index) > BOUND_NANOS) {
        return true;
      }
    }
    return false;
  }

  /** Notes that the application has been told that {@code version} is committed. */
  void acknowledge(Side side, int product, long version) {
    int time = timeOf(side, product, version);
    LONGS.setVolatile(memory, time * Long.BYTES, System.nanoTime());
    LONGS.setVolatile(memory, (time + 1) * Long.BYTES, version);
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
   * @param late how many of these were late
   */
  void note(Side side, int reader, long answers, long wrong, long late) {
    int index = answersOf(side, reader);
    LONGS.setVolatile(memory, index * Long.BYTES, answers);
    LONGS.setVolatile(memory, (index + COUNTS) * Long.BYTES, wrong);
    LONGS.setVolatile(memory, (index + 2 * COUNTS) * Long.BYTES, late);
  }

  /** Returns what all threads have noted by now. */
  Totals totals() {
    long[] answers = new long[SIDES];
    long[] wrong = new long[SIDES];
    long[] late = new long[SIDES];
    for (Side side : Side.values()) {
      for (int reader = 0; reader < READERS; reader++) {
        answers[side.index()] += get(answersOf(side, reader));
        wrong[side.index()] += get(answersOf(side, reader) + COUNTS);
        late[side.index()] += get(answersOf(side, reader) + 2 * COUNTS);
      }
    }
    return new Totals(System.nanoTime(), answers, wrong, late);
  }
}
