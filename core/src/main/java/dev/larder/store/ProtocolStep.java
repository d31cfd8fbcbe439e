package dev.larder.store;

import org.jspecify.annotations.Nullable;

/**
 * The steps that keep wrong rows out. A test can leave one out to see that its checks would notice;
 * in production every step is taken: only a test that reaches into this package changes that, for
 * the whole JVM. Thread-safe.
 */
public enum ProtocolStep {
  /** A writer announces before it sends; left out, it first says something when it publishes. */
  ANNOUNCE,
  /** An announce raises the in-flight count; left out, it only advances the epoch. */
  COUNT_IN_FLIGHT,
  /** An announce is counted for each tag, so that a validation from before is not believed. */
  COUNT_ANNOUNCES,
  /** A writer publishes after the outcome; left out, it does so before it sends, and only then. */
  PUBLISH_AFTER_OUTCOME,
  /** A miss captures the versions before it sends; left out, it does so after the answer. */
  CAPTURE_BEFORE_SENDING,
  /** A transaction uses no cache for what it has written. */
  BYPASS_OWN_WRITES,
  /** A write whose connection died is published when its server process is gone, not at once. */
  WAIT_FOR_LOST_PROCESS,
  /** A statement that may write anything invalidates everything. */
  INVALIDATE_ALL_FOR_UNKNOWN,
  /** DDL withdraws the version of the catalog. */
  WITHDRAW_CATALOG,
  /** A catalog that differs widens what is under way. */
  WIDEN_PENDING,
  /** A writer compares the catalog with that of its lookup once it has announced. */
  COMPARE_CATALOG,
  /** What was written before a rollback to a savepoint stays written. */
  KEEP_WRITES_AT_ROLLBACK_TO,
  /** In REPEATABLE READ a hit needs the locks of the same statement, run at the server. */
  LOCK_FOR_REPEATABLE_READ,
  /** A rollback to a savepoint forgets the locks. */
  FORGET_LOCKS_AT_ROLLBACK_TO,
  /** In REPEATABLE READ nothing is used that is newer than the snapshot. */
  COMPARE_WITH_SNAPSHOT,
  /** A SERIALIZABLE transaction uses no cache. */
  BYPASS_SERIALIZABLE,
  /** A batch announces every statement of it; left out, the first. */
  ANNOUNCE_WHOLE_BATCH,
  /** A text of several statements announces them all; left out, the first. */
  ANNOUNCE_WHOLE_TEXT,
  /** A write counts as one of what triggers write. */
  FOLLOW_TRIGGERS,
  /** A write counts as one of what foreign keys change in turn. */
  FOLLOW_FOREIGN_KEYS,
  /** A write to a partition counts as one of the tables above it. */
  FOLLOW_PARTITIONS,
  /** COMMIT PREPARED announces what the transaction wrote before it was prepared. */
  REMEMBER_PREPARED,
  /** What is captured after the answer has not been written since before the sending. */
  COMPARE_LATE_TAGS,
  /** What was captured after the answer says nothing to an older snapshot. */
  DATE_LATE_TAGS,
  /** After the answer something is captured only where nothing but commits is seen. */
  CAPTURE_LATE_IF_PLAIN,
  /** A transaction does not use the cache for single rows that it has written. */
  BYPASS_OWN_ROWS,
  /** COMMIT announces the single rows that the statements before it have written. */
  ANNOUNCE_ROWS_AT_COMMIT,
  /** A publish gives single rows a new version. */
  PUBLISH_ROWS,
  /**
   * A result whose rows were written is kept anew as it was captured before its columns were seen.
   */
  CAPTURE_BEFORE_RENEWING,
  /** A row that moves leaves its old value. */
  NAME_OLD_VALUES,
  /** A row that moves comes to its new value. */
  NAME_NEW_VALUES,
  /** Single rows that were written before a rollback to a savepoint stay written. */
  KEEP_ROWS_AT_ROLLBACK_TO,
  /** Whoever has waited for another's result looks it up; left out, it takes what it finds. */
  LOOK_UP_AFTER_WAIT,
  /** The key of a result, and so of a flight, names the roles of its session. */
  NAME_ROLES_IN_KEYS,
  /** Nobody waits for a transaction whose result may be for itself alone. */
  LEAD_IF_PLAIN,
  /** A session that may hold locks at the server does not wait for another's result. */
  WAIT_WITHOUT_LOCKS,
  /** A flight ends although its query has failed. */
  END_FAILED_FLIGHTS,
  /** A result is waited for a while only. */
  LIMIT_WAITS,
  /** What leaves nothing for others is soon not waited for any more. */
  COUNT_VAIN_RUNS,
  /** A lease is given back when the result was kept. */
  RELEASE_LEASES,
  /** A result of another JVM is compared with the versions, also after a wait for it. */
  VALIDATE_SHARED,
  /** An outdated result is used for the declared time only. */
  LIMIT_OUTDATED,
  /** An outdated result takes no session back in time. */
  KEEP_SESSIONS_FORWARD,
  /** What a session has written counts as seen. */
  SEE_OWN_WRITES,
  /** A commit of others is published once it is visible; left out, when the log tells of it. */
  PUBLISH_WHEN_VISIBLE,
  /** Nothing is known of others' writes before those are visible that were in the log before. */
  SETTLE_BEFORE_FOLLOWING,
  /** A result is not used while it is not known what others have written for too long. */
  LIMIT_UNKNOWN,
  /** Of two results of one moment that differ none is kept, where others' writes are followed. */
  KEEP_NEITHER,
  /** Where others' writes are followed, a transaction with a snapshot uses no cache. */
  BYPASS_SNAPSHOTS,
  /** SET LOCAL leaves alone what a commit keeps. */
  KEEP_LOCAL_APART,
  /** What SET LOCAL has set ends with a commit. */
  END_LOCAL_AT_COMMIT,
  /** A rollback takes settings back. */
  UNDO_SETTINGS_AT_ROLLBACK,
  /** A rollback to a savepoint takes settings back. */
  UNDO_SETTINGS_AT_ROLLBACK_TO,
  /** Savepoints are told apart by their names. */
  NAME_SAVEPOINTS,
  /** A custom setting that somebody has tried to set is empty, and never unset again. */
  EMPTY_ONCE_TRIED,
  /** What has failed may have tried to set a custom setting that was unset. */
  DOUBT_UNSET_AFTER_FAILURE,
  /** A statement that the server has refused sets nothing, the level of the transaction neither. */
  IGNORE_WHAT_WAS_REFUSED,
  /** Several statements that may have ended a transaction leave nothing known. */
  DOUBT_SEVERAL_THAT_END,
  /** The driver may have rolled back to a savepoint of its own. */
  DOUBT_DRIVERS_ROLLBACK,
  /** A transaction that is chained to another has the other's level. */
  KEEP_LEVEL_IN_CHAIN,
  /** The level of a transaction that is chained to a failed one is not known. */
  DOUBT_LEVEL_AFTER_FAILURE,
  /** The key of a result has the settings that policies of its tables read. */
  NAME_SETTINGS_OF_POLICIES,
  /** The key of a result has the settings that its views read. */
  NAME_SETTINGS_OF_VIEWS,
  /** The key of a result has the settings that the functions read that it names. */
  NAME_SETTINGS_OF_ROUTINES,
  /** The key of a result has the settings that functions read which nothing names. */
  NAME_SETTINGS_OF_UNNAMED,
  /** A text is parsed again that was parsed in another catalog or under other settings. */
  PARSE_AGAIN,
  /** What functions and triggers run is planned again in another catalog, or for other settings. */
  PLAN_AGAIN,
  /** What a transaction has set and was held back is sent before anything else is. */
  SEND_WHAT_WAS_HELD;

  private static volatile @Nullable ProtocolStep leftOut;

  /** Returns whether this step is taken: in production it is. */
  public boolean isTaken() {
    return leftOut != this;
  }

  /** Leaves out one step from now on, or none. */
  static void leaveOut(@Nullable ProtocolStep step) {
    leftOut = step;
  }
}
