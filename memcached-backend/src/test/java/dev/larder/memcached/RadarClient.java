package dev.larder.memcached;

import static dev.larder.memcached.LarderInstance.run;

import dev.larder.testing.Waiting;
import java.io.StringReader;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import org.postgresql.PGConnection;

/**
 * One JVM of {@link RadarFleetTest}: reads tables, writes them in every way if it is told to, and
 * says what its radar shows, until its input ends.
 */
final class RadarClient {
  static final String WATCHING = "watching";

  /** What the number of steps that wrote is said after. */
  static final String WRITES = "writes ";

  private final String url;
  private final int number;
  private final List<String> tables;
  private final LongAdder written = new LongAdder();
  private volatile boolean running = true;

  private RadarClient(String url, int number, List<String> tables) {
    this.url = url;
    this.number = number;
    this.tables = tables;
  }

  /** Works; the arguments are Larder's URL, a number of its own, whether to write, and tables. */
  public static void main(String[] arguments) throws Exception {
    List<String> tables = List.of(arguments).subList(3, arguments.length);
    RadarClient client = new RadarClient(arguments[0], Integer.parseInt(arguments[1]), tables);
    client.work(Boolean.parseBoolean(arguments[2]));
  }

  /** What a thread does again and again. */
  private interface Step {
    void run(Connection connection, Random random) throws Exception;
  }

  private void work(boolean writes) throws Exception {
    List<Thread> threads = new ArrayList<>();
    threads.add(start(this::read));
    threads.add(start(new Shown()::look));
    if (writes) {
      threads.add(start(this::write));
      threads.add(start(this::write));
    }
    while (System.in.read() >= 0) {
      // Nothing is said but that it ends.
    }
    running = false;
    for (Thread thread : threads) {
      thread.join();
    }
    try (Connection connection = DriverManager.getConnection(url)) {
      System.out.println("hits " + LarderInstance.count(connection, "hits"));
      System.out.println(WRITES + written.sum());
    }
  }

  private Thread start(Step step) {
    Thread thread =
        new Thread(
            () -> {
              Random random = new Random();
              while (running) {
                try (Connection connection = DriverManager.getConnection(url)) {
                  while (running) {
                    step.run(connection, random);
                  }
                } catch (Exception | AssertionError e) {
                  System.out.println("failed: " + e + " at " + e.getStackTrace()[0]);
                  running = false;
                }
              }
            });
    thread.start();
    return thread;
  }

  private void read(Connection connection, Random random) throws Exception {
    for (String table : tables) {
      try (Statement statement = connection.createStatement();
          ResultSet rows = statement.executeQuery("SELECT count(*) FROM " + table)) {
        rows.next();
      }
    }
    Waiting.pass(Duration.ofMillis(20));
  }

  /** Says once when every table is watched, and of each table that others have written it. */
  private final class Shown {
    private final Set<String> foreign = new HashSet<>();
    private boolean watching;

    void look(Connection connection, Random random) throws Exception {
      int watched = 0;
      try (Statement statement = connection.createStatement();
          ResultSet rows = statement.executeQuery("SHOW larder.tables")) {
        while (rows.next()) {
          String table = rows.getString("table_name").replace("public.", "");
          String state = rows.getString("radar");
          watched += state.equals("watching") ? 1 : 0;
          if (rows.getLong("foreign_rows") > 0 || state.equals("foreign writes")) {
            if (foreign.add(table)) {
              System.out.println("foreign " + table);
            }
          }
        }
      }
      if (!watching && watched >= tables.size()) {
        watching = true;
        System.out.println(WATCHING);
      }
      Waiting.pass(Duration.ofMillis(50));
    }
  }

  private void write(Connection connection, Random random) throws Exception {
    try {
      writeSomehow(connection, random, random.nextInt(50));
      written.increment();
    } catch (SQLException e) {
      if (!isToBeTriedAgain(e)) {
        throw e;
      }
      if (!connection.getAutoCommit()) {
        connection.rollback();
        connection.setAutoCommit(true);
      }
    }
    Waiting.pass(Duration.ofMillis(random.nextInt(20) == 0 ? 1_500 : random.nextInt(40)));
  }

  /** A deadlock, or a commit that memcached, when it was stopped, could not be told of. */
  private static boolean isToBeTriedAgain(SQLException e) {
    return "40P01".equals(e.getSQLState()) || "40001".equals(e.getSQLState());
  }

  private void writeSomehow(Connection connection, Random random, int id) throws Exception {
    switch (random.nextInt(14)) {
      case 0 -> run(connection, "UPDATE plain SET v = 'u' WHERE id = " + id);
      case 1 -> rolledBack(connection, id);
      case 2 -> run(connection, "DELETE FROM plain WHERE id = " + (50 + random.nextInt(50)));
      case 3 -> failing(connection, id);
      case 4 -> run(connection, "UPDATE stamped SET v = 's' WHERE id = " + id);
      case 5 -> run(connection, "UPDATE audited SET v = 'a' WHERE id = " + id);
      case 6 -> cascading(connection, random);
      case 7 -> run(connection, "UPDATE parts SET id = (id + 50) % 100 WHERE id = " + id);
      case 8 ->
          run(
              connection,
              "INSERT INTO upserted VALUES ("
                  + id
                  + ", 'x') ON CONFLICT (id) DO UPDATE SET v = 'y'");
      case 9 -> batch(connection);
      case 10 ->
          connection
              .unwrap(PGConnection.class)
              .getCopyAPI()
              .copyIn("COPY log FROM STDIN (FORMAT csv)", new StringReader("1,c\n2,c\n"));
      case 11 -> returning(connection, id);
      case 12 ->
          run(
              connection,
              "WITH d AS (DELETE FROM log WHERE v = 'c' RETURNING id)"
                  + " INSERT INTO log SELECT id, 'm' FROM d LIMIT 3");
      default -> {
        if (random.nextInt(20) == 0) {
          run(connection, "TRUNCATE log");
        }
      }
    }
  }

  private static void rolledBack(Connection connection, int id) throws Exception {
    connection.setAutoCommit(false);
    run(connection, "UPDATE plain SET v = 'r' WHERE id = " + id);
    Waiting.pass(Duration.ofMillis(30));
    connection.rollback();
    connection.setAutoCommit(true);
  }

  private static void failing(Connection connection, int id) throws SQLException {
    try {
      run(connection, "INSERT INTO stamped VALUES (" + id + ", 'again')");
    } catch (SQLException e) {
      if (!"23505".equals(e.getSQLState())) {
        throw e;
      }
    }
  }

  private void cascading(Connection connection, Random random) throws SQLException {
    int own = 1_000 * number + random.nextInt(900);
    run(connection, "INSERT INTO parent VALUES (" + own + ") ON CONFLICT DO NOTHING");
    run(connection, "INSERT INTO child SELECT id FROM parent WHERE id = " + own);
    run(connection, "DELETE FROM parent WHERE id = " + own);
  }

  private static void batch(Connection connection) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement("UPDATE plain SET v = ? WHERE id = ?")) {
      for (int i = 0; i < 5; i++) {
        insert.setString(1, "b");
        insert.setInt(2, i);
        insert.addBatch();
      }
      insert.executeBatch();
    }
  }

  private static void returning(Connection connection, int id) throws SQLException {
    try (PreparedStatement update =
        connection.prepareStatement("UPDATE plain SET v = 'q' WHERE id = ? RETURNING v")) {
      update.setInt(1, id);
      try (ResultSet rows = update.executeQuery()) {
        rows.next();
      }
    }
  }
}
