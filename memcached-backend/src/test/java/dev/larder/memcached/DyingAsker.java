package dev.larder.memcached;

import java.sql.Connection;
import java.sql.DriverManager;

/** A JVM that asks a query when it is told to, until it is killed; see {@link SharedLeaseTest}. */
final class DyingAsker {
  private DyingAsker() {}

  /** Works; the arguments are Larder's URL, a query to begin with, and the query. */
  public static void main(String[] arguments) throws Exception {
    try (Connection connection = DriverManager.getConnection(arguments[0])) {
      LarderInstance.askUntilHit(connection, arguments[1]);
      while (true) {
        System.out.println("ready");
        if (System.in.read() < 0) {
          return;
        }
        LarderInstance.ask(connection, arguments[2]);
      }
    }
  }
}
