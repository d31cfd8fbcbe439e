package dev.larder.jdbc.postgresql;

import dev.larder.sql.OwnSql;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import org.postgresql.core.TransactionState;
import org.postgresql.jdbc.PgConnection;

/**
 * The queries that ask for facts behind a pooler, where each transaction may be in another session
 * of the server, and at another server. Stateless.
 */
public final class PoolerQueries {
  /**
   * Behind {@link FactQueries#FACTS}: whether somebody else has left another role in the session,
   * or a setting that a new one has not.
   */
  private static final String LEFT_BEHIND =
      OwnSql.pinned(
          """
          , current_user <> session_user
          OR (SELECT usesysid FROM pg_stat_get_activity(pg_backend_pid()))
             <> (SELECT oid FROM pg_roles WHERE rolname = session_user)
          OR EXISTS (SELECT FROM pg_settings
               WHERE name = ANY ('{%s}')
                 AND coalesce(setting, '') <> coalesce(reset_val, ''))
          OR EXISTS (SELECT FROM pg_settings
               WHERE name = 'DateStyle'
                 AND split_part(setting, ', ', 2) <> split_part(reset_val, ', ', 2))"""
              .formatted(
                  ServerSettings.KEY.stream()
                      .filter(name -> !ServerSettings.REPORTED.contains(name))
                      .collect(Collectors.joining(","))));

  /** Behind {@link #LEFT_BEHIND}, for each custom setting; its name comes three times. */
  private static final String CUSTOM_LEFT_BEHIND =
      OwnSql.pinned(
          """
           OR (coalesce(current_setting('%1$s', true), '') <> '' AND NOT EXISTS (
             SELECT FROM (SELECT unnest(setconfig) FROM pg_db_role_setting
                WHERE setrole = ANY (ARRAY[0::oid, (
                        SELECT oid FROM pg_roles WHERE rolname = session_user)])
                  AND setdatabase = ANY (ARRAY[0::oid, (
                        SELECT oid FROM pg_database WHERE datname = current_database())]))
                AS c (line)
              WHERE lower(split_part(line, '=', 1)) = lower('%1$s')
                AND substr(line, strpos(line, '=') + 1) = current_setting('%1$s', true)))""");

  /** Which database and server a transaction is at, and whether that is in recovery. */
  public static final String SERVER =
      OwnSql.pinned(
          "SELECT (SELECT system_identifier::text FROM pg_control_system()),"
              + " (SELECT oid FROM pg_database WHERE datname = current_database()), "
              + FactQueries.micros("pg_postmaster_start_time()")
              + ", pg_is_in_recovery()");

  /**
   * As {@link FactQueries#FACTS_IN_TRANSACTION}, with those of the server that no statistics tell:
   * behind a pooler it may be another one in each transaction.
   */
  private static final String FACTS_BEHIND_POOLER =
      OwnSql.pinned(
          """
          SELECT (SELECT system_identifier::text FROM pg_control_system()),
          (SELECT oid FROM pg_database WHERE datname = current_database()),
          0, %s, pg_backend_pid(), 0, 0, pg_is_in_recovery(), false, NULL, %s, NULL, false, false"""
              .formatted(FactQueries.micros("pg_postmaster_start_time()"), FactQueries.SESSION));

  private PoolerQueries() {}

  /** Returns what the server reports to the client of its settings; a pooler keeps it for each. */
  public static List<String> reported(PostgresSession session) {
    return ServerSettings.REPORTED.stream()
        .map(name -> String.valueOf(session.driver().getParameterStatus(name)))
        .toList();
  }

  /**
   * Returns what names the way through a pooler: its address, and how the database is called there.
   *
   * @param url the driver's own
   */
  public static String route(PostgresSession session, String url) {
    int parameters = url.indexOf('?');
    return (parameters < 0 ? url : url.substring(0, parameters))
        + '\n'
        + session.driver().getQueryExecutor().getDatabase();
  }

  /**
   * As {@link PostgresSession#readFacts}. In a transaction the answer holds to its end, which one
   * process of the server serves. Outside it is of any process, with {@link
   * SessionFacts#leftBehind}.
   *
   * @param first whether a transaction is to begin with the question, where autocommit is off
   */
  public static SessionFacts read(
      PostgresSession session, Collection<String> customSettings, boolean first)
      throws SQLException {
    PgConnection driver = session.driver();
    SessionFacts facts = session.unlimited(() -> read(driver, customSettings, first));
    return isReportedRight(driver, facts) ? facts : facts.withLeftBehind();
  }

  private static SessionFacts read(
      PgConnection driver, Collection<String> customSettings, boolean first) throws SQLException {
    List<String> names = FactQueries.names(customSettings);
    if (first) {
      return readFirst(driver, names);
    } else if (driver.getTransactionState() != TransactionState.IDLE) {
      return FactQueries.readInTransaction(driver, FACTS_BEHIND_POOLER, names);
    }
    StringBuilder left = new StringBuilder(LEFT_BEHIND);
    for (String name : customSettings) {
      left.append(CUSTOM_LEFT_BEHIND.replace("%1$s", driver.escapeString(name)));
    }
    String sql = FactQueries.FACTS + left + FactQueries.settings(driver, names);
    return OwnStatements.ask(driver, sql, row -> FactQueries.facts(row, names));
  }

  /** Sends the question with BEGIN. */
  private static SessionFacts readFirst(PgConnection driver, List<String> names)
      throws SQLException {
    String sql = FACTS_BEHIND_POOLER + FactQueries.settings(driver, names);
    try (Statement statement = driver.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      return FactQueries.facts(row, names);
    }
  }

  /**
   * Returns whether the pooler has given the client what it wants of the settings that it reports:
   * of the style of dates it may have asked for the first part only.
   */
  private static boolean isReportedRight(PgConnection driver, SessionFacts facts) {
    String zone = driver.getParameterStatus("TimeZone");
    String style = driver.getParameterStatus("DateStyle");
    return (zone == null || zone.equalsIgnoreCase(facts.settings().get("timezone")))
        && (style == null || isStyle(style, String.valueOf(facts.settings().get("datestyle"))));
  }

  private static boolean isStyle(String reported, String shown) {
    return shown.equalsIgnoreCase(reported)
        || shown.regionMatches(true, 0, reported + ",", 0, reported.length() + 1);
  }

  /** A question for facts. */
  interface Question {
    SessionFacts ask() throws SQLException;
  }
}
