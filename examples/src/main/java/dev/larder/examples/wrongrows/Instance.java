package dev.larder.examples.wrongrows;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.larder.examples.wrongrows.Products.Page;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/**
 * One of the processes of the application: some threads that read, and one that changes a product
 * every other second, on each side the same. It says when it is ready, what the radar says, and
 * what fails; it ends with its input.
 */
final class Instance {
  /** How many of them run. */
  static final int COUNT = 3;

  /** How many threads of each read. */
  static final int READERS = 2;

  /** What one says when everything is connected, and Larder answers from its cache. */
  static final String READY = "ready";

  private static final int READS_NOTED_AT_ONCE = 16;
  private static final long BETWEEN_CHANGES_MILLIS = 2_000;
  private static final long LONGEST_START_NANOS = TimeUnit.SECONDS.toNanos(60);

  /** Held, because loggers are kept weakly. */
  private static final Logger LARDER_LOG = Logger.getLogger("dev.larder");

  private final String url;
  private final String larderUrl;
  private final Board board;
  private final int number;
  private final Cache<Integer, Page> pagesByHand;
  private volatile boolean running = true;

  private Instance(String url, String larderUrl, Board board, int number, Duration timeToLive) {
    this.url = url;
    this.larderUrl = larderUrl;
    this.board = board;
    this.number = number;
    this.pagesByHand = Caffeine.newBuilder().expireAfterWrite(timeToLive).build();
  }

  /**
   * Works; the arguments are the driver's URL, Larder's, the board's file, a number from 0, and the
   * time to live of what is cached by hand.
   */
  public static void main(String[] arguments) throws Exception {
    Board board = Board.in(Path.of(arguments[2]));
    int number = Integer.parseInt(arguments[3]);
    LARDER_LOG.addHandler(new SaidByTheRadar());
    new Instance(arguments[0], arguments[1], board, number, Duration.parse(arguments[4])).work();
  }

  private void work() throws IOException, SQLException, InterruptedException {
    // Held until the end: a process without a connection has, after a second, left.
    try (Products products = new JdbcProducts(larderUrl, Side.LARDER);
        Connection connection = DriverManager.getConnection(larderUrl)) {
      awaitHit(products, connection);
      List<Thread> threads = new ArrayList<>();
      for (int reader = 0; reader < READERS; reader++) {
        int own = number * READERS + reader;
        threads.add(start(each -> read(each, own)));
      }
      threads.add(start(this::change));
      System.out.println(READY);
      while (System.in.read() >= 0) {
        // Nothing is said but that it ends.
      }
      running = false;
      for (Thread thread : threads) {
        thread.join();
      }
    }
  }

  /** After a start it takes Larder a moment to know the catalog. */
  private static void awaitHit(Products products, Connection connection) throws SQLException {
    long deadline = System.nanoTime() + LONGEST_START_NANOS;
    try (Statement statement = connection.createStatement()) {
      long hits = 0;
      while (hits == 0) {
        if (System.nanoTime() - deadline > 0) {
          throw new SQLException("Larder has no hit within a minute");
        }
        products.page(1);
        try (ResultSet row = statement.executeQuery("SHOW larder.cache")) {
          row.next();
          hits = row.getLong("hits");
        }
      }
    }
  }

  /** What a thread does until the process ends. */
  private interface Work {
    void run(Map<Side, Products> products) throws SQLException, InterruptedException;
  }

  private Thread start(Work work) {
    Thread thread =
        new Thread(
            () -> {
              Map<Side, Products> products = new EnumMap<>(Side.class);
              try {
                for (Side side : Side.values()) {
                  products.put(side, connect(side));
                }
                work.run(products);
                for (Products each : products.values()) {
                  each.close();
                }
              } catch (SQLException | InterruptedException e) {
                System.out.println("failed: " + e);
              }
            });
    thread.start();
    return thread;
  }

  private Products connect(Side side) throws SQLException {
    Products database = new JdbcProducts(side == Side.LARDER ? larderUrl : url, side);
    return side == Side.BY_HAND ? new CachedByHand(pagesByHand, database) : database;
  }

  private static Products of(Map<Side, Products> products, Side side) {
    return Objects.requireNonNull(products.get(side));
  }

  private void read(Map<Side, Products> products, int reader) throws SQLException {
    long[] answers = new long[Side.values().length];
    long[] wrong = new long[Side.values().length];
    long[] late = new long[Side.values().length];
    while (running) {
      Side side = Side.reading();
      Products source = of(products, side);
      for (int i = 0; i < READS_NOTED_AT_ONCE; i++) {
        int product = 1 + ThreadLocalRandom.current().nextInt(Products.COUNT);
        long least = board.acknowledged(side, product);
        long asked = System.nanoTime();
        long version = source.page(product).version();
        wrong[side.index()] += version < least ? 1 : 0;
        late[side.index()] += board.isLate(side, product, version, least, asked) ? 1 : 0;
      }
      answers[side.index()] += READS_NOTED_AT_ONCE;
      board.note(side, reader, answers[side.index()], wrong[side.index()], late[side.index()]);
    }
  }

  /** The processes take turns by the clock. */
  private void change(Map<Side, Products> products) throws SQLException, InterruptedException {
    while (running) {
      long turn = number * BETWEEN_CHANGES_MILLIS / COUNT - System.currentTimeMillis();
      TimeUnit.MILLISECONDS.sleep(1 + Math.floorMod(turn - 1, BETWEEN_CHANGES_MILLIS));
      int product = 1 + ThreadLocalRandom.current().nextInt(Products.COUNT);
      for (Side side : Side.values()) {
        board.acknowledge(side, product, of(products, side).change(product));
      }
    }
  }

  /** Passes on what the radar says of the products. */
  private static final class SaidByTheRadar extends Handler {
    private final SimpleFormatter words = new SimpleFormatter();

    @Override
    public void publish(LogRecord line) {
      String text = words.formatMessage(line);
      if (text.startsWith(WrongRows.RADAR_CODE) && text.contains(Side.LARDER.table())) {
        System.out.println(text);
      }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }
}
