package dev.larder.examples.shared;

import dev.larder.examples.MemcachedProcess;
import dev.larder.examples.Postgres;
import java.io.IOException;
import java.sql.SQLException;

/**
 * Two processes share what they have read, see each other's writes at once, and go on when
 * memcached is killed under them. Needs memcached on the PATH.
 */
public final class SharedCache {
  private SharedCache() {}

  /** Runs the example. */
  public static void main(String[] arguments) throws IOException, SQLException {
    try (Postgres postgres = Postgres.start();
        MemcachedProcess memcached = MemcachedProcess.start()) {
      String url = url(postgres, memcached);
      try (Prices prices = new Prices(url);
          OtherProcess other = OtherProcess.launch(url)) {
        prices.create();
        share(prices, other);
        write(prices, other);
        kill(prices, other, memcached);
      }
    }
  }

  private static String url(Postgres postgres, MemcachedProcess memcached) {
    return postgres.url().replace("jdbc:postgresql:", "jdbc:larder:postgresql:")
        + "&larder.writers=memcached&larder.backend=memcached&larder.memcached.servers="
        + memcached.address()
        // A machine that does other things, too, is no memcached that does not answer.
        + "&larder.memcached.timeout=2000ms&larder.memcached.onUnreachable=failCommit";
  }

  private static void share(Prices prices, OtherProcess other) throws IOException, SQLException {
    System.out.println("1. What one process has read, the other need not ask the database for.");
    say("this process: " + prices.readFromCache());
    say("the other:    " + other.readFromCache());
    say("once more:    " + other.read());
  }

  private static void write(Prices prices, OtherProcess other) throws IOException, SQLException {
    System.out.println("2. What one process commits, the other sees at once.");
    prices.write(12);
    say("this process has written 12");
    say("the other:    " + other.read());
    say("a moment later: " + other.readFromCache());
  }

  private static void kill(Prices prices, OtherProcess other, MemcachedProcess memcached)
      throws IOException, SQLException {
    System.out.println("3. memcached is killed: reads go on, commits fail and change nothing.");
    memcached.kill();
    say("this process: " + prices.read());
    say("the other:    " + other.read());
    try {
      prices.write(99);
      throw new IllegalStateException("a commit that nobody could be told of has succeeded");
    } catch (SQLException e) {
      if (!Prices.TRY_AGAIN.equals(e.getSQLState())) {
        throw e;
      }
      say("a write of 99 fails, with SQLState " + e.getSQLState());
    }
    memcached.restart();
    System.out.println("4. memcached is back, with nothing in it.");
    say("this process: " + prices.readFromCache());
    say("the other:    " + other.readFromCache());
    prices.write(15);
    say("this process has written 15");
    say("the other:    " + other.read());
  }

  private static void say(String line) {
    System.out.println("   " + line);
  }
}
