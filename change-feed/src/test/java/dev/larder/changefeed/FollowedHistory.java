package dev.larder.changefeed;

import dev.larder.testing.Waiting;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Writers that are not Larder count up the rows of a table, each row by one of them, and note when
 * each commit was acknowledged. Readers with a cache ask for rows by different queries. No answer
 * may be older than the bound: what was acknowledged that long before the query began must be in
 * it. A session that writes through Larder reads its own writes at once.
 */
final class FollowedHistory {
  static final int ROWS = 64;
  private static final int KEPT = 1 << 14;
  private static final List<String> QUERIES =
      List.of(
          "SELECT id, version FROM counted WHERE id = ?",
          "SELECT id, version FROM counted WHERE grp = (SELECT grp FROM counted WHERE id = ?)",
          "SELECT id, version FROM counted WHERE id >= ? ORDER BY id LIMIT 3",
          "SELECT id, version FROM counted ORDER BY id, ? LIMIT 64");

  private final FeedServer server;
  private final String database;
  private final String options;
  private final long maxLagNanos;
  private final boolean ordered;

  /** When a version was acknowledged, by row and version modulo what is kept. */
  private final AtomicReferenceArray<AtomicLongArray> acknowledged =
      new AtomicReferenceArray<>(ROWS + 1);

  private final AtomicLongArray last = new AtomicLongArray(ROWS + 1);
  private final ConcurrentLinkedQueue<String> violations = new ConcurrentLinkedQueue<>();
  private final AtomicLong reads = new AtomicLong();
  private final AtomicLong writes = new AtomicLong();
  private final AtomicLong worstNanos = new AtomicLong();
  private volatile boolean stopped;

  FollowedHistory(FeedServer server, Duration maxLag, String options) throws SQLException {
    this.server = server;
    this.maxLagNanos = maxLag.toNanos();
    this.ordered = options.contains("larder.feed.order=session");
    this.options =
        "&larder.writers=any&larder.feed=wal&larder.admission=all&larder.feed.maxLag="
            + maxLag.toMillis()
            + "ms"
            + options;
    database = server.createDatabase();
    server.execute(
        database,
        "CREATE TABLE counted (id int PRIMARY KEY, grp int NOT NULL, version bigint NOT NULL)",
        "CREATE INDEX ON counted (grp)",
        "INSERT INTO counted SELECT n, n % 8, 0 FROM generate_series(1, " + ROWS + ") n",
        "CREATE PUBLICATION larder FOR TABLE counted");
    for (int row = 0; row <= ROWS; row++) {
      acknowledged.set(row, new AtomicLongArray(KEPT));
    }
  }

  String database() {
    return database;
  }

  long reads() {
    return reads.get();
  }

  long writes() {
    return writes.get();
  }

  long worstMicros() {
    return worstNanos.get() / 1_000;
  }

  List<String> violations() {
    return List.copyOf(violations);
  }

  Connection larder() throws SQLException {
    return DriverManager.getConnection(
        server.url(database).replace("jdbc:", "jdbc:larder:") + options);
  }

  /** Something that is done now and then, against which the history must hold. */
  @FunctionalInterface
  interface Fault {
    void strike(FollowedHistory history, Random random) throws Exception;
  }

