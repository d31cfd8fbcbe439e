package dev.larder.jdbc.postgresql;

/** Who ends a connection's transactions. */
public enum CommitMode {
  /** Each statement is its own transaction, unless SQL has begun one. */
  AUTO,
  /** The application commits. */
  MANUAL,
  /** Nobody: the connection is closed. */
  CLOSED
}
