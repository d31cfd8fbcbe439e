package dev.larder.jdbc.postgresql;

import dev.larder.remote.AnnounceLock;
import dev.larder.sql.OwnSql;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.postgresql.jdbc.PgConnection;

/**
 * Asks PostgreSQL who is writing, and whether a transaction has written.
 *
 * <p>A transaction that has changed anything, be it a row or the catalog, holds an exclusive lock
 * on its own number until its commit is visible, or undone; the server releases locks after that
 * ({@code CommitTransaction} in xact.c). Its client's death does not end it, and neither does a
 * wait for a synchronous standby. A prepared transaction keeps the number and the lock, without a
 * process. This says more than the locks on tables do: GRANT, REVOKE and CREATE FUNCTION hold none
 * until their end, a deferred trigger writes a table that is not locked when COMMIT is sent, and a
 * partition is written without a lock on its parent.
 *
 * <p>What cannot run in a transaction block has no number when it is announced. It holds an {@link
 * AnnounceLock}.
 */
final class WriterQueries {
  private static final int TIMEOUT_SECONDS = 20;

  /**
   * Another database's transactions are left out where that is sure. Transactions are named by
   * their number, which outlives PREPARE TRANSACTION; holders of the announce lock by their
   * process.
   */
  private static final String WRITERS =
      OwnSql.pinned(
          """
      SELECT CASE WHEN l.locktype = 'advisory' THEN concat('p', l.pid)
                  ELSE concat('x', l.transactionid) END
        FROM pg_locks l
        LEFT JOIN pg_stat_activity a ON a.pid = l.pid
        LEFT JOIN pg_prepared_xacts p ON p.transaction = l.transactionid
       WHERE l.granted
         AND (l.locktype = 'transactionid' AND l.mode = 'ExclusiveLock'
              AND coalesce(a.datname, p.database, current_database()) = current_database()
           OR l.locktype = 'advisory' AND l.classid = %d AND l.objsubid = 2
              AND l.database = (SELECT oid FROM pg_database
                                 WHERE datname = current_database()))
      """
              .formatted(AnnounceLock.CLASS_ID));

  /**
   * Libraries, by {@code probin} without {@code $libdir/}, whose functions open no connections.
   * Those of foreign tables are counted by the tables.
   */
  private static final String STAY_HERE =
      "autoinc|btree_gin|btree_gist|citext|cube|earthdistance|file_fdw|fuzzystrmatch|hstore|"
          + "hypopg|insert_username|intarray|isn|lo|ltree|moddatetime|pageinspect|pg_buffercache|"
          + "pg_freespacemap|pg_prewarm|pg_stat_statements|pg_trgm|pg_visibility|pgcrypto|"
          + "pgrowlocks|pgstattuple|plpgsql|postgis(_raster)?-[0-9.]+|postgres_fdw|refint|seg|sslinfo|"
          + "tablefunc|tcn|tsm_system_rows|tsm_system_time|unaccent|uuid-ossp|vector|xml2";

  /**
   * Whether the open transaction may have written anything. A transaction has a number once it has
   * changed something here, or locked rows. What is written through a foreign table, or by code
   * that can open connections of its own, gives it none, and may be a table of this very database;
   * so where there is any of that, the transaction may have written. The functions are looked at
   * only where nothing else has answered.
   */
  static final String HAS_WRITTEN =
      OwnSql.pinned(
          "SELECT CASE WHEN txid_current_if_assigned() IS NOT NULL THEN true"
              + " WHEN EXISTS (SELECT FROM pg_foreign_table) THEN true"
              // COMMIT itself runs the query of a cursor WITH HOLD to its end. What else runs with
              // it, as triggers that were put off, has been caused by a write.
              + " WHEN EXISTS (SELECT FROM pg_cursor() c WHERE c.is_holdable) THEN true"
              + " ELSE EXISTS (SELECT FROM pg_proc f"
              + " JOIN pg_language l ON l.oid = f.prolang"
              + " WHERE f.oid >= 16384 AND f.provolatile = 'v'"
              + " AND NOT l.lanpltrusted AND l.lanname <> 'internal'"
              // Functions on internal, handlers and event triggers cannot be called.
              + " AND f.prorettype <> ALL ('{2280,3115,325,269,3310,3838}')"
              + " AND NOT 2281 = ANY (f.proargtypes)"
              + " AND coalesce(f.probin, '') !~ '^[$]libdir/("
              + STAY_HERE
              + ")$') END");

  private static final String BACKENDS =
      OwnSql.pinned(
          "SELECT pid, "
              + FactQueries.micros("backend_start")
              + " FROM pg_stat_get_activity(NULL) WHERE datid = (SELECT oid"
              + " FROM pg_database WHERE datname = current_database())");

  private WriterQueries() {}

  /** See {@link PostgresSession#writersInProgress}. */
  static Set<String> writersInProgress(PgConnection driver) throws SQLException {
    try (PreparedStatement statement = driver.prepareStatement(WRITERS)) {
      statement.setQueryTimeout(TIMEOUT_SECONDS);
      Set<String> writers = new HashSet<>();
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          writers.add(rows.getString(1));
        }
      }
      return writers;
    }
  }

  /** Returns every process that serves a session of this database. */
  static List<Backend> backends(PgConnection driver) throws SQLException {
    List<Backend> backends = new ArrayList<>();
    return OwnStatements.ask(
        driver,
        BACKENDS,
        row -> {
          while (row.next()) {
            backends.add(new Backend(row.getInt(1), row.getLong(2)));
          }
          return backends;
        });
  }
}
