package dev.larder.memcached;

import static dev.larder.memcached.LarderInstance.run;

import dev.larder.testing.Waiting;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * One JVM of {@link HistoryRun}: a writer and two readers, until its input ends. Each row counts
 * its writes, in two tables by one transaction. A read must not return less than what somebody knew
 * before it began, or so much before as is allowed: by a commit that had returned, or by another
 * read, in whichever JVM. And both tables must agree.
 *
 * <p>It is told {@code use N}: to say {@code used N} when there were hits after that; {@code mark}:
 * to measure reads from now on; {@code times N}: to say how long they took.
 */
final class HistoryClient {
  /** The states of errors that a client may meet: its transaction was rolled back, or is lost. */
  private static final Set<String> EXPECTED =
      Set.of("40001", "40P01", "08001", "08006", "08003", "57P01", "57P03");

  private static final long RECOVERY = TimeUnit.SECONDS.toNanos(10);

  /** A start is no fault, and the machine may have much to do. */
  private static final long START = TimeUnit.SECONDS.toNanos(110);

  private static final int HITS_OF_USE = 5;

  private final KnownRows known;
  private final String url;
  private final String name;
  private final long allowedNanos;
  private final boolean writes;
  private final LongAdder reads = new LongAdder();
  private final LongAdder commits = new LongAdder();
  private final LongAdder refused = new LongAdder();
  private final AtomicLong stalest = new AtomicLong();
  private final AtomicInteger prepared = new AtomicInteger();
  private final ReadTimes times = new ReadTimes();
  private volatile boolean running = true;

  /** Whether it was asked for hits before; of the thread that takes orders. */
  private boolean used;

  private HistoryClient(String... arguments) throws Exception {
    url = arguments[0];
    known = new KnownRows(Path.of(arguments[1]));
    name = arguments[2];
    allowedNanos = TimeUnit.MILLISECONDS.toNanos(Long.parseLong(arguments[4]));
    writes = Boolean.parseBoolean(arguments[5]);
  }

  /**
   * Works; the arguments are Larder's URL, the file of what is known, a name for the prepared
   * transactions, a seed, how many milliseconds a read may be behind, and whether it writes.
   */
  public static void main(String[] arguments) throws Exception {
    new HistoryClient(arguments).work(Long.parseLong(arguments[3]));
  }

