package dev.larder.jdbc.session;

import dev.larder.jdbc.postgresql.PostgresSession;

/** How the driver sends something. */
public enum Means {
  /** As a statement of JDBC: with BEGIN where that is due, and behind a savepoint of its own. */
  STATEMENT,

  /** As no such statement, as it sends COPY: without a savepoint. */
  ASIDE,

  /** Without BEGIN, too, whatever the mode of commit. */
  UNBEGUN;

  /** Returns how something is sent that is no statement of JDBC. */
  public static Means aside(boolean unbegun) {
    return unbegun ? UNBEGUN : ASIDE;
  }

  /**
   * Returns whether, before what is no statement, the transaction is to begin or the savepoint of
   * the last hit to be set. What is sent without BEGIN is to be in the transaction that hits have
   * begun. The driver sets no savepoint before it, and a failure leads back to the driver's last
   * one: without that of the hit, what was written before the hit would be undone.
   */
  boolean needsBegin(TransactionState transaction, PostgresSession session) {
    return session.owesSavepoint() || (this == UNBEGUN && transaction.begunByHitAlone());
  }
}
