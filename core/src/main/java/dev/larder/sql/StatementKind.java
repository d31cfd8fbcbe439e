package dev.larder.sql;

/** What a statement is, as far as a query cache must tell statements apart. */
public enum StatementKind {
  /** SELECT, VALUES, TABLE, or WITH whose parts are all of these. */
  QUERY,
  /**
   * INSERT, UPDATE, DELETE or MERGE, with or without RETURNING, or WITH that contains one of them.
   */
  DML,
  /** TRUNCATE. */
  TRUNCATE,
  /** COPY … FROM. */
  COPY_FROM,
  /** COPY … TO; reads only, unless its query writes. */
  COPY_TO,
  /** REFRESH MATERIALIZED VIEW. */
  REFRESH,
  /** CALL and DO. */
  CALL,
  /** SELECT INTO, CREATE TABLE AS, and every CREATE, ALTER, DROP, GRANT, REVOKE and the like. */
  DDL,
  /** DDL for what all databases of a server share: roles and their memberships, databases. */
  SHARED_DDL,
  /** CREATE INDEX: changes no rows, but by which columns rows are told apart. */
  CREATE_INDEX,
  /**
   * ANALYZE, with VACUUM too, VACUUM FULL, COMMENT, REINDEX, CLUSTER: changes neither rows nor the
   * meaning of a statement. The catalog is read again.
   */
  MAINTENANCE,
  /** CREATE TEMPORARY …: taints the session, and writes nothing that another session sees. */
  CREATE_TEMPORARY,
  /** BEGIN, START TRANSACTION. */
  BEGIN,
  /** COMMIT, END. */
  COMMIT,
  /** ROLLBACK, ABORT. */
  ROLLBACK,
  /** SAVEPOINT. */
  SAVEPOINT,
  /** RELEASE SAVEPOINT. */
  RELEASE,
  /** ROLLBACK TO SAVEPOINT. */
  ROLLBACK_TO,
  /** PREPARE TRANSACTION. */
  PREPARE_TRANSACTION,
  /** COMMIT PREPARED. */
  COMMIT_PREPARED,
  /** ROLLBACK PREPARED. */
  ROLLBACK_PREPARED,
  /**
   * SET of a setting, for the session or LOCAL, SET ROLE and SET SESSION AUTHORIZATION included.
   */
  SET,
  /** SET TRANSACTION and SET SESSION CHARACTERISTICS. */
  SET_TRANSACTION,
  /** SET CONSTRAINTS; may run deferred triggers. */
  SET_CONSTRAINTS,
  /** RESET. */
  RESET,
  /** DISCARD. */
  DISCARD,
  /** SHOW of a server setting. */
  SHOW,
  /** EXPLAIN without ANALYZE: plans, and runs nothing but functions that help with that. */
  EXPLAIN,
  /** PREPARE name AS …; the statement runs at EXECUTE. */
  PREPARE,
  /** EXECUTE of a statement prepared as SQL. */
  EXECUTE,
  /** DEALLOCATE. */
  DEALLOCATE,
  /** DECLARE, FETCH, MOVE, CLOSE. */
  CURSOR,
  /** VACUUM, LISTEN, UNLISTEN, NOTIFY, LOCK, CHECKPOINT, LOAD: writes no rows of tables. */
  UTILITY,
  /**
   * {@code SHOW larder.…}, {@code RESET larder.…}, {@code SET larder.…}, and the commands of other
   * query caches: answered by Larder, never sent.
   */
  LARDER,
  /** Nothing but white space and comments. */
  EMPTY,
  /** Anything else: its effects are unknown. */
  UNKNOWN
}