  private void work(long seed) throws Exception {
    List<Thread> threads = new ArrayList<>();
    if (writes) {
      threads.add(start(new Random(seed), this::write));
    }
    threads.add(start(new Random(seed + 1), this::read));
    threads.add(start(new Random(seed + 2), this::read));
    say("started");
    BufferedReader orders =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String order = orders.readLine(); order != null; order = orders.readLine()) {
      obey(order);
    }
    running = false;
    for (Thread thread : threads) {
      thread.join();
    }
    try (Connection connection = DriverManager.getConnection(url)) {
      say(
          "hits %d of %d reads, %d commits, %d refused, %d ms behind at most: %s"
              .formatted(
                  LarderInstance.count(connection, "hits"),
                  reads.sum(),
                  commits.sum(),
                  refused.sum(),
                  TimeUnit.NANOSECONDS.toMillis(stalest.get()),
                  LarderInstance.status(connection)));
    }
  }

  /** One line, that nobody else's comes between. */
  private static void say(String line) {
    System.out.println(line);
  }

  private void obey(String order) throws Exception {
    if (order.equals("mark")) {
      times.begin();
    } else if (order.startsWith("times ")) {
      say(order + ": " + times.end());
    } else {
      use(order.substring("use ".length()));
    }
  }

  /** After each fault the cache is in use again within ten seconds. */
  private void use(String what) throws Exception {
    long longest = used ? RECOVERY : START;
    used = true;
    long begin = System.nanoTime();
    long before = -1;
    String status = "";
    while (System.nanoTime() - begin < longest) {
      try (Connection connection = DriverManager.getConnection(url)) {
        before = before < 0 ? LarderInstance.count(connection, "hits") : before;
        while (System.nanoTime() - begin < longest) {
          if (LarderInstance.count(connection, "hits") >= before + HITS_OF_USE) {
            long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
            say("used " + what + " after " + millis + " ms");
            return;
          }
          status = LarderInstance.status(connection) + LarderInstance.reason(connection);
          Waiting.pass(Duration.ofMillis(10));
        }
      } catch (SQLException e) {
        status = e.toString();
      }
    }
    say("failed: not in use again after " + what + ": " + status);
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

  private void work(Random random, Step step) throws SQLException {
    Connection connection = null;
    while (running) {
      try {
        if (connection == null || connection.isClosed()) {
          connection = DriverManager.getConnection(url);
        }
        step.run(random, connection);
      } catch (SQLException e) {
        expect(e);
        if (connection != null && !connection.isClosed()) {
          recover(connection);
        }
      }
    }
  }

  private void expect(SQLException e) throws SQLException {
    if (e.getSQLState() == null || !EXPECTED.contains(e.getSQLState())) {
      throw e;
    }
    refused.increment();
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
    int row = random.nextInt(KnownRows.ROWS);
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
        countUp(random, connection, row);
        connection.rollback();
        connection.setAutoCommit(true);
      }
      case 7, 8 -> {
        String transaction = name + "-" + prepared.incrementAndGet();
        connection.setAutoCommit(false);
        long n = countUp(random, connection, row);
        run(connection, "PREPARE TRANSACTION '" + transaction + "'");
        commitPrepared(transaction);
        committed(row, n);
        connection.setAutoCommit(true);
      }
      default -> {
        connection.setAutoCommit(false);
        long n = countUp(random, connection, row);
        connection.commit();
        committed(row, n);
        connection.setAutoCommit(true);
      }
    }
    pause(random.nextInt(200));
  }

  /** Tries until it is done: what is prepared keeps its locks. */
  private void commitPrepared(String transaction) throws SQLException {
    while (true) {
      try (Connection connection = DriverManager.getConnection(url)) {
        run(connection, "COMMIT PREPARED '" + transaction + "'");
        return;
      } catch (SQLException e) {
        if ("42704".equals(e.getSQLState())) {
          return; // It was done, though nobody said so.
        }
        expect(e);
        pause(20);
      }
    }
  }

  private static void pause(int millis) {
    Waiting.pass(Duration.ofMillis(millis));
  }

  private static long countUp(Random random, Connection connection, int row) throws SQLException {
    run(connection, "UPDATE a SET n = n + 1 WHERE id = " + row);
    return switch (random.nextInt(4)) {
      case 0 ->
          Long.parseLong(
              one(connection, "UPDATE b SET n = n + 1 WHERE mirror = " + row + " RETURNING n"));
      case 1 -> {
        long n =
            1 + Long.parseLong(one(connection, "DELETE FROM b WHERE id = " + row + " RETURNING n"));
        run(connection, "INSERT INTO b VALUES (" + row + ", " + row + ", " + n + ")");
        yield n;
      }
      default ->
          Long.parseLong(
              one(connection, "UPDATE b SET n = n + 1 WHERE id = " + row + " RETURNING n"));
    };
  }

  private static String one(Connection connection, String sql) throws SQLException {
    return String.valueOf(LarderInstance.ask(connection, sql));
  }

  /** Notes what everybody may count on from now on. */
  private void committed(int row, long n) {
    known.know(row, n);
    commits.increment();
  }

  private void read(Random random, Connection connection) throws SQLException {
    int row = random.nextInt(KnownRows.ROWS);
    long least = known.leastOf(row);
    long begin = System.nanoTime();
    String sql =
        switch (random.nextInt(6)) {
          case 0 -> "SELECT n, n FROM a WHERE id = ?";
          case 1 -> "SELECT n, n FROM b WHERE id = ?";
          case 2 -> "SELECT a.n, b.n FROM a JOIN b ON b.id = a.id WHERE a.id = ?";
          case 3 -> "SELECT n, n, id FROM b WHERE mirror = ?";
          case 4 -> "SELECT a.n, b.n, b.mirror FROM b JOIN a ON a.id = b.mirror WHERE b.id = ?";
          default -> "SELECT a.n, b.n FROM a JOIN b USING (id) WHERE id = ?";
        };
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setInt(1, row);
      try (ResultSet rows = statement.executeQuery()) {
        rows.next();
        check(sql, row, least, begin, rows.getLong(1), rows.getLong(2));
      }
    }
    times.add(System.nanoTime() - begin);
    pause(1); // So that the machine has time for what is to be tried.
  }

  private void check(String sql, int row, long least, long begin, long n, long other) {
    long behind = n < least ? known.staleness(row, n, begin) : 0;
    stalest.accumulateAndGet(behind, Math::max);
    if ((n < least && allowedNanos == 0) || behind > allowedNanos || n != other) {
      say(
          "anomaly: "
              + sql
              + " of row "
              + row
              + " is "
              + n
              + ", "
              + other
              + "; known was "
              + least
              + ", for "
              + TimeUnit.NANOSECONDS.toMillis(behind)
              + " ms");
    }
    known.know(row, n);
    reads.increment();
  }
}
