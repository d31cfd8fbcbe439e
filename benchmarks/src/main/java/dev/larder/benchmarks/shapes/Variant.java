package dev.larder.benchmarks.shapes;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * A way to the server.
 *
 * @param label its name on a figure
 * @param source makes a connection
 */
public record Variant(String label, Source source) {
  /** Makes connections. */
  @FunctionalInterface
  public interface Source {
    /** Returns a new connection. */
    Connection connect() throws SQLException;
  }
}
