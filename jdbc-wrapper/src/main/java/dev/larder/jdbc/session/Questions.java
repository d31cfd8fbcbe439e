package dev.larder.jdbc.session;

import dev.larder.catalog.CatalogVersion;
import dev.larder.jdbc.postgresql.SessionFacts;
import dev.larder.sql.SessionCommand;
import dev.larder.sql.StatementFacts;
import dev.larder.sql.StatementKind;
import org.jspecify.annotations.Nullable;

/**
 * Whether there is any use in asking the server for the settings of a session. Confined to the
 * thread that uses the connection.
 */
final class Questions {
  /** A timeout below this may end a question of Larder's own, in milliseconds. */
  private static final long SHORT_MILLIS = 1_000;

  /** Whether the server would refuse the question again. */
  private boolean refused;

  /** Whether that was in a transaction, whose end may change it. */
  private boolean refusedInTransaction;

  /** When it may be asked again, though nothing has changed; null for never. */
  private @Nullable Long retryNanos;

  /** Whether a timeout of the application's may be short enough to end a question. */
  private boolean hurried;

  /** Whether a cursor that is open may set anything whenever rows are fetched from it. */
  private boolean unsteady;

  /** Whether a statement has made the settings unknown. */
  private boolean unfollowed;

  /** The mark of the catalog with which it refused. */
  private @Nullable Object refusedWith;

  /**
   * Notes a statement.
   *
   * @param before whether the settings were known before
   * @param after whether they are known after it, or will be after the next one of its kind
   */
  void followed(boolean before, boolean after) {
    unfollowed |= before && !after;
  }

  /** Returns whether a statement had made the settings unknown, and forgets it. */
  boolean takeUnfollowed() {
    boolean taken = unfollowed;
    unfollowed = false;
    return taken;
  }

  /** Returns whether the server will not answer, or not for long. */
  boolean areRefused() {
    Long retry = retryNanos;
    return unsteady || (refused && (retry == null || System.nanoTime() - retry < 0));
  }

  /**
   * Notes that the server did not answer. It is not asked again until a statement has set
   * something, the transaction has ended that this was in, or the catalog changed.
   *
   * @param retry after how many nanoseconds it may be asked again nevertheless, or null
   */
  void refuse(@Nullable Long retry, boolean inTransaction, @Nullable CatalogVersion catalog) {
    refused = true;
    refusedInTransaction = inTransaction;
    retryNanos = retry == null ? null : System.nanoTime() + retry;
    refusedWith = catalog == null ? null : catalog.mark();
  }

  /** Notes that the server may answer now. */
  void mayBeAnswered() {
    refused = false;
  }

  /** Notes that another catalog may be current. */
  void catalog(@Nullable Object mark) {
    refused &= mark == refusedWith;
  }

  /** Notes that a timeout may have been set. */
  void touched(Sent sent) {
    refused = false;
    for (StatementFacts statement : sent.kinds().all()) {
      hurried |= SetCommands.mayHurry(statement.kind(), statement.command());
    }
    for (SessionCommand command : sent.settings().told()) {
      hurried |= SetCommands.mayHurry(StatementKind.SET, command);
    }
  }

  boolean areHurried() {
    return hurried;
  }

  /** Notes what was answered, outside of a transaction with the timeouts of the session. */
  void answered(SessionFacts facts, boolean inTransaction) {
    if (!inTransaction) {
      hurried = facts.timeoutMillis() > 0 && facts.timeoutMillis() < SHORT_MILLIS;
    }
  }

  boolean isUnsteady() {
    return unsteady;
  }

  void unsteady() {
    unsteady = true;
  }

  /**
   * Notes the end of a transaction.
   *
   * @param touched whether it has set anything
   */
  void transactionEnded(boolean touched) {
    refused &= !touched && !refusedInTransaction;
    unsteady = false;
  }
}
