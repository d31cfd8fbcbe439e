package dev.larder.jdbc.postgresql;

import java.sql.Array;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGStatement;
import org.postgresql.core.Oid;
import org.postgresql.core.Parser;
import org.postgresql.jdbc.PgConnection;
import org.postgresql.util.GT;
import org.postgresql.util.PSQLException;
import org.postgresql.util.PSQLState;
import org.postgresql.util.ServerErrorMessage;

/**
 * The driver's side of one physical connection: its state, and the facts of its session. As
 * thread-safe as the driver's connection, which serializes statements by itself.
 */
public final class PostgresSession {
  /**
   * The settings that can change what a query returns. Planner settings are left out: they change
   * how rows are found, not which. Custom settings are added by name as they are met.
   */
  static final List<String> KEY_SETTINGS =
      List.of(
          "search_path",
          "row_security",
          "timezone",
          "datestyle",
          "intervalstyle",
          "lc_messages",
          "lc_monetary",
          "lc_numeric",
          "lc_time",
          "extra_float_digits",
          "bytea_output",
          "xmlbinary",
          "xmloption",
          "client_encoding",
          "array_nulls",
          "quote_all_identifiers",
          "default_text_search_config",
          "transform_null_equals",
          "standard_conforming_strings",
          "backslash_quote",
          "session_replication_role",
          "gin_fuzzy_search_limit",
          "icu_validation_level",
          "check_function_bodies");

  private static final int[] BINARY_TYPES = {
    Oid.BYTEA,
    Oid.BOOL,
    Oid.INT2,
    Oid.INT4,
    Oid.INT8,
    Oid.OID,
    Oid.FLOAT4,
    Oid.FLOAT8,
    Oid.NUMERIC,
    Oid.TIME,
    Oid.DATE,
    Oid.TIMETZ,
    Oid.TIMESTAMP,
    Oid.TIMESTAMPTZ,
    Oid.POINT,
    Oid.BOX,
    Oid.UUID,
    Oid.INT2_ARRAY,
    Oid.INT4_ARRAY,
    Oid.INT8_ARRAY,
    Oid.OID_ARRAY,
    Oid.FLOAT4_ARRAY,
    Oid.FLOAT8_ARRAY,
    Oid.NUMERIC_ARRAY,
    Oid.TEXT_ARRAY,
    Oid.VARCHAR_ARRAY,
    Oid.BYTEA_ARRAY
  };

  private static final Set<String> UNKNOWN_OUTCOME_STATES =
      Set.of("57P01", "57P02", "57P03", "57P04", "57P05");

  private final Connection physical;
  private final PgConnection driver;

  /**
   * Wraps a connection.
   *
   * @param physical a connection of the driver, or a wrapper that unwraps to one
   * @throws SQLException where it does not unwrap to one
   */
  public PostgresSession(Connection physical) throws SQLException {
    this.physical = physical;
    this.driver = physical.unwrap(PgConnection.class);
  }

  /** Returns the connection as it was handed in. */
  public Connection physical() {
    return physical;
  }

  PgConnection driver() {
    return driver;
  }

  /** Returns the state of the transaction as the server last reported it. */
  public TransactionStatus status() {
    return switch (driver.getTransactionState()) {
      case IDLE -> TransactionStatus.IDLE;
      case OPEN -> TransactionStatus.OPEN;
      case FAILED -> TransactionStatus.FAILED;
    };
  }

  /** Returns whether the connection is closed, without asking the server. */
  public boolean isClosed() {
    try {
      return driver.isClosed();
    } catch (SQLException e) {
      return true;
    }
  }

  /** Returns whether each statement is its own transaction, without asking anybody. */
  public boolean autoCommit() {
    try {
      return driver.getAutoCommit();
    } catch (SQLException e) {
      // The driver throws for a closed connection only; whatever comes next fails by itself.
      return true;
    }
  }

  /** Returns whether a backslash is an ordinary character in a string literal. */
  public boolean standardConformingStrings() {
    return driver.getStandardConformingStrings();
  }

