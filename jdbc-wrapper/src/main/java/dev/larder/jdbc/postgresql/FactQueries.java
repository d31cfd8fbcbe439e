package dev.larder.jdbc.postgresql;

import dev.larder.engine.DatabaseIdentity;
import dev.larder.engine.ServerGeneration;
import dev.larder.lexer.Tokens;
import dev.larder.sql.OwnSql;
import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.postgresql.core.TransactionState;
import org.postgresql.jdbc.PgConnection;

/** The queries that ask a session, and the server behind it, for facts. */
public final class FactQueries {
  private static final int FACT_COLUMNS = 26;

  /**
   * When the server last recovered from a crash. A crash that the postmaster survives leaves its
   * start time as it was, but statistics do not survive it: from 15 on the time at which those of
   * the background writer began is in shared memory, and everybody may read it. It may be later,
   * for a user may reset them. Before 15 it costs a file to ask for it, and the time of the last
   * checkpoint is taken instead, for a recovery ends with one.
   */
  public static final String RECOVERED =
      "CASE WHEN current_setting('server_version_num')::int4 >= 150000 THEN "
          + micros("pg_stat_get_bgwriter_stat_reset_time()")
          + " ELSE (SELECT "
          + micros("checkpoint_time")
          + " FROM pg_control_checkpoint()) END";

  private static final String OWN_PROCESS =
      micros("pg_postmaster_start_time()")
          + ", pg_backend_pid(), (SELECT "
          + micros("backend_start")
          + " FROM pg_stat_get_activity(pg_backend_pid()))";

  private static final String PUBLIC_FACTS = OwnSql.pinned("SELECT " + OWN_PROCESS);

  private static final String TEMPORARY_OBJECTS =
      """
      CASE WHEN pg_my_temp_schema() = 0 THEN false ELSE
        EXISTS (SELECT FROM pg_class WHERE relnamespace = pg_my_temp_schema())
        OR EXISTS (SELECT FROM pg_type WHERE typnamespace = pg_my_temp_schema())
        OR EXISTS (SELECT FROM pg_proc WHERE pronamespace = pg_my_temp_schema())
        OR EXISTS (SELECT FROM pg_operator
                    WHERE oprnamespace = pg_my_temp_schema()) END""";

  /**
   * The names of the session's temporary relations and types; null where it has no objects. One of
   * them is empty where a table that is not temporary has rows of such a one, for this session.
   */
  private static final String TEMPORARY_NAMES =
      """
      CASE WHEN %s THEN coalesce(
        (SELECT array_agg(name) FROM (
          SELECT relname FROM pg_class WHERE relnamespace = pg_my_temp_schema()
          UNION ALL
          SELECT typname FROM pg_type WHERE typnamespace = pg_my_temp_schema()
          UNION ALL
          SELECT '' FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
            JOIN pg_class p ON p.oid = i.inhparent
           WHERE c.relnamespace = pg_my_temp_schema() AND p.relpersistence <> 't')
          AS t (name)),
        '{}'::name[]) END"""
          .formatted(TEMPORARY_OBJECTS);

  /**
   * What stands in the search path before the temporary schema, which the session has not yet: with
   * nothing there that can be searched, to ask for the effective path would create that schema.
   */
  private static final String CREATES_SCHEMA =
      """
      pg_my_temp_schema() = 0 AND EXISTS (
        SELECT FROM (SELECT substring(current_setting('search_path'),
                            '(?i)^(.*?)[[:<:]]pg_temp[[:>:]]')) AS p (head)
         WHERE head IS NOT NULL AND NOT EXISTS (
           SELECT FROM unnest(string_to_array(head, ',')) AS e (name)
            WHERE CASE WHEN name ~ '^ *([a-z_][a-z0-9_$]*|"[^"]+") *$'
                  THEN has_schema_privilege(
                         to_regnamespace(name)::oid, 'USAGE') END))""";

  /**
   * What a session says of itself, as no table says it: to ask for it takes no lock for long. The
   * empty schema for temporary tables that a session keeps is left out of the path.
   */
  static final String SESSION =
      """
      session_user, current_user,
      CASE WHEN %s THEN NULL
        WHEN %s OR strpos(current_setting('search_path'), 'pg_temp') > 0
        THEN current_schemas(true)
        ELSE array_remove(current_schemas(true),
               pg_my_temp_schema()::regnamespace::text
                 ::name) END,
      current_setting('transaction_isolation'),
      current_setting('idle_session_timeout', true),
      current_setting('idle_in_transaction_session_timeout', true),
      current_setting('pgaudit.log', true),
      current_setting('pgaudit.role', true),
      %s,
      current_setting('default_transaction_isolation'),
      current_setting('statement_timeout'),
      current_setting('transaction_timeout', true)"""
          .formatted(CREATES_SCHEMA, TEMPORARY_OBJECTS, TEMPORARY_NAMES);

