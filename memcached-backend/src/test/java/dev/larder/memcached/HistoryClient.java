package dev.larder.memcached;

import static dev.larder.memcached.LarderInstance.run;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * One JVM of {@link SharedHistoryTest}: a writer and two readers, until its input ends. Each row
 * counts its writes, in two tables by one transaction. A read must not return less than what
 * somebody knew before it began: by a commit that had returned, or by another read, in whichever
 * JVM. And both tables must agree. What is known is in a file that all of them have in memory.
 */
final class HistoryClient {
  static final int ROWS = 4;

  /** The states of errors that a client may meet: its transaction was rolled back, or is lost. */
  private static final Set<String> EXPECTED =
      Set.of("40001", "40P01", "08006", "08003", "57P01", "57P03");

  private static final VarHandle LONGS =
      MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());

  private final ByteBuffer known;
  private final String url;
  private final LongAdder reads = new LongAdder();
  private final LongAdder commits = new LongAdder();
  private final LongAdder refused = new LongAdder();
  private volatile boolean running = true;

  private HistoryClient(String url, Path file) throws IOException {
    this.url = url;
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      known = channel.map(FileChannel.MapMode.READ_WRITE, 0, ROWS * (long) Long.BYTES);
    }
  }

  /** Works; the arguments are Larder's URL, the file and a seed. */
  public static void main(String[] arguments) throws Exception {
    HistoryClient client = new HistoryClient(arguments[0], Path.of(arguments[1]));
    client.work(Long.parseLong(arguments[2]));
  }

  private void work(long seed) throws Exception {
    try (Connection connection = DriverManager.getConnection(url)) {
      LarderInstance.askUntilHit(connection, "SELECT n, n FROM a WHERE id = 0");
    } catch (SQLException | AssertionError e) {
      System.out.println("no hit at the start, for faults go on: " + e.getMessage());
    }
    List<Thread> threads = new ArrayList<>();
    threads.add(start(new Random(seed), this::write));
    threads.add(start(new Random(seed + 1), this::read));
    threads.add(start(new Random(seed + 2), this::read));
    System.out.println("started");
    while (System.in.read() >= 0) {
      // Nothing is said but that it ends.
    }
    running = false;
    for (Thread thread : threads) {
      thread.join();
    }
    try (Connection connection = DriverManager.getConnection(url)) {
      System.out.printf(
          "hits %d of %d reads, %d commits, %d refused: %s%n",
          LarderInstance.count(connection, "hits"),
          reads.sum(),
          commits.sum(),
          refused.sum(),
          LarderInstance.status(connection));
    }
  }

  /** One step of a client. */
  private interface Step {
    void run(Random random, Connection connection) throws SQLException;
  }

  private Thread start(Random random, Step step) {
    Thread thread =
        new Thread(
            () -> {
              try {
                work(random, step);
              } catch (Exception | AssertionError e) {
                say("failed: " + e);
              }
            });
    thread.start();
    return thread;
  }

  /** One line, that nobody else's comes between. */
  private static void say(String line) {
    System.out.println(line);
  }

  private void work(Random random, Step step) throws SQLException {
    Connection connection = null;
    while (running) {
      try {
        if (connection == null || connection.isClosed()) {
          connection = DriverManager.getConnection(url);
        }
        step.run(random, connection);
      } catch (SQLException e) {
        if (e.getSQLState() == null || !EXPECTED.contains(e.getSQLState())) {
          throw e;
        }
        refused.increment();
        if (connection != null && !connection.isClosed()) {
          recover(connection);
        }
      }
    }
  }

  private static void recover(Connection connection) throws SQLException {
    try {
      if (!connection.getAutoCommit()) {
        connection.rollback();
        connection.setAutoCommit(true);
      }
    } catch (SQLException e) {
      connection.abort(Runnable::run);
    }
  }

  private void write(Random random, Connection connection) throws SQLException {
    int row = random.nextInt(ROWS);
    switch (random.nextInt(40)) {
      case 0 -> {
        run(connection, "CALL count_up(" + row + ")");
        commits.increment();
      }
      case 1 -> committed(row, Long.parseLong(one(connection, "SELECT counted_up(" + row + ")")));
      case 2 -> {
        run(
            connection,
            "BEGIN; UPDATE a SET n = n + 1 WHERE id = "
                + row
                + "; UPDATE b SET n = n + 1 WHERE id = "
                + row
                + "; COMMIT");
        commits.increment();
      }
      case 3, 4, 5, 6 -> {
        connection.setAutoCommit(false);
        countUp(connection, row);
        connection.rollback();
        connection.setAutoCommit(true);
      }
      default -> {
        connection.setAutoCommit(false);
        long n = countUp(connection, row);
        connection.commit();
        connection.setAutoCommit(true);
        committed(row, n);
      }
    }
    pause(random);
  }

  private static void pause(Random random) {
    try {
      TimeUnit.MILLISECONDS.sleep(random.nextInt(200));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static long countUp(Connection connection, int row) throws SQLException {
    run(connection, "UPDATE a SET n = n + 1 WHERE id = " + row);
    return Long.parseLong(
        one(connection, "UPDATE b SET n = n + 1 WHERE id = " + row + " RETURNING n"));
  }

  private static String one(Connection connection, String sql) throws SQLException {
    return String.valueOf(LarderInstance.ask(connection, sql));
  }

  /** Notes what everybody may count on from now on. */
  private void committed(int row, long n) {
    know(row, n);
    commits.increment();
  }

  private void know(int row, long n) {
    long before = leastOf(row);
    while (before < n && !LONGS.compareAndSet(known, row * Long.BYTES, before, n)) {
      before = leastOf(row);
    }
  }

  private long leastOf(int row) {
    return (long) LONGS.getVolatile(known, row * Long.BYTES);
  }

  private void read(Random random, Connection connection) throws SQLException {
    int row = random.nextInt(ROWS);
    long least = leastOf(row);
    String sql =
        switch (random.nextInt(3)) {
          case 0 -> "SELECT n, n FROM a WHERE id = ?";
          case 1 -> "SELECT n, n FROM b WHERE id = ?";
          default -> "SELECT a.n, b.n FROM a JOIN b USING (id) WHERE id = ?";
        };
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setInt(1, row);
      try (ResultSet rows = statement.executeQuery()) {
        rows.next();
        long n = rows.getLong(1);
        if (n < least || n != rows.getLong(2)) {
          say(
              "anomaly: "
                  + sql
                  + " of row "
                  + row
                  + " is "
                  + n
                  + ", "
                  + rows.getLong(2)
                  + "; known was "
                  + least);
        }
        know(row, n);
        reads.increment();
      }
    }
  }
}
