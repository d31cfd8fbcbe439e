package dev.larder.memcached;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * What anybody knows of the rows of {@link HistoryClient}, and since when, in a file that several
 * JVMs have in memory. Times are {@link System#nanoTime}, which is one clock for all processes of a
 * machine. Thread-safe.
 */
final class KnownRows {
  static final int ROWS = 4;

  /** How often a row may be written. */
  private static final int VERSIONS = 1 << 16;

  private static final VarHandle LONGS =
      MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());

  private final ByteBuffer file;

  /** Opens {@code path}, which may be empty. */
  KnownRows(Path path) throws IOException {
    try (FileChannel channel =
        FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      long bytes = ROWS * (1L + VERSIONS) * Long.BYTES;
      file = channel.map(FileChannel.MapMode.READ_WRITE, 0, bytes);
    }
  }

  private static int newest(int row) {
    return row * Long.BYTES;
  }

  private static int knownAt(int row, long version) {
    if (version >= VERSIONS) {
      throw new IllegalStateException("a row was written " + version + " times");
    }
    return (int) (ROWS + row * (long) VERSIONS + version) * Long.BYTES;
  }

  /** Notes that somebody knows, from now on, that {@code row} has been written {@code n} times. */
  void know(int row, long n) {
    long now = System.nanoTime();
    for (long k = n; k > 0 && LONGS.compareAndSet(file, knownAt(row, k), 0L, now); k--) {
      // The one before was known then, too, even if nobody has said so.
    }
    long before = leastOf(row);
    while (before < n && !LONGS.compareAndSet(file, newest(row), before, n)) {
      before = leastOf(row);
    }
  }

  /** Returns what somebody knows. */
  long leastOf(int row) {
    return (long) LONGS.getVolatile(file, newest(row));
  }

  /**
   * Returns for how many nanoseconds somebody had known at {@code begin} that {@code row} had been
   * written more than {@code n} times; 0 if nobody had.
   */
  long staleness(int row, long n, long begin) {
    long since = (long) LONGS.getVolatile(file, knownAt(row, n + 1));
    return since == 0 ? 0 : Math.max(0, begin - since);
  }
}