  /** Whether the server logs statements that do nothing but set something. */
  private static final String LOGGED =
      """
      (current_setting('log_statement') = 'all'
        OR current_setting('log_min_duration_statement') = '0'
        OR current_setting('log_min_duration_sample') = '0'
        OR current_setting('log_duration') = 'on'
        OR current_setting('log_transaction_sample_rate') <> '0')""";

  /** Those of some settings that are not only a name and a text: modules say what they may be. */
  private static final String OF_MODULES =
      OwnSql.pinned("(SELECT array_agg(name) FROM pg_show_all_settings())");

  static final String FACTS =
      OwnSql.pinned(
          """
          SELECT (SELECT system_identifier::text FROM pg_control_system()),
          (SELECT oid FROM pg_database WHERE datname = current_database()),
          (SELECT timeline_id FROM pg_control_checkpoint()),
          %s, %s, pg_is_in_recovery(),
          EXISTS (SELECT FROM pg_event_trigger
                   WHERE evtevent = 'login' AND evtenabled <> 'D'),
          (SELECT xmin::text FROM pg_database
            WHERE datname = current_database()),
          %s,
          (SELECT CASE
             WHEN r.rolsuper OR pg_has_role(session_user, d.datdba, 'USAGE') THEN 'all'
             WHEN pg_has_role(session_user, 'pg_monitor', 'USAGE') THEN 'status'
             ELSE 'own' END
             FROM pg_roles r, pg_database d
            WHERE r.rolname = session_user AND d.datname = current_database()),
          %s"""
              .formatted(OWN_PROCESS, RECOVERED, SESSION, LOGGED));

  /** Behind {@link #FACTS}, where it matters to nobody whether somebody has left something. */
  static final String ANYTHING_LEFT = ", true";

  /**
   * As {@link #FACTS}, without those of the server: the transaction would be shown the same
   * statistics from then on.
   */
  private static final String FACTS_IN_TRANSACTION =
      OwnSql.pinned(
              "SELECT NULL, 0, 0, 0, pg_backend_pid(), 0, 0, false, false, NULL, "
                  + SESSION
                  + ", NULL, false")
          + ANYTHING_LEFT;

  /** No savepoint of the application's has this name. */
  private static final String SAVEPOINT =
      "SAVEPOINT larder_" + UUID.randomUUID().toString().replace('-', '_');

  private FactQueries() {}

  /** Returns a time as a whole number, which does not depend on how the session shows times. */
  public static String micros(String time) {
    return "(date_part('epoch', " + time + ") * 1000000)::int8";
  }

  /** Reads the facts of a session; see {@link PostgresSession#readFacts}. */
  static SessionFacts read(PgConnection driver, Collection<String> customSettings)
      throws SQLException {
    List<String> names = names(customSettings);
    return OwnStatements.ask(
        driver, FACTS + ANYTHING_LEFT + settings(driver, names), row -> facts(row, names));
  }

  /**
   * As {@link #read}, in an open transaction, which is left as it was, refusals and all: what is
   * asked takes no longer than a second, whatever the timeout of the application, and its locks end
   * with it.
   */
  static SessionFacts readInTransaction(PgConnection driver, Collection<String> customSettings)
      throws SQLException {
    return readInTransaction(driver, FACTS_IN_TRANSACTION, names(customSettings));
  }

  /** As the other, by the beginning of a question. */
  static SessionFacts readInTransaction(PgConnection driver, String facts, List<String> names)
      throws SQLException {
    String question = facts + settings(driver, names);
    String rollBack = "ROLLBACK TO " + SAVEPOINT + "; RELEASE " + SAVEPOINT;
    try {
      return OwnStatements.ask(
          driver,
          SAVEPOINT + "; SET LOCAL statement_timeout = 1000; " + question + "; " + rollBack,
          row -> facts(row, names));
    } catch (SQLException e) {
      if (driver.getTransactionState() == TransactionState.FAILED) {
        rollBack(driver, rollBack, e);
      }
      throw e;
    }
  }

