package dev.larder.changefeed.server;

import dev.larder.log.CacheLog.Trouble;
import dev.larder.sql.OwnSql;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/** Finds out which transactions a feed waits for. Stateless. */
final class Holdups {
  private static final String OF_SLOT =
      OwnSql.pinned(
          """
      SELECT w.transactionid::text FROM pg_locks w JOIN pg_replication_slots s ON s.active_pid = w.pid
       WHERE s.slot_name = ? AND w.locktype = 'transactionid' AND NOT w.granted\
      """);

  private static final String WHO =
      OwnSql.pinned(
          """
      SELECT x.id, coalesce(h.pid::text, ''), coalesce(quote_literal(p.gid), '')
        FROM unnest(?) AS x (id)
        LEFT JOIN pg_locks h ON h.locktype = 'transactionid' AND h.granted
              AND h.mode = 'ExclusiveLock' AND h.transactionid::text = x.id
        LEFT JOIN pg_prepared_xacts p ON p.transaction::text = x.id\
      """);

  private static final String END =
      OwnSql.pinned(
          "SELECT pg_terminate_backend(active_pid) FROM pg_replication_slots"
              + " WHERE slot_name = ? AND active_pid IS NOT NULL");

  private static final String IS_THERE =
      OwnSql.pinned("SELECT FROM pg_replication_slots WHERE slot_name = ?");

  private static final long LOW_BITS = 0xFFFFFFFFL;

  private Holdups() {}

  /**
   * What is waited for.
   *
   * @param because in words; empty for nothing
   * @param cure as SQL; empty for none
   */
  record Holdup(String because, String cure) {
    static final Holdup NONE = new Holdup("", "");
  }

  /** Returns what the making of a slot waits for. */
  static Holdup of(Connection connection, String slot) throws SQLException {
    List<String> transactions = new ArrayList<>();
    try (PreparedStatement query = connection.prepareStatement(OF_SLOT)) {
      query.setString(1, slot);
      try (ResultSet rows = query.executeQuery()) {
        while (rows.next()) {
          transactions.add(rows.getString(1));
        }
      }
    }
    return of(connection, "the slot waits for ", transactions);
  }

  /** Returns what the first publish waits for. */
  static Holdup of(Connection connection, Set<Long> transactions) throws SQLException {
    List<String> identifiers =
        transactions.stream().sorted().map(id -> Long.toString(id & LOW_BITS)).limit(3).toList();
    return of(connection, "older than the slot: ", identifiers);
  }

  private static Holdup of(Connection connection, String words, Collection<String> transactions)
      throws SQLException {
    if (transactions.isEmpty()) {
      return Holdup.NONE;
    }
    List<String> names = new ArrayList<>();
    List<String> cures = new ArrayList<>();
    try (PreparedStatement query = connection.prepareStatement(WHO)) {
      query.setArray(1, connection.createArrayOf("text", transactions.toArray()));
      try (ResultSet rows = query.executeQuery()) {
        while (rows.next()) {
          name(rows.getString(1), rows.getString(2), rows.getString(3), names, cures);
        }
      }
    }
    return new Holdup(words + String.join(", ", names), String.join("; ", cures));
  }

  private static void name(
      String transaction, String process, String prepared, List<String> names, List<String> cures) {
    if (!prepared.isEmpty()) {
      names.add("transaction " + transaction + ", prepared as " + prepared);
      cures.add("COMMIT PREPARED " + prepared + ", or ROLLBACK PREPARED " + prepared);
    } else if (!process.isEmpty()) {
      names.add("transaction " + transaction + " of process " + process);
      cures.add("end it, or SELECT pg_terminate_backend(" + process + ")");
    } else {
      names.add("transaction " + transaction);
    }
  }

  /** Fails where the server has ended a slot: the connection may not tell of it. */
  static void checkIsThere(Connection connection, String slot) throws SQLException, FeedFailure {
    try (PreparedStatement query = connection.prepareStatement(IS_THERE)) {
      query.setString(1, slot);
      try (ResultSet row = query.executeQuery()) {
        if (!row.next()) {
          throw new FeedFailure(
              Trouble.FEED_LOST,
              "the server has ended the slot",
              "raise max_slot_wal_keep_size if that happens again",
              null);
        }
      }
    }
  }

  /** Ends the process that has a slot, or makes it: it would not notice that nobody listens. */
  static void end(Connection connection, String slot) throws SQLException {
    try (PreparedStatement query = connection.prepareStatement(END)) {
      query.setString(1, slot);
      query.execute();
    }
  }
}
