package dev.larder.memcached;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Asks PostgreSQL who is writing. Thread-safe.
 *
 * <p>A transaction that has changed anything, be it a row or the catalog, holds an exclusive lock
 * on its own number until its commit is visible, or undone; the server releases locks after that
 * ({@code CommitTransaction} in xact.c). Its client's death does not end it, and neither does a
 * wait for a synchronous standby. A prepared transaction keeps the number and the lock, without a
 * process. This says more than the locks on tables do: GRANT, REVOKE and CREATE FUNCTION hold none
 * until their end, a deferred trigger writes a table that is not locked when COMMIT is sent, and a
 * partition is written without a lock on its parent.
 *
 * <p>What cannot run in a transaction block, and CALL, has no number when it is announced. It holds
 * the <em>announce lock</em>, a shared advisory lock of its session, from before its announce to
 * its end.
 */
final class PostgresProbe implements PrimaryProbe {
  /**
   * Takes the announce lock for the session: to be sent before the announce of what runs outside of
   * a transaction block.
   */
  static final String ANNOUNCE_LOCK = "SELECT pg_catalog.pg_advisory_lock_shared(1279349316, 1)";

  /** Gives the announce lock back. */
  static final String ANNOUNCE_UNLOCK =
      "SELECT pg_catalog.pg_advisory_unlock_shared(1279349316, 1)";

  /**
   * Another database's transactions are left out where that is sure. Transactions are named by
   * their number, which outlives PREPARE TRANSACTION; holders of the announce lock by their
   * process.
   */
  private static final String QUERY =
      """
      SELECT pg_catalog.pg_is_in_recovery(),
             pg_catalog.date_part('epoch', pg_catalog.pg_postmaster_start_time())::text || '/'
               || (SELECT timeline_id FROM pg_catalog.pg_control_checkpoint()),
             CASE l.locktype WHEN 'advisory' THEN 'p' || l.pid ELSE 'x' || l.transactionid END
        FROM (SELECT) AS one
        LEFT JOIN (
             SELECT l.locktype, l.pid, l.transactionid
               FROM pg_catalog.pg_locks l
               LEFT JOIN pg_catalog.pg_stat_activity a ON a.pid = l.pid
               LEFT JOIN pg_catalog.pg_prepared_xacts p ON p.transaction = l.transactionid
              WHERE l.granted
                AND (l.locktype = 'transactionid' AND l.mode = 'ExclusiveLock'
                     AND coalesce(a.datname, p.database, current_database()) = current_database()
                  OR l.locktype = 'advisory' AND l.classid = 1279349316 AND l.objid = 1
                     AND l.objsubid = 2
                     AND l.database = (SELECT oid FROM pg_catalog.pg_database
                                        WHERE datname = current_database()))) AS l ON true
      """;

  private final Connections connections;
  private final Duration timeout;

  /** Where a connection to the primary comes from, Larder's own and not in a transaction. */
  interface Connections {
    /** Returns a connection that the caller closes. */
    Connection open() throws SQLException;
  }

  /**
   * Creates a probe.
   *
   * @param timeout of the question; in whole seconds, at least one
   */
  PostgresProbe(Connections connections, Duration timeout) {
    this.connections = connections;
    this.timeout = timeout;
  }

  @Override
  public @Nullable WritersInProgress ask() {
    try (Connection connection = connections.open();
        PreparedStatement statement = connection.prepareStatement(QUERY)) {
      statement.setQueryTimeout((int) Math.max(1, timeout.toSeconds()));
      try (ResultSet rows = statement.executeQuery()) {
        return read(rows);
      }
    } catch (SQLException e) {
      return null;
    }
  }

  private static @Nullable WritersInProgress read(ResultSet rows) throws SQLException {
    long incarnation = 0;
    Set<String> writers = new HashSet<>();
    while (rows.next()) {
      if (rows.getBoolean(1)) {
        return null; // Not the primary, or not any more.
      }
      incarnation = incarnation(rows.getString(2));
      String writer = rows.getString(3);
      if (writer != null) {
        writers.add(writer);
      }
    }
    return new WritersInProgress(incarnation, writers);
  }

  /**
   * Returns the number of one run of a server: another one after every start and every promotion.
   *
   * @param facts the server's start time and timeline, as each session reads them
   */
  static long incarnation(String facts) {
    try {
      byte[] text = facts.getBytes(StandardCharsets.UTF_8);
      return ByteBuffer.wrap(MessageDigest.getInstance("SHA-256").digest(text)).getLong();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // Every JDK has it.
    }
  }
}
