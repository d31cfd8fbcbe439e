package dev.larder.bypass;

/** Why a statement was neither answered from the cache nor kept in it, in words for its user. */
public enum BypassReason {
  DISABLED(
      "the cache is switched off (larder.enabled)",
      "Set `larder.enabled=true`, or `SET larder.enabled = on` in the session; where"
          + " `database_settings` of `SHOW larder.cache` has it, `ALTER DATABASE … RESET"
          + " larder.enabled`, or take the row out of `larder_control`."),
  HINT(
      "a hint in the statement switches the cache off",
      "Remove `/* larder:off */` or `/*NO QUERY CACHE*/` from the text."),
  NOT_ON_DEMAND(
      "larder.mode=demand, and neither a hint nor an included table asks for the cache",
      "Write `/* larder:on */` into the query, name its tables in `larder.tables.include`, or set"
          + " `larder.mode=all`."),
  EXCLUDED_TABLE(
      "it reads a table that larder.tables.exclude names, or that larder.tables.include does not",
      "Take the table out of `larder.tables.exclude`, or name it in `larder.tables.include`; one of"
          + " the built-in coordination tables must be included by name."),
  FOREIGN_WRITES(
      "somebody else than Larder writes a table that it reads (larder.radar=bypass)",
      "Let that writer use Larder, exclude the table, or set `larder.radar=limit`; `LRD-002` in the"
          + " log says who it may be."),
  NOT_A_QUERY("it is no SELECT, VALUES, TABLE or WITH query", "None needed."),
  MULTIPLE_STATEMENTS("the text holds more than one statement", "Send one statement at a time."),
  WRITES(
      "it writes", "None: it must reach the server. Where EXPLAIN ANALYZE is meant, use EXPLAIN."),
  UNPARSED("its text is not understood", "Write it in plainer SQL, or report the statement."),
  SEEN_ONCE(
      "many texts are new, and this one has come for the first time",
      "None where it comes again. Where an application writes a new text for each query, bind what"
          + " differs in them."),
  NO_PROFIT(
      "it costs more to keep its results than they save (larder.admission=profit)",
      "None needed: Larder tries a few of its executions, and caches it again when that pays."
          + " `SHOW larder.queries` has the numbers. Where you want it cached all the same, write"
          + " `/* larder:on */` into the query, or set `larder.admission=all`."),
  UNKNOWN_SYNTAX(
      "it uses syntax that the analyzer does not know",
      "Write it in plainer SQL, or report the statement."),
  NO_TABLE(
      "it reads no table",
      "None: `SELECT 1`, `version()`, `nextval()` and the like ask the server, and no table."),
  UNKNOWN_RELATION(
      "it names a relation that the catalog does not know (yet)",
      "Wait for the catalog to be read, which takes a few seconds at most; where it stays, check"
          + " the name and the search path."),
  UNSUPPORTED_RELATION(
      "it reads a sequence, foreign table, system catalog, statistics view or system column",
      "None for sequences, foreign tables, system catalogs and statistics views, unless a"
          + " materialized view holds their rows: the server must be asked. Leave out system columns"
          + " but `tableoid`, and keep `regclass` and the like as `oid` or `text`. The table of a row, `tableoid::regclass`"
          + " or `tableoid::regclass::text`, is cached where `search_path` has one schema."),
  TEMPORARY_TABLE(
      "it names a temporary table of the session, or calls or reads what may do so",
      "Name temporary tables as no other table is named. After a change of them, results of the"
          + " session are cached again from the end of its transaction on."),
  ROW_SECURITY(
      "a table has a row security policy that depends on more than role and named settings",
      "Let the policies depend on nothing but the role, settings that are read by name, as in"
          + " `current_setting('app.tenant')`, and functions whose bodies do nothing but read"
          + " (docs/routines.md)."),
  FUNCTION(
      "it calls a function that may return something else next time",
      "Let its body do nothing but read, as docs/routines.md says, or declare the function IMMUTABLE"
          + " if it is. Where neither can be, name it in `larder.functions.readOnly`, provided that it"
          + " writes nothing and reads nothing but its arguments and the tables that the query names."),
  BUILTIN_FUNCTION(
      "it calls a function of PostgreSQL's own whose answer depends on more than its arguments",
      "Ask for that value in a query of its own, or compute it in the application and bind it. Where"
          + " it runs a query that it gets as text, as `query_to_xml` does, send that query itself."),
  VOLATILE_FUNCTION(
      "it calls a volatile function",
      "Compute the value in the application and bind it. None where the call is made for its effect,"
          + " such as `nextval` or an advisory lock: it must reach the server."),
  TIME(
      "its answer depends on the time of day (now(), current_date, a cast of a text to a date or"
          + " time type)",
      "Bind the time as a parameter of its type (`setObject(1, LocalDate.now())`), truncated to"
          + " what the query needs; or declare how old its results may be, with"
          + " `/* larder:stale=10s */`."),
  OPERATOR(
      "it uses an operator, cast or domain of the user's that is not IMMUTABLE",
      "If the function behind the operator, cast or domain is yours, declare it IMMUTABLE if it is,"
          + " or name it in `larder.functions.readOnly`. A function of the server's own, as in a"
          + " domain whose check reads the clock or a setting, cannot be declared: use the type below"
          + " the domain, or leave the operator or cast out."),
  ROW_LOCK("it locks rows (FOR UPDATE, FOR SHARE)", "None: a lock is taken at the server."),
  TABLE_SAMPLE("it reads a random sample (TABLESAMPLE)", "None: each sample is another one."),
  LARGE_OBJECT("its result refers to large objects", "Keep the value in a `bytea` column."),
  CURSOR("it reads a cursor", "Run the query itself, not a cursor over it."),
  UPDATABLE(
      "its result set is updatable", "Create the statement with `ResultSet.CONCUR_READ_ONLY`."),
  STREAMING(
      "fetchSize asks for the rows in portions",
      "Leave `setFetchSize` at 0 for results that fit into memory, or let it cover the whole"
          + " result."),
  BIND_TYPE(
      "a bind value is of a type that cannot be part of a key",
      "Bind plain values: numbers, texts, booleans, `java.time`, `UUID`, `byte[]`."),
  STATEMENT_OPTION(
      "an option of the statement (maxFieldSize, escape processing, generated keys) is not served",
      "Leave the option at its default for this statement. A query that is prepared with"
          + " `RETURN_GENERATED_KEYS` is served."),
  TOO_LARGE(
      "its result is larger than larder.maxResultBytes or larder.maxResultRows",
      "Raise the limit, or read fewer rows and columns."),
  WARNINGS(
      "the server sent warnings with its result", "None: the warnings must come from the server."),
  BEING_WRITTEN(
      "a table that it reads was being written",
      "None needed: it ends with the write. `SHOW larder.tables` shows writers that take long."),
  QUARANTINED(
      "a table that it reads is quarantined: the cache has held rows of it that the database had"
          + " not",
      "See `SHOW larder.quarantine` and the log for LRD-012; when the cause is mended, `RESET"
          + " larder.quarantine`."),
  OWN_WRITES(
      "this transaction may have written rows that it reads",
      "None needed: it ends with the transaction. Read before writing, or in another transaction."),
  OWN_UNKNOWN_WRITES(
      "this transaction wrote something that the analyzer does not know",
      "None needed: it ends with the transaction. If `LRD-030` in the log names a trigger or function,"
          + " declare what that writes: `larder.triggers.writes`, `larder.functions.writes`. Without"
          + " one, as after DDL, there is nothing to declare: read before, or in another transaction."),
  FAILED_TRANSACTION("the transaction has failed, and the server must say so", "Roll back."),
  SERIALIZABLE(
      "the isolation level is SERIALIZABLE",
      "Use READ COMMITTED or REPEATABLE READ where that is enough."),
  SNAPSHOT(
      "REPEATABLE READ: a table that it reads was written after this transaction began",
      "None needed: the next transaction can."),
  SHARED_SNAPSHOT(
      "REPEATABLE READ: results that are shared with other JVMs are not used in such a transaction",
      "Use READ COMMITTED where that is enough."),
  FOLLOWED_SNAPSHOT(
      "REPEATABLE READ: no result is used in such a transaction where the writes of others are"
          + " followed, because it may be newer than the transaction",
      "Use READ COMMITTED where that is enough."),
  SHARED_NOT_READY(
      "the shared cache does not know yet whether a table that it reads is being written",
      "None needed: it lasts until the transactions in progress have ended. Where it stays, look"
          + " for a transaction that is left open."),
  SHARED_UNREACHABLE(
      "the shared cache cannot be reached",
      "Start memcached, or see why it does not answer within `larder.memcached.timeout`."),
  ISOLATION(
      "the isolation level is unknown, or the snapshot was imported",
      "Use READ COMMITTED or REPEATABLE READ, without `SET TRANSACTION SNAPSHOT`."),
  UNKNOWN_SETTINGS(
      "the session's settings are not known",
      "They are read again before the next query, but not in a transaction that has failed or has a"
          + " `statement_timeout` or `transaction_timeout` below 1 s, nor while `pg_temp` comes"
          + " first in `search_path` and there are no temporary tables yet."),
  CATALOG_LOADING(
      "the catalog is not loaded yet",
      "None needed after a start or DDL. Where it stays, see the log for LRD-003."),
  STANDBY("the server is a standby", "Connect to the primary (`targetServerType=primary`)."),
  OTHER_SERVER(
      "since the connection was opened the server has crashed, another server with the same"
          + " database was seen, or the pooler was led to another database",
      "Open it again; do not use a server and its copy in one JVM."),
  UNIDENTIFIED(
      "the server does not say which database it is (pg_control_system() is refused)",
      "Grant the user of the connection what `LRD-007` in the log names, such as `EXECUTE ON FUNCTION"
          + " pg_control_system()`; none for a connection of replication."),
  TRANSACTION_POOLER(
      "a pooler sits between the driver and the server",
      "Set nothing through it for longer than a transaction, or connect Larder to the server itself:"
          + " see docs/poolers.md."),
  UNWRAPPED(
      "a driver object was unwrapped, so that writes cannot be seen",
      "Unwrap the interface `org.postgresql.PGConnection`; `larder.unwrap=refuse` finds the"
          + " place."),
  DRIVER(
      "results of this driver cannot be replayed",
      "Use the PostgreSQL JDBC driver 42.7; see the log for LRD-001."),
  KEEPALIVE(
      "the server must hear from this connection before its idle timeout",
      "None needed. Raise `idle_session_timeout` or `idle_in_transaction_session_timeout` for more"
          + " hits on idle connections."),
  AUDITED(
      "pgaudit logs reads",
      "Take `read` out of `pgaudit.log`, or accept that audited reads reach the server."),
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
