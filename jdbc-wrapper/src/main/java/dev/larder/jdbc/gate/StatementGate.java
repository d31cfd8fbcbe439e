package dev.larder.jdbc.gate;

import dev.larder.engine.FollowedSession;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** What everything that reaches the server without being a JDBC statement passes through. */
public interface StatementGate {
  /**
   * Announces.
   *
   * @param sql what is about to be sent, or null where it is no SQL and may do anything
   */
  default Passage enter(@Nullable String sql) throws SQLException {
    return enter(sql, false);
  }

  /**
   * As {@link #enter(String)}.
   *
   * @param unbegun whether the driver sends it without BEGIN though autocommit is off: where no
   *     transaction is open it is one of its own
   */
  Passage enter(@Nullable String sql, boolean unbegun) throws SQLException;

  /** Notes that the driver is about to be asked for something that may reach the server. */
  void touched() throws SQLException;

  /** Notes that results may come in other formats from now on. */
  void formatsChanged();

  /** Returns what the session must see of the writes of others; null where nobody follows them. */
  @Nullable FollowedSession followed();

  /** Returns the connection's large objects. */
  LargeObjects largeObjects();

  /** Announces {@code sql}, makes {@code call} and publishes. */
  default <T> T pass(@Nullable String sql, Call<T> call) throws SQLException {
    return within(enter(sql), call);
  }

  /** Makes {@code call} and publishes. */
  static <T> T within(Passage passage, Call<T> call) throws SQLException {
    Throwable thrown = null;
    try {
      return call.call();
    } catch (SQLException | RuntimeException | Error e) {
      thrown = e;
      throw e;
    } finally {
      passage.leave(thrown);
    }
  }

  /** A call of the driver. */
  @FunctionalInterface
  interface Call<T> {
    T call() throws SQLException;
  }

  /** Something on its way to the server. */
  interface Passage {
    /** Notes how many rows it has written. */
    default void wrote(long rows) {}

    /** Publishes; the second and later calls do nothing. */
    void leave(@Nullable Throwable thrown);
  }
}
