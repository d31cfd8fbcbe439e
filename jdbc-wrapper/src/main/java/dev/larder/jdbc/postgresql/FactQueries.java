package dev.larder.jdbc.postgresql;

import dev.larder.engine.DatabaseIdentity;
import dev.larder.engine.Incarnation;
import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import org.postgresql.core.TransactionState;
import org.postgresql.jdbc.PgConnection;

/** The queries that ask a session, and the server behind it, for facts. */
final class FactQueries {
  private static final int FACT_COLUMNS = 20;

  /** As a whole number, a time does not depend on how the session shows times and numbers. */
  private static final String MICROS = "(pg_catalog.date_part('epoch', %s) * 1000000)::int8";

  private static final String OWN_PROCESS =
      MICROS.formatted("pg_catalog.pg_postmaster_start_time()")
          + ", pg_catalog.pg_backend_pid(), (SELECT "
          + MICROS.formatted("backend_start")
          + " FROM pg_catalog.pg_stat_get_activity(pg_catalog.pg_backend_pid()))";

  /**
   * When the server last recovered from a crash. A crash that the postmaster survives leaves its
   * start time as it was, but statistics do not survive it: from 15 on the time at which those of
   * the background writer began is in shared memory, and everybody may read it. It may be later,
   * for a user may reset them. Before 15 it costs a file to ask for it, and the time of the last
   * checkpoint is taken instead, for a recovery ends with one.
   */
  static final String RECOVERED =
      "CASE WHEN pg_catalog.current_setting('server_version_num')::int4 >= 150000 THEN "
          + MICROS.formatted("pg_catalog.pg_stat_get_bgwriter_stat_reset_time()")
          + " ELSE (SELECT "
          + MICROS.formatted("checkpoint_time")
          + " FROM pg_catalog.pg_control_checkpoint()) END";

  private static final String PUBLIC_FACTS = "SELECT " + OWN_PROCESS;

  private static final String BACKENDS =
      "SELECT pid, "
          + MICROS.formatted("backend_start")
          + " FROM pg_catalog.pg_stat_get_activity(NULL) WHERE datid ="
          + " (SELECT oid FROM pg_catalog.pg_database"
          + " WHERE datname = pg_catalog.current_database())";

  private static final String TEMPORARY_OBJECTS =
      " CASE WHEN pg_catalog.pg_my_temp_schema() = 0 THEN false ELSE EXISTS (SELECT FROM"
          + " pg_catalog.pg_class WHERE relnamespace = pg_catalog.pg_my_temp_schema()) OR EXISTS"
          + " (SELECT FROM pg_catalog.pg_type WHERE typnamespace ="
          + " pg_catalog.pg_my_temp_schema()) OR EXISTS (SELECT FROM pg_catalog.pg_proc"
          + " WHERE pronamespace = pg_catalog.pg_my_temp_schema()) OR EXISTS (SELECT FROM"
          + " pg_catalog.pg_operator WHERE oprnamespace = pg_catalog.pg_my_temp_schema()) END";

  private static final String FACTS =
      "SELECT (SELECT system_identifier::text FROM pg_catalog.pg_control_system()),"
          + " (SELECT oid FROM pg_catalog.pg_database WHERE datname = pg_catalog.current_database()),"
          + " (SELECT timeline_id FROM pg_catalog.pg_control_checkpoint()), "
          + OWN_PROCESS
          + ", "
          + RECOVERED
          + ","
          + " pg_catalog.pg_is_in_recovery(),"
          + " session_user, current_user,"
          // The empty schema for temporary tables that a session keeps means nothing.
          + " CASE WHEN "
          + TEMPORARY_OBJECTS
          + " OR pg_catalog.strpos(pg_catalog.current_setting('search_path'), 'pg_temp') > 0"
          + " THEN pg_catalog.current_schemas(true)"
          + " ELSE pg_catalog.array_remove(pg_catalog.current_schemas(true),"
          + " pg_catalog.pg_my_temp_schema()::pg_catalog.regnamespace::pg_catalog.text"
          + "::pg_catalog.name) END,"
          + " pg_catalog.current_setting('transaction_isolation'),"
          + " pg_catalog.current_setting('idle_session_timeout', true),"
          + " pg_catalog.current_setting('idle_in_transaction_session_timeout', true),"
          + " pg_catalog.current_setting('pgaudit.log', true),"
          + " pg_catalog.current_setting('pgaudit.role', true),"
          + TEMPORARY_OBJECTS
          + ","
          + " pg_catalog.current_setting('default_transaction_isolation'),"
          + " EXISTS (SELECT FROM pg_catalog.pg_event_trigger"
          + " WHERE evtevent = 'login' AND evtenabled <> 'D'),"
          + " (SELECT xmin::text FROM pg_catalog.pg_database"
          + " WHERE datname = pg_catalog.current_database())";

  private FactQueries() {}

