package dev.larder.sql;

/** Why a statement was neither answered from the cache nor kept in it, in words for its user. */
public enum BypassReason {
  /** The cache is off by setting, for this JVM, connection or session. */
  DISABLED("the cache is switched off (larder.enabled)"),
  /** A hint in the statement says so. */
  HINT("a hint in the statement switches the cache off"),
  /** {@code larder.mode=demand} and neither a hint nor an included table asks for the cache. */
  NOT_ON_DEMAND("larder.mode=demand, and neither a hint nor an included table asks for the cache"),
  /** The statement reads an excluded table, or one that is not included. */
  EXCLUDED_TABLE(
      "it reads a table that larder.tables.exclude names, or that larder.tables.include does not"),
  /** Not a query. */
  NOT_A_QUERY("it is no SELECT, VALUES, TABLE or WITH query"),
  /** More than one statement in one string. */
  MULTIPLE_STATEMENTS("the text holds more than one statement"),
  /** A WITH query, function or EXPLAIN that writes. */
  WRITES("it writes"),
  /** The text was not understood. */
  UNPARSED("the parser does not understand it"),
  /** The tree has a node that the analyzer does not know. */
  UNKNOWN_SYNTAX("it uses syntax that the analyzer does not know"),
  /** No relation is read. */
  NO_TABLE("it reads no table"),
  /** A name resolves to no known relation. */
  UNKNOWN_RELATION("it names a relation that the catalog does not know (yet)"),
  /** A sequence, foreign table, system catalog or other relation whose changes nobody announces. */
  UNSUPPORTED_RELATION(
      "it reads a sequence, foreign table, system catalog, statistics view or system column"),
  /** A temporary table, or one may shadow a name. */
  TEMPORARY_TABLE("the session has temporary tables, or it reads one"),
  /** Row-level security whose policies cannot be put into the key. */
  ROW_SECURITY(
      "a table has a row security policy that depends on more than role and named settings"),
  /** A routine that is neither IMMUTABLE nor known to depend on tables and key settings only. */
  FUNCTION("it calls a function that may return something else next time"),
  /** A volatile builtin. */
  VOLATILE_FUNCTION("it calls a volatile function"),
  /** now() and its family, and casts that may read the clock. */
  TIME(
      "its answer depends on the time of day (now(), current_date, a cast of a text to a date or time"
          + " type)"),
  /** A user's operator, cast or domain that is not IMMUTABLE. */
  OPERATOR("it uses an operator, cast or domain of the user's that is not IMMUTABLE"),
  /** FOR UPDATE, FOR SHARE and the like. */
  ROW_LOCK("it locks rows (FOR UPDATE, FOR SHARE)"),
  /** TABLESAMPLE. */
  TABLE_SAMPLE("it reads a random sample (TABLESAMPLE)"),
  /** A result with a large object. */
  LARGE_OBJECT("its result refers to large objects"),
  /** DECLARE, FETCH or a refcursor. */
  CURSOR("it reads a cursor"),
  /** The result set is updatable. */
  UPDATABLE("its result set is updatable"),
  /** A fetch size asks for streaming, and one portion was not all. */
  STREAMING("fetchSize asks for the rows in portions"),
  /** A bind value of a type that the key cannot hold. */
  BIND_TYPE("a bind value is of a type that cannot be part of a key"),
  /** An option of the statement that the cache does not serve. */
  STATEMENT_OPTION(
      "an option of the statement (maxFieldSize, escape processing, generated keys) is not served"),
  /** The result is over the limit. */
  TOO_LARGE("its result is larger than larder.maxResultBytes or larder.maxResultRows"),
  /** A result that came with warnings, which a hit would not have. */
  WARNINGS("the server sent warnings with its result"),
  /** A write of a table was under way when the statement began. */
  BEING_WRITTEN("a table that it reads was being written"),
  /** The transaction wrote what the statement reads. */
  OWN_WRITES("this transaction wrote a table that it reads"),
  /** The transaction wrote something unknown. */
  OWN_UNKNOWN_WRITES("this transaction wrote something that the analyzer does not know"),
  /** The transaction failed; the server must say so. */
  FAILED_TRANSACTION("the transaction has failed, and the server must say so"),
  /** SERIALIZABLE. */
  SERIALIZABLE("the isolation level is SERIALIZABLE"),
  /** REPEATABLE READ, and the snapshot is older than what others should be given. */
  SNAPSHOT("REPEATABLE READ: a table that it reads was written after this transaction began"),
  /** An isolation level that is not known, or a snapshot that was imported. */
  ISOLATION("the isolation level is unknown, or the snapshot was imported"),
  /** The session's settings are unknown. */
  UNKNOWN_SETTINGS("the session's settings are not known"),
  /** The catalog is not loaded yet. */
  CATALOG_LOADING("the catalog is not loaded yet"),
  /** The server is a standby. */
  STANDBY("the server is a standby"),
  /** The life of the server that the connection was opened in is over. */
  OTHER_SERVER(
      "since the connection was opened the server has crashed, or another server with the same database was seen"),
  /** The server does not say which database it is. */
  UNIDENTIFIED("the server does not say which database it is (pg_control_system() is refused)"),
  /** A pooler sits in between. */
  TRANSACTION_POOLER("a pooler sits between the driver and the server"),
  /** A driver object was unwrapped; writes can no longer be seen. */
  UNWRAPPED("a driver object was unwrapped, so that writes cannot be seen"),
  /** The driver is not one that results can be replayed with. */
  DRIVER("results of this driver cannot be replayed"),
  /** The server has not heard from the connection for too long. */
  KEEPALIVE("the server must hear from this connection before its idle timeout"),
  /** pgaudit logs reads. */
  AUDITED("pgaudit logs reads"),
  /** The connection or statement is closed; the driver must say so. */
  CLOSED("the connection or statement is closed");

  private final String description;

  BypassReason(String description) {
    this.description = description;
  }

  /** Returns the reason in words, to follow "not cached because". */
  public String description() {
    return description;
  }
}