  /** Runs for a time. */
  void run(Duration time, int readers, int writers, long pauseMicros, @Nullable Fault fault)
      throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < writers; i++) {
      int number = i;
      threads.add(new Thread(() -> repeat(() -> write(number, writers, pauseMicros))));
    }
    for (int i = 0; i < readers; i++) {
      int number = i;
      threads.add(new Thread(() -> repeat(() -> read(number))));
    }
    threads.add(new Thread(() -> repeat(() -> writeAndRead())));
    if (fault != null) {
      threads.add(new Thread(() -> repeat(() -> strike(fault))));
    }
    threads.forEach(Thread::start);
    Waiting.pass(time);
    stopped = true;
    for (Thread thread : threads) {
      thread.join();
    }
  }

  @FunctionalInterface
  private interface Work {
    void work() throws Exception;
  }

  /** A connection may be lost by a fault: then all begins anew. */
  private void repeat(Work work) {
    while (!stopped) {
      try {
        work.work();
      } catch (SQLException e) {
        Waiting.pass(Duration.ofMillis(20));
      } catch (Exception e) {
        violations.add("failed: " + e);
      }
    }
  }

  private void strike(Fault fault) throws Exception {
    Random random = new Random();
    while (!stopped) {
      Waiting.pass(Duration.ofMillis(200 + random.nextInt(800)));
      fault.strike(this, random);
    }
  }

  private void write(int number, int writers, long pauseMicros) throws SQLException {
    Random random = new Random();
    try (Connection connection = server.connect(database)) {
      while (!stopped) {
        // Row ROWS is written through Larder alone.
        int row =
            1 + number + writers * random.nextInt((ROWS - 1 - number + writers - 1) / writers);
        connection.setAutoCommit(random.nextBoolean());
        try (Statement statement = connection.createStatement()) {
          if (random.nextInt(4) == 0) {
            statement.execute("SET synchronous_commit = " + (random.nextBoolean() ? "on" : "off"));
          }
          long version = version(statement, row);
          if (random.nextInt(8) == 0) {
            statement.execute("DELETE FROM counted WHERE id = " + row);
            if (!connection.getAutoCommit() || random.nextBoolean()) {
              insert(statement, row, version);
            }
          } else {
            statement.execute("UPDATE counted SET version = " + version + " WHERE id = " + row);
          }
          if (!connection.getAutoCommit()) {
            connection.commit();
          }
          if (statement.getUpdateCount() >= 0 || version > 0) {
            noteIfThere(statement, connection, row, version);
          }
        }
        writes.incrementAndGet();
        Waiting.pass(Duration.ofNanos(pauseMicros * 1_000));
      }
    }
  }

  private static void insert(Statement statement, int row, long version) throws SQLException {
    statement.execute("INSERT INTO counted VALUES (" + row + ", " + row % 8 + ", " + version + ")");
  }

  /** Returns the next version of a row, which only this thread writes; makes it where it is not. */
  private long version(Statement statement, int row) throws SQLException {
    long version = last.incrementAndGet(row);
    try (ResultSet there = statement.executeQuery("SELECT 1 FROM counted WHERE id = " + row)) {
      if (there.next()) {
        return version;
      }
    }
    insert(statement, row, version);
    return last.incrementAndGet(row);
  }

  /** Where the row is gone nobody can read an old version of it either, but that is not checked. */
  private void noteIfThere(Statement statement, Connection connection, int row, long version)
      throws SQLException {
    long now = System.nanoTime();
    try (ResultSet there =
        statement.executeQuery("SELECT version FROM counted WHERE id = " + row)) {
      if (there.next() && there.getLong(1) == version) {
        acknowledged.get(row).set((int) (version % KEPT), now);
      }
    }
    if (!connection.getAutoCommit()) {
      connection.commit();
    }
  }

  private void read(int number) throws SQLException {
    Random random = new Random();
    long[] seen = new long[ROWS + 1];
    try (Connection connection = larder()) {
      while (!stopped) {
        String sql = QUERIES.get(random.nextInt(number % 2 == 0 ? 2 : QUERIES.size()));
        try (PreparedStatement query = connection.prepareStatement(sql)) {
          for (int i = 0; i < 50 && !stopped; i++) {
            query.setInt(1, 1 + random.nextInt(ROWS));
            long begun = System.nanoTime();
            try (ResultSet rows = query.executeQuery()) {
              while (rows.next()) {
                check(sql, rows.getInt(1), rows.getLong(2), begun, seen);
              }
            }
            reads.incrementAndGet();
            if (ordered) {
              Waiting.pass(Duration.ofMillis(random.nextInt(4))); // A client that thinks.
            }
          }
        }
      }
    }
  }

  private void check(String sql, int row, long version, long begun, long[] seen) {
    // The next one that was acknowledged must not have been so for too long.
    long newest = last.get(row);
    AtomicLongArray times = acknowledged.get(row);
    for (long later = version + 1; later <= newest && later < version + KEPT / 2; later++) {
      long time = times.get((int) (later % KEPT));
      if (time != 0 && begun - time > 0) {
        long age = begun - time;
        worstNanos.accumulateAndGet(age, Math::max);
        if (age > maxLagNanos) {
          violations.add(
              sql
                  + ": row "
                  + row
                  + " has version "
                  + version
                  + "; "
                  + later
                  + " was acknowledged "
                  + age / 1_000
                  + " µs before the query began");
        }
        break;
      }
    }
    if (ordered && version < seen[row]) {
      violations.add(sql + ": row " + row + " has version " + version + " after " + seen[row]);
    }
    seen[row] = Math.max(seen[row], version);
  }

  /** Own writes are seen at once, by any session of this process. */
  private void writeAndRead() throws SQLException {
    try (Connection connection = larder();
        Connection other = larder()) {
      while (!stopped) {
        long version = last.incrementAndGet(ROWS);
        try (Statement statement = connection.createStatement()) {
          statement.executeUpdate(
              "UPDATE counted SET version = " + version + " WHERE id = " + ROWS);
        }
        for (Connection each : List.of(connection, other)) {
          try (PreparedStatement query = each.prepareStatement(QUERIES.get(0))) {
            query.setInt(1, ROWS);
            try (ResultSet row = query.executeQuery()) {
              if (!row.next() || row.getLong(2) < version) {
                violations.add("an own write of version " + version + " was not seen");
              }
            }
          }
        }
        Waiting.pass(Duration.ofMillis(3));
      }
    }
  }

  /** Returns what differs once all is quiet, of what the cache answers from the database. */
  List<String> quiescence() throws SQLException {
    List<String> wrong = new ArrayList<>();
    Waiting.pass(Duration.ofNanos(maxLagNanos).plusMillis(100));
    try (Connection cached = larder();
        Connection bare = server.connect(database)) {
      for (int id = 1; id <= ROWS; id++) {
        for (String sql : QUERIES) {
          List<String> answer = answer(cached, sql, id);
          if (!answer.equals(answer(bare, sql, id))) {
            wrong.add(sql + " of " + id + ": " + answer);
          }
        }
      }
    }
    return wrong;
  }

  private static List<String> answer(Connection connection, String sql, int id)
      throws SQLException {
    List<String> rows = new ArrayList<>();
    try (PreparedStatement query = connection.prepareStatement(sql)) {
      query.setInt(1, id);
      try (ResultSet row = query.executeQuery()) {
        while (row.next()) {
          rows.add(row.getString(1) + '=' + row.getString(2));
        }
      }
    }
    rows.sort(null);
    return rows;
  }

  void killWalsenders() throws SQLException {
    server.execute("postgres", "SELECT pg_terminate_backend(pid) FROM pg_stat_replication");
  }

  /**
   * Stops the process that sends the log, and has the server end its slot, which keeps more of the
   * log than it may.
   *
   * @return whether the slot is gone
   */
  boolean loseSlot(Duration stopped) throws Exception {
    String slot = "SELECT %s FROM pg_replication_slots WHERE active_pid IS NOT NULL";
    String process = server.ask("postgres", slot.formatted("active_pid"));
    String name = server.ask("postgres", slot.formatted("slot_name"));
    if (process == null || name == null || !signal("-STOP", process)) {
      return false;
    }
    Thread checkpoint = new Thread(() -> repeatOnce(this::checkpoint));
    checkpoint.start(); // It waits for the process.
    Waiting.pass(stopped);
    signal("-CONT", process);
    checkpoint.join();
    return !name.equals(server.ask("postgres", slot.formatted("slot_name")));
  }

  private void checkpoint() throws SQLException {
    for (int i = 0; i < 3; i++) {
      server.execute(
          database, "SELECT pg_logical_emit_message(false, 'test', '')", "SELECT pg_switch_wal()");
    }
    server.execute("postgres", "CHECKPOINT");
  }

  private void repeatOnce(Work work) {
    try {
      work.work();
    } catch (Exception e) {
      violations.add("failed: " + e);
    }
  }

  private static boolean signal(String signal, String process) throws Exception {
    return new ProcessBuilder("kill", signal, process).start().waitFor() == 0;
  }

  long hits() throws SQLException {
    try (Connection connection = larder();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SHOW larder.cache")) {
      row.next();
      return row.getLong("hits");
    }
  }
}
