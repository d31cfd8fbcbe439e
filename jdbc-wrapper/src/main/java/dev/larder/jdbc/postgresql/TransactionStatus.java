package dev.larder.jdbc.postgresql;

/** The state of a connection's transaction as the server last reported it. */
public enum TransactionStatus {
  /** No transaction block. */
  IDLE,
  /** In a transaction block. */
  OPEN,
  /** In a transaction block that has failed: only its end is accepted. */
  FAILED
}