  /**
   * Returns the driver's extensions for the application, or null where {@code iface} is no
   * interface of them.
   *
   * @param gate what the writes of the extensions pass through
   */
  public <T> @Nullable T extensions(Class<T> iface, StatementGate gate) {
    return iface == PGConnection.class ? iface.cast(new GatedPgConnection(driver, gate)) : null;
  }

  /**
   * Returns the driver's extensions of a statement for the application, or null where {@code iface}
   * is no interface of them.
   */
  public <T> @Nullable T extensions(Class<T> iface, Statement statement) throws SQLException {
    return iface == PGStatement.class
        ? iface.cast(new GatedPgStatement(statement.unwrap(PGStatement.class)))
        : null;
  }

  /**
   * Returns the exception that the driver throws where {@code what} is changed in the middle of a
   * transaction.
   */
  public SQLException activeTransaction(String what) {
    return new PSQLException(
        GT.tr("Cannot change transaction " + what + " in the middle of a transaction."),
        PSQLState.ACTIVE_SQL_TRANSACTION);
  }

  /**
   * Makes a transaction begin at the server, with a snapshot, where the driver has put that off.
   */
  public void begin() throws SQLException {
    try (Statement statement = driver.createStatement()) {
      statement.execute("SELECT 1");
    }
  }

  /** Returns the replay options of a new statement of this connection. */
  public ReplayOptions replayOptions() {
    ReplayOptions usual = ReplayOptions.DEFAULT;
    return new ReplayOptions(
        usual.type(), usual.maxFieldSize(), driver.getDefaultFetchSize(), usual.fetchDirection());
  }

  /** Returns the process that the protocol's key data named. */
  public int protocolPid() {
    return driver.getBackendPID();
  }

  /** Returns the driver's options that change what is sent or how results come back. */
  public String protocolOptions() {
    return driver.getPreferQueryMode()
        + "/"
        + driver.getStringVarcharFlag()
        + "/"
        + driver.getConvertBooleanToNumeric()
        + "/"
        + binaryTypes();
  }

  /** Returns which of the types that the driver can receive in binary it does receive so. */
  private String binaryTypes() {
    StringBuilder types = new StringBuilder();
    for (int oid : BINARY_TYPES) {
      types.append(driver.getQueryExecutor().useBinaryForReceive(oid) ? '1' : '0');
    }
    return types.toString();
  }

  /** Returns {@code sql} as the driver sends it: with the escapes of JDBC replaced. */
  public String replaceEscapes(String sql) throws SQLException {
    return Parser.replaceProcessing(sql, true, standardConformingStrings());
  }

  /**
   * Returns whether an execution that ended in {@code thrown} has left no doubt about what was
   * committed: the server said so and the connection lives.
   */
  public boolean isDefinite(Throwable thrown) {
    if (isClosed() || !(thrown instanceof SQLException failure)) {
      return false;
    }
    String state = failure.getSQLState();
    if (PSQLState.CONNECTION_DOES_NOT_EXIST.getState().equals(state)) {
      // The connection lives: it was a handle that was closed, and nothing was sent.
      return true;
    }
    if (state != null && (state.startsWith("08") || UNKNOWN_OUTCOME_STATES.contains(state))) {
      return false;
    }
    ServerErrorMessage message =
        thrown instanceof PSQLException driverFailure
            ? driverFailure.getServerErrorMessage()
            : null;
    String severity = message == null ? null : message.getSeverity();
    return !"FATAL".equals(severity) && !"PANIC".equals(severity);
  }

  /** Returns whether {@code thrown} is what the server itself has said. */
  public boolean isAnswer(Throwable thrown) {
    return thrown instanceof PSQLException failure && failure.getServerErrorMessage() != null;
  }