  /** Reads the facts of a session; see {@link PostgresSession#readFacts}. */
  static SessionFacts read(PgConnection driver, Collection<String> customSettings)
      throws SQLException {
    List<String> names = new ArrayList<>(ServerSettings.KEY);
    names.addAll(customSettings);
    StringBuilder sql = new StringBuilder(FACTS);
    for (String name : names) {
      sql.append(", pg_catalog.current_setting('")
          .append(driver.escapeString(name))
          .append("', true)");
    }
    try (ResultSet row = ask(driver, sql.toString())) {
      row.next();
      SortedMap<String, String> settings = new TreeMap<>();
      for (int i = 0; i < names.size(); i++) {
        String value = row.getString(FACT_COLUMNS + 1 + i);
        settings.put(names.get(i), value == null ? ServerSettings.unset(names.get(i)) : value);
      }
      SessionFacts facts = facts(row, settings);
      row.getStatement().close();
      return facts;
    }
  }

  /**
   * Asks in the same round trip for a savepoint where a transaction is open, so that a refusal or a
   * timeout leaves that as it was.
   */
  private static ResultSet ask(PgConnection driver, String sql) throws SQLException {
    if (driver.getTransactionState() != TransactionState.OPEN) {
      return driver.execSQLQuery(sql);
    }
    try {
      return driver.execSQLQuery(
          "SAVEPOINT larder_facts; " + sql + "; RELEASE SAVEPOINT larder_facts");
    } catch (SQLException e) {
      if (driver.getTransactionState() == TransactionState.FAILED) {
        driver.execSQLUpdate("ROLLBACK TO SAVEPOINT larder_facts; RELEASE SAVEPOINT larder_facts");
      }
      throw e;
    }
  }

  /** Reads what the server tells everybody. */
  static SessionFacts readPublic(PgConnection driver) throws SQLException {
    try (ResultSet row = driver.execSQLQuery(PUBLIC_FACTS)) {
      row.next();
      Incarnation incarnation = new Incarnation(0, row.getLong(1), 0);
      Backend backend = new Backend(row.getInt(2), row.getLong(3));
      row.getStatement().close();
      return unidentified(incarnation, backend);
    }
  }

  /** Returns the facts of a session that runs no SQL: that of a physical replication. */
  static SessionFacts withoutSql(PgConnection driver) {
    return unidentified(Incarnation.NONE, new Backend(driver.getBackendPID(), 0));
  }

  private static SessionFacts unidentified(Incarnation incarnation, Backend backend) {
    return new SessionFacts(
        DatabaseIdentity.UNKNOWN,
        incarnation,
        backend,
        false,
        "",
        "",
        List.of(),
        "",
        "",
        0,
        false,
        false,
        false,
        "",
        new TreeMap<>());
  }

  /** Returns every process that serves a session of this database. */
  static List<Backend> backends(PgConnection driver) throws SQLException {
    try (ResultSet row = driver.execSQLQuery(BACKENDS)) {
      List<Backend> backends = new ArrayList<>();
      while (row.next()) {
        backends.add(new Backend(row.getInt(1), row.getLong(2)));
      }
      row.getStatement().close();
      return backends;
    }
  }

  private static SessionFacts facts(ResultSet row, SortedMap<String, String> settings)
      throws SQLException {
    Array schemas = row.getArray(11);
    String auditedClasses = text(row, 15).toLowerCase(Locale.ROOT);
    return new SessionFacts(
        new DatabaseIdentity(row.getString(1), row.getLong(2)),
        new Incarnation(row.getLong(3), row.getLong(4), row.getLong(7)),
        new Backend(row.getInt(5), row.getLong(6)),
        row.getBoolean(8),
        row.getString(9),
        row.getString(10),
        List.of((String[]) schemas.getArray()),
        row.getString(12),
        row.getString(18),
        smallest(milliseconds(text(row, 13)), milliseconds(text(row, 14))),
        auditedClasses.contains("read")
            || auditedClasses.contains("all")
            || !text(row, 16).isEmpty(),
        row.getBoolean(17),
        row.getBoolean(19),
        row.getString(20),
        settings);
  }

  private static String text(ResultSet row, int column) throws SQLException {
    String value = row.getString(column);
    return value == null ? "" : value;
  }

  private static long smallest(long a, long b) {
    return a == 0 || b == 0 ? Math.max(a, b) : Math.min(a, b);
  }

  /** Reads a duration as the server shows it: a number and one of ms, s, min, h, d; 0 is none. */
  static long milliseconds(String setting) {
    int digits = 0;
    while (digits < setting.length() && Character.isDigit(setting.charAt(digits))) {
      digits++;
    }
    if (digits == 0) {
      return 0;
    }
    long number = Long.parseLong(setting.substring(0, digits));
    return switch (setting.substring(digits).trim()) {
      case "s" -> number * 1_000;
      case "min" -> number * 60_000;
      case "h" -> number * 3_600_000;
      case "d" -> number * 86_400_000;
      default -> number;
    };
  }
}
