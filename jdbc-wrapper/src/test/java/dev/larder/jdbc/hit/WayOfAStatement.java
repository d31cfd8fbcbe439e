package dev.larder.jdbc.hit;

import dev.larder.jdbc.LarderProbe;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * Runs a hit, and then a write in autocommit, each between {@link #begin} and {@link #end}, after
 * so many others that everything is known: what {@link WayOfAStatementTest} looks at from outside.
 */
final class WayOfAStatement {
  private static final int WARM_UP = 20;
  private static final int WRITES = 3;

  private WayOfAStatement() {}

  /**
   * Runs in a JVM of its own.
   *
   * @param arguments Larder's URL, a query and an update, each with one parameter
   */
  public static void main(String[] arguments) throws SQLException {
    try (Connection connection = DriverManager.getConnection(arguments[0]);
        PreparedStatement write = connection.prepareStatement(arguments[2])) {
      LarderProbe.awaitCatalog(connection);
      for (int i = 1; i < WARM_UP; i++) {
        write.setInt(1, 1);
        write.executeUpdate();
      }
      for (int i = 1; i < WARM_UP; i++) {
        try (PreparedStatement read = connection.prepareStatement(arguments[1])) {
          read.setInt(1, 1);
          read.executeQuery().next();
        }
      }
      long hitsBefore = LarderProbe.hits(connection);
      try (PreparedStatement read = connection.prepareStatement(arguments[1])) {
        read.setInt(1, 1);
        begin();
        ResultSet row = read.executeQuery();
        end();
        row.next();
      }
      if (LarderProbe.hits(connection) == hitsBefore) {
        throw new AssertionError("not cached: " + LarderProbe.reason(connection, arguments[1]));
      }
      for (int i = 0; i < WRITES; i++) {
        write.setInt(1, 1);
        begin();
        write.executeUpdate();
        end();
      }
    }
  }

  /** Where the debugger begins to look. */
  private static void begin() {}

  /** Where it ends. */
  private static void end() {}
}
