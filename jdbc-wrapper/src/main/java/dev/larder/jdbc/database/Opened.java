package dev.larder.jdbc.database;

import java.sql.SQLException;

/** Closes a connection that was opened in vain. Stateless. */
public final class Opened {
  private Opened() {}

  /** Opens a connection. */
  @FunctionalInterface
  public interface Opening<T> {
    T open() throws SQLException;
  }

  /** Makes something of an open connection. */
  @FunctionalInterface
  public interface Use<T, R> {
    R of(T opened) throws SQLException;
  }

  /** Closes a connection. */
  @FunctionalInterface
  public interface Closing<T> {
    void close(T opened) throws SQLException;
  }

  /** Returns what {@code use} makes of {@code opened}, which is closed if that fails. */
  public static <T, R> R orClose(T opened, Closing<T> closing, Use<T, R> use) throws SQLException {
    try {
      return use.of(opened);
    } catch (SQLException | RuntimeException | Error e) {
      try {
        closing.close(opened);
      } catch (SQLException failure) {
        e.addSuppressed(failure);
      }
      throw e;
    }
  }
}
