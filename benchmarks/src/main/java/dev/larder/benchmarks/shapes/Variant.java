package dev.larder.benchmarks.shapes;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * A way to the server.
 *
 * @param label its name on a figure
 * @param source makes a connection
 */
record Variant(String label, Source source) {
  /** Makes connections. */
  @FunctionalInterface
  interface Source {
    Connection connect() throws SQLException;
  }
}