  /**
   * Asks the session for its facts: one round trip, no BEGIN.
   *
   * @param customSettings further settings to read, by lower-case name; an unknown one reads as
   *     empty
   */
  public SessionFacts readFacts(Collection<String> customSettings) throws SQLException {
    List<String> names = new ArrayList<>(KEY_SETTINGS);
    names.addAll(customSettings);
    StringBuilder sql = new StringBuilder(FACTS);
    for (String name : names) {
      sql.append(", pg_catalog.current_setting('")
          .append(driver.escapeString(name))
          .append("', true)");
    }
    try (ResultSet row = driver.execSQLQuery(sql.toString())) {
      row.next();
      SortedMap<String, String> settings = new TreeMap<>();
      for (int i = 0; i < names.size(); i++) {
        String value = row.getString(FACT_COLUMNS + 1 + i);
        settings.put(names.get(i), value == null ? "" : value);
      }
      SessionFacts facts = facts(row, settings);
      row.getStatement().close();
      return facts;
    }
  }

  /**
   * Asks a new session for its facts. Where the server refuses, the system identifier is empty and
   * all else is what the protocol said.
   */
  public SessionFacts readFirstFacts() throws SQLException {
    try {
      return readFacts(List.of());
    } catch (SQLException e) {
      if (isClosed() || !isDefinite(e)) {
        throw e;
      }
      SortedMap<String, String> settings = new TreeMap<>();
      return new SessionFacts(
          "",
          0,
          "",
          protocolPid(),
          "",
          false,
          "",
          "",
          List.of(),
          "",
          "",
          0,
          false,
          false,
          settings);
    }
  }

  /**
   * Returns whether the server has last said that it is a standby (14 and later say so by
   * themselves), without asking it.
   */
  public boolean inHotStandby() {
    return "on".equals(driver.getParameterStatus("in_hot_standby"));
  }

  private static final int FACT_COLUMNS = 16;

  private static final String FACTS =
      "SELECT (SELECT system_identifier::text FROM pg_catalog.pg_control_system()),"
          + " (SELECT oid FROM pg_catalog.pg_database WHERE datname = pg_catalog.current_database()),"
          + " pg_catalog.date_part('epoch', pg_catalog.pg_postmaster_start_time())::text || '/' ||"
          + " (SELECT timeline_id FROM pg_catalog.pg_control_checkpoint()),"
          + " pg_catalog.pg_backend_pid(),"
          + " (SELECT pg_catalog.date_part('epoch', backend_start)::text"
          + " FROM pg_catalog.pg_stat_get_activity(pg_catalog.pg_backend_pid())),"
          + " pg_catalog.pg_is_in_recovery(),"
          + " session_user, current_user,"
          + " pg_catalog.current_schemas(true),"
          + " pg_catalog.current_setting('transaction_isolation'),"
          + " pg_catalog.current_setting('idle_session_timeout', true),"
          + " pg_catalog.current_setting('idle_in_transaction_session_timeout', true),"
          + " pg_catalog.current_setting('pgaudit.log', true),"
          + " pg_catalog.current_setting('pgaudit.role', true),"
          + " CASE WHEN pg_catalog.pg_my_temp_schema() = 0 THEN false ELSE EXISTS (SELECT FROM pg_catalog.pg_class"
          + " WHERE relnamespace = pg_catalog.pg_my_temp_schema()) END,"
          + " pg_catalog.current_setting('default_transaction_isolation')";

  private static SessionFacts facts(ResultSet row, SortedMap<String, String> settings)
      throws SQLException {
    Array schemas = row.getArray(9);
    String auditedClasses = text(row, 13).toLowerCase(Locale.ROOT);
    return new SessionFacts(
        row.getString(1),
        row.getLong(2),
        row.getString(3),
        row.getInt(4),
        text(row, 5),
        row.getBoolean(6),
        row.getString(7),
        row.getString(8),
        List.of((String[]) schemas.getArray()),
        row.getString(10),
        row.getString(16),
        smallest(milliseconds(text(row, 11)), milliseconds(text(row, 12))),
        auditedClasses.contains("read")
            || auditedClasses.contains("all")
            || !text(row, 14).isEmpty(),
        row.getBoolean(15),
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
