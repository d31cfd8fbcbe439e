package dev.larder.bypass;

/** Why a statement was neither answered from the cache nor kept in it, in words for its user. */
public enum BypassReason {
  /** The cache is off by setting, for this JVM, connection or session. */
  DISABLED(
      "the cache is switched off (larder.enabled)",
      "Set `larder.enabled=true`, or `SET larder.enabled = on` in the session; where"
          + " `database_settings` of `SHOW larder.cache` has it, `ALTER DATABASE … RESET"
          + " larder.enabled`."),
  /** A hint in the statement says so. */
  HINT(
      "a hint in the statement switches the cache off",
      "Remove `/* larder:off */` or `/*NO QUERY CACHE*/` from the text."),
  /** {@code larder.mode=demand} and neither a hint nor an included table asks for the cache. */
  NOT_ON_DEMAND(
      "larder.mode=demand, and neither a hint nor an included table asks for the cache",
      "Write `/* larder:on */` into the query, name its tables in `larder.tables.include`, or set"
          + " `larder.mode=all`."),
  /** The statement reads an excluded table, or one that is not included. */
  EXCLUDED_TABLE(
      "it reads a table that larder.tables.exclude names, or that larder.tables.include does not",
      "Take the table out of `larder.tables.exclude`, or name it in `larder.tables.include`; one of"
          + " the built-in coordination tables must be included by name."),
  /** Others than Larder write a table, and larder.radar=bypass. */
  FOREIGN_WRITES(
      "somebody else than Larder writes a table that it reads (larder.radar=bypass)",
      "Let that writer use Larder, exclude the table, or set `larder.radar=limit`; `LRD-002` in the"
          + " log says who it may be."),
  /** Not a query. */
  NOT_A_QUERY("it is no SELECT, VALUES, TABLE or WITH query", "None needed."),
  /** More than one statement in one string. */
  MULTIPLE_STATEMENTS("the text holds more than one statement", "Send one statement at a time."),
  /** A WITH query, function or EXPLAIN that writes. */
  WRITES(
      "it writes", "None: it must reach the server. Where EXPLAIN ANALYZE is meant, use EXPLAIN."),
  /** The text was not understood. */
  UNPARSED(
      "the parser does not understand it", "Write it in plainer SQL, or report the statement."),
  /** It is new among more shapes than are remembered, so that it was not parsed. */
  SEEN_ONCE(
      "there are more different texts than are remembered, and this one is new",
      "None where it comes again. Where an application writes a new text for each query, bind what"
          + " differs in them."),
  /** The tree has a node that the analyzer does not know. */
  UNKNOWN_SYNTAX(
      "it uses syntax that the analyzer does not know",
      "Write it in plainer SQL, or report the statement."),
  /** No relation is read. */
  NO_TABLE(
      "it reads no table",
      "None: `SELECT 1`, `version()`, `nextval()` and the like ask the server, and no table."),
  /** A name resolves to no known relation. */
  UNKNOWN_RELATION(
      "it names a relation that the catalog does not know (yet)",
      "Wait for the catalog to be read, which takes a few seconds at most; where it stays, check"
          + " the name and the search path."),
  /** A sequence, foreign table, system catalog or other relation whose changes nobody announces. */
  UNSUPPORTED_RELATION(
      "it reads a sequence, foreign table, system catalog, statistics view or system column",
      "Read a table, view or materialized view; leave out system columns but `tableoid`, and keep"
          + " `regclass` and the like as `oid` or `text`. The table of a row, `tableoid::regclass`"
          + " or `tableoid::regclass::text`, is cached where `search_path` has one schema."),
  /** A temporary table, or one may shadow a name. */
  TEMPORARY_TABLE(
      "the session has temporary tables, or it reads one",
      "Create them with `ON COMMIT DROP`, drop them, or `DISCARD ALL` afterwards: without them the"
          + " session is cached again."),
  /** Row-level security whose policies cannot be put into the key. */
  ROW_SECURITY(
      "a table has a row security policy that depends on more than role and named settings",
      "Let the policies depend on nothing but the role and settings that are read by name, as in"
          + " `current_setting('app.tenant')`."),
  /**
   * A routine of users that is neither IMMUTABLE nor known to depend on tables and key settings
   * only.
   */
  FUNCTION(
      "it calls a function that may return something else next time",
      "Declare the function IMMUTABLE if it is, or name it in `larder.functions.readOnly`."),
  /** A builtin that is neither volatile nor known to depend on tables and key settings only. */
  BUILTIN_FUNCTION(
      "it calls a function of PostgreSQL's own whose answer depends on more than its arguments",
      "Ask for that value in a query of its own, or compute it in the application and bind it."),
  /** A volatile builtin. */
  VOLATILE_FUNCTION(
      "it calls a volatile function", "Compute the value in the application and bind it."),
  /** now() and its family, and casts that may read the clock. */
  TIME(
      "its answer depends on the time of day (now(), current_date, a cast of a text to a date or"
          + " time type)",
      "Bind the time as a parameter of its type (`setObject(1, LocalDate.now())`), truncated to"
          + " what the query needs."),
  /** A user's operator, cast or domain that is not IMMUTABLE. */
  OPERATOR(
      "it uses an operator, cast or domain of the user's that is not IMMUTABLE",
      "Declare the function behind the operator, cast or domain IMMUTABLE if it is."),
  /** FOR UPDATE, FOR SHARE and the like. */
  ROW_LOCK("it locks rows (FOR UPDATE, FOR SHARE)", "None: a lock is taken at the server."),
  /** TABLESAMPLE. */
  TABLE_SAMPLE("it reads a random sample (TABLESAMPLE)", "None: each sample is another one."),
  /** A result with a large object. */
  LARGE_OBJECT("its result refers to large objects", "Keep the value in a `bytea` column."),
  /** DECLARE, FETCH or a refcursor. */
  CURSOR("it reads a cursor", "Run the query itself, not a cursor over it."),
  /** The result set is updatable. */
  UPDATABLE(
      "its result set is updatable", "Create the statement with `ResultSet.CONCUR_READ_ONLY`."),
  /** A fetch size asks for streaming, and one portion was not all. */
  STREAMING(
      "fetchSize asks for the rows in portions",
      "Leave `setFetchSize` at 0 for results that fit into memory, or let it cover the whole"
          + " result."),
  /** A bind value of a type that the key cannot hold. */
  BIND_TYPE(
      "a bind value is of a type that cannot be part of a key",
      "Bind plain values: numbers, texts, booleans, `java.time`, `UUID`, `byte[]`."),
  /** An option of the statement that the cache does not serve. */
  STATEMENT_OPTION(
      "an option of the statement (maxFieldSize, escape processing, generated keys) is not served",
      "Leave the option at its default for this statement."),
  /** The result is over the limit. */
  TOO_LARGE(
      "its result is larger than larder.maxResultBytes or larder.maxResultRows",
      "Raise the limit, or read fewer rows and columns."),
  /** A result that came with warnings, which a hit would not have. */
  WARNINGS(
      "the server sent warnings with its result", "None: the warnings must come from the server."),
  /** A write of a table was under way when the statement began. */
  BEING_WRITTEN(
      "a table that it reads was being written",
      "None needed: it ends with the write. `SHOW larder.tables` shows writers that take long."),
  /** The cache has held a wrong row of a table. */
  QUARANTINED(
      "a table that it reads is quarantined: the cache has held rows of it that the database had"
          + " not",
      "See `SHOW larder.quarantine` and the log for LRD-012; when the cause is mended, `RESET"
          + " larder.quarantine`."),
  /** The transaction wrote what the statement reads. */
  OWN_WRITES(
      "this transaction wrote a table that it reads",
      "None needed: it ends with the transaction. Read before writing, or in another transaction."),
  /** The transaction wrote something unknown. */
  OWN_UNKNOWN_WRITES(
      "this transaction wrote something that the analyzer does not know",
      "Declare what functions and triggers write: `larder.functions.writes`,"
          + " `larder.triggers.writes`."),
  /** The transaction failed; the server must say so. */
  FAILED_TRANSACTION("the transaction has failed, and the server must say so", "Roll back."),
  /** SERIALIZABLE. */
  SERIALIZABLE(
      "the isolation level is SERIALIZABLE",
      "Use READ COMMITTED or REPEATABLE READ where that is enough."),
  /** REPEATABLE READ, and the snapshot is older than what others should be given. */
  SNAPSHOT(
      "REPEATABLE READ: a table that it reads was written after this transaction began",
      "None needed: the next transaction can."),
  /** Shared with other JVMs, and REPEATABLE READ in a transaction. */
  SHARED_SNAPSHOT(
      "REPEATABLE READ: results that are shared with other JVMs are not used in such a transaction",
      "Use READ COMMITTED where that is enough."),
  /** The shared memory does not know the version of a table. */
  SHARED_NOT_READY(
      "the shared cache does not know yet whether a table that it reads is being written",
      "None needed: it lasts until the transactions in progress have ended. Where it stays, look"
          + " for a transaction that is left open."),
  /** The shared memory does not answer. */
  SHARED_UNREACHABLE(
      "the shared cache cannot be reached",
      "Start memcached, or see why it does not answer within `larder.memcached.timeout`."),
  /** An isolation level that is not known, or a snapshot that was imported. */
  ISOLATION(
      "the isolation level is unknown, or the snapshot was imported",
      "Use READ COMMITTED or REPEATABLE READ, without `SET TRANSACTION SNAPSHOT`."),
  /** The session's settings are unknown. */
  UNKNOWN_SETTINGS(
      "the session's settings are not known",
      "They are read again before the next query, but not in a transaction that has failed or has a"
          + " `statement_timeout` or `transaction_timeout` below 1 s, nor while `pg_temp` comes"
          + " first in `search_path` and there are no temporary tables yet."),
  /** The catalog is not loaded yet. */
  CATALOG_LOADING(
      "the catalog is not loaded yet",
      "None needed after a start or DDL. Where it stays, see the log for LRD-003."),
  /** The server is a standby. */
  STANDBY("the server is a standby", "Connect to the primary (`targetServerType=primary`)."),
  /** The life of the server that the connection was opened in is over. */
  OTHER_SERVER(
      "since the connection was opened the server has crashed, or another server with the same"
          + " database was seen",
      "Open it again; do not use a server and its copy in one JVM."),
  /** The server does not say which database it is. */
  UNIDENTIFIED(
      "the server does not say which database it is (pg_control_system() is refused)",
      "`GRANT EXECUTE ON FUNCTION pg_control_system() TO` the user of the connection."),
  /** A pooler sits in between. */
  TRANSACTION_POOLER(
      "a pooler sits between the driver and the server", "Connect Larder to the server itself."),
  /** A driver object was unwrapped; writes can no longer be seen. */
  UNWRAPPED(
      "a driver object was unwrapped, so that writes cannot be seen",
      "Unwrap the interface `org.postgresql.PGConnection`; `larder.unwrap=refuse` finds the"
          + " place."),
  /** The driver is not one that results can be replayed with. */
  DRIVER(
      "results of this driver cannot be replayed",
      "Use the PostgreSQL JDBC driver 42.7; see the log for LRD-001."),
  /** The server has not heard from the connection for too long. */
  KEEPALIVE(
      "the server must hear from this connection before its idle timeout",
      "None needed. Raise `idle_session_timeout` or `idle_in_transaction_session_timeout` for more"
          + " hits on idle connections."),
  /** pgaudit logs reads. */
  AUDITED(
      "pgaudit logs reads",
      "Take `read` out of `pgaudit.log`, or accept that audited reads reach the server."),
  /** The connection or statement is closed; the driver must say so. */
  CLOSED("the connection or statement is closed", "None: the driver raises its error.");

  private final String description;
  private final String cure;

  BypassReason(String description, String cure) {
    this.description = description;
    this.cure = cure;
  }

  /** Returns the reason in words, to follow "not cached because". */
  public String description() {
    return description;
  }

  /** Returns what can be done about it, as a sentence or two; names and SQL are in backticks. */
  public String cure() {
    return cure;
  }
}
