package dev.larder.jdbc.postgresql;

/**
 * Asks whether the open transaction may have written anything. A transaction has a number once it
 * has changed something here, or locked rows. What is written through a foreign table, or by code
 * that can open connections of its own, gives it none, and may be a table of this very database; so
 * where there is any of that, the transaction may have written.
 */
final class WrittenQuery {
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

  /** Written so that the functions are looked at only where nothing else has answered. */
  static final String TEXT =
      "SELECT CASE WHEN pg_catalog.txid_current_if_assigned() IS NOT NULL THEN true"
          + " WHEN EXISTS (SELECT FROM pg_catalog.pg_foreign_table) THEN true"
          + " ELSE EXISTS (SELECT FROM pg_catalog.pg_proc f"
          + " JOIN pg_catalog.pg_language l ON l.oid = f.prolang"
          + " WHERE f.oid >= 16384 AND f.provolatile = 'v'"
          + " AND NOT l.lanpltrusted AND l.lanname <> 'internal'"
          // What takes an argument of type internal, makes a handler, or is an event trigger,
          // cannot
          // be called.
          + " AND f.prorettype NOT IN (2280, 3115, 325, 269, 3310, 3838)"
          + " AND NOT 2281 = ANY (f.proargtypes)"
          + " AND coalesce(f.probin, '') !~ '^[$]libdir/("
          + STAY_HERE
          + ")$') END";

  private WrittenQuery() {}
}
