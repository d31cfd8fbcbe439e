package dev.larder.examples.badminutes;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.larder.jdbc.LazyDataSource;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;

/**
 * The process of a side: visitors ask for pages, and somebody changes products. It does what its
 * input says, says each second what came in it, and ends with its input.
 */
final class Application {
  /** How many pages are asked for in a second. */
  static final int PAGES_A_SECOND = 100;

  /** How many dashboards are asked for in a second, in their scene. */
  static final int DASHBOARDS_A_SECOND = 20;

  /** What it says once it works. */
  static final String READY = "ready";

  /** Before the counts of a second stands this, and which second that is. */
  static final String SECOND = "second";

  /** With a number of seconds for which slow queries hold all connections. */
  static final String EXHAUST = "exhaust";

  /** Asks for dashboards from now on. */
  static final String LOOK = "look";

  private static final int POOL = 10;
  private static final int DASHBOARD_POOL = 4;
  private static final int LONGEST_WAIT_MILLIS = 1_000;
  private static final int THREADS = 200;
  private static final int CHANGES_A_SECOND = 2;
  private static final int VISITS_A_SECOND = 50;
  private static final int FILLING = 2;

  private final Side side;
  private final DataSource pool;
  private final Tally pages = new Tally();
  private final Tally dashboards = new Tally();
  private final Tally writes = new Tally();
  private final List<Load> looks = new ArrayList<>();

  private Application(Side side, DataSource pool) {
    this.side = side;
    this.pool = pool;
  }

  /**
   * Works; the arguments are the side, its URL, that of its writers, and whether all pages are
   * asked for before it says that it is ready.
   */
  public static void main(String[] arguments) throws Exception {
    Side side = Side.valueOf(arguments[0]);
    String url = arguments[1];
    try (HikariDataSource pool = pool(url, POOL);
        HikariDataSource few = pool(url, DASHBOARD_POOL);
        Connection writer = DriverManager.getConnection(arguments[2]);
        Connection other = DriverManager.getConnection(arguments[2])) {
      DataSource source = side == Side.LARDER ? new LazyDataSource(pool) : pool;
      Pages shown = new Pages(side, source, writer);
      Dashboard dashboard = new Dashboard(side, few, other);
      if (Boolean.parseBoolean(arguments[3])) {
        fill(shown);
      }
      new Application(side, pool).work(shown, dashboard);
    }
    System.exit(0);
  }

  private static HikariDataSource pool(String url, int connections) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url);
    config.setMaximumPoolSize(connections);
    config.setConnectionTimeout(LONGEST_WAIT_MILLIS);
    config.setInitializationFailTimeout(TimeUnit.MINUTES.toMillis(1));
    return new HikariDataSource(config);
  }

  /** An application that has run for a while has asked for everything. */
  private static void fill(Pages pages) throws SQLException {
    for (int time = 0; time < FILLING; time++) {
      for (int product = 1; product <= Pages.COUNT; product++) {
        pages.ask(product);
      }
    }
  }

  private void work(Pages shown, Dashboard dashboard) throws IOException {
    Load reading = Load.start(shown::askAny, pages, PAGES_A_SECOND, THREADS);
    Load changing = Load.start(shown::change, writes, CHANGES_A_SECOND, 1);
    daemon(this::tell);
    System.out.println(READY);
    try (BufferedReader input =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      for (String line = input.readLine(); line != null; line = input.readLine()) {
        follow(line.split(" "), dashboard);
      }
    }
    reading.stop();
    changing.stop();
    looks.forEach(Load::stop);
  }

  private void follow(String[] words, Dashboard dashboard) {
    switch (words[0]) {
      case EXHAUST -> exhaust(Integer.parseInt(words[1]));
      case LOOK -> {
        looks.add(Load.start(dashboard::ask, dashboards, DASHBOARDS_A_SECOND, THREADS / 10));
        looks.add(Load.start(dashboard::write, writes, VISITS_A_SECOND, 1));
      }
      default -> throw new IllegalArgumentException(words[0]);
    }
  }

  private void exhaust(int seconds) {
    for (int i = 0; i < POOL; i++) {
      daemon(
          () -> {
            try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
              statement.execute("SELECT pg_sleep(" + seconds + ")");
            } catch (SQLException e) {
              System.out.println("failed: " + side.label() + ": " + e);
            }
          });
    }
  }

  private static void daemon(Runnable work) {
    Thread thread = new Thread(work);
    thread.setDaemon(true);
    thread.start();
  }

  /** Says, at the end of each second of the clock, what came in it. */
  private void tell() {
    try {
      while (true) {
        long second = System.currentTimeMillis() / 1_000;
        TimeUnit.MILLISECONDS.sleep((second + 1) * 1_000 - System.currentTimeMillis());
        System.out.println(SECOND + " " + second + " " + pages.take() + " " + dashboards.take());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