  private static void rollBack(PgConnection driver, String sql, SQLException because) {
    try {
      OwnStatements.run(driver, sql);
    } catch (SQLException e) {
      because.addSuppressed(e);
    }
  }

  /** Reads what the server tells everybody. */
  static SessionFacts readPublic(PgConnection driver) throws SQLException {
    return OwnStatements.ask(driver, PUBLIC_FACTS, FactQueries::publicFacts);
  }

  private static SessionFacts publicFacts(ResultSet row) throws SQLException {
    row.next();
    return SessionFacts.unidentified(
        new ServerGeneration(0, row.getLong(1), 0), new Backend(row.getInt(2), row.getLong(3)));
  }

  static List<String> names(Collection<String> customSettings) {
    List<String> names = new ArrayList<>(ServerSettings.KEY);
    names.addAll(customSettings);
    return names;
  }

  static String settings(PgConnection driver, List<String> names) throws SQLException {
    StringBuilder sql = new StringBuilder(", ");
    sql.append(names.size() == ServerSettings.KEY.size() ? "NULL" : OF_MODULES);
    for (String name : names) {
      String literal = driver.escapeString(name);
      sql.append(", pg_catalog.current_setting('").append(literal).append("', true)");
    }
    return sql.toString();
  }

  static SessionFacts facts(ResultSet row, List<String> names) throws SQLException {
    row.next();
    Array path = row.getArray(13);
    String system = row.getString(1);
    String audited = text(row, 17).toLowerCase(Locale.ROOT);
    return new SessionFacts(
        system == null ? DatabaseIdentity.UNKNOWN : new DatabaseIdentity(system, row.getLong(2)),
        new ServerGeneration(row.getLong(3), row.getLong(4), row.getLong(7)),
        new Backend(row.getInt(5), row.getLong(6)),
        row.getBoolean(8),
        row.getString(11),
        row.getString(12),
        path == null ? null : List.of((String[]) path.getArray()),
        row.getString(14),
        row.getString(20),
        smallest(milliseconds(text(row, 15)), milliseconds(text(row, 16))),
        smallest(milliseconds(text(row, 21)), milliseconds(text(row, 22))),
        audited.contains("read") || audited.contains("all") || !text(row, 18).isEmpty(),
        temporary(row.getArray(19)),
        row.getBoolean(9),
        text(row, 10),
        text(row, 23),
        row.getBoolean(24) || (!audited.isEmpty() && !audited.equals("none")),
        ofModules(row.getArray(26)),
        row.getBoolean(25),
        settings(row, names));
  }

  private static @Nullable Set<String> temporary(@Nullable Array names) throws SQLException {
    return names == null ? null : Set.copyOf(Arrays.asList((String[]) names.getArray()));
  }

  private static Set<String> ofModules(@Nullable Array names) throws SQLException {
    return names == null
        ? Set.of()
        : Arrays.stream((String[]) names.getArray())
            .filter(name -> name.indexOf('.') > 0)
            .map(Tokens::fold)
            .collect(Collectors.toSet());
  }

  private static SortedMap<String, String> settings(ResultSet row, List<String> names)
      throws SQLException {
    SortedMap<String, String> settings = new TreeMap<>();
    for (int i = 0; i < names.size(); i++) {
      String value = row.getString(FACT_COLUMNS + 1 + i);
      settings.put(names.get(i), value == null ? ServerSettings.unset(names.get(i)) : value);
    }
    return settings;
  }

  private static String text(ResultSet row, int column) throws SQLException {
    String value = row.getString(column);
    return value == null ? "" : value;
  }

  private static long smallest(long a, long b) {
    return a == 0 || b == 0 ? Math.max(a, b) : Math.min(a, b);
  }

  /** Reads a duration as the server shows it: a number and one of ms, s, min, h, d; 0 is none. */
  private static long milliseconds(String setting) {
    String unit = setting.replaceFirst("^\\d+", "").trim();
    String number = setting.substring(0, setting.length() - unit.length()).trim();
    long factor =
        switch (unit) {
          case "s" -> 1_000;
          case "min" -> 60_000;
          case "h" -> 3_600_000;
          case "d" -> 86_400_000;
          default -> 1;
        };
    return number.isEmpty() ? 0 : Long.parseLong(number) * factor;
  }
}
