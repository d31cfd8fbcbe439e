package dev.larder.jdbc.caching;

import dev.larder.catalog.ResolvedStatement;
import dev.larder.engine.Database;
import dev.larder.engine.SessionView;
import dev.larder.jdbc.postgresql.CommitMode;
import dev.larder.jdbc.postgresql.TransactionStatus;
import dev.larder.sql.BypassReason;
import dev.larder.store.SessionFingerprint;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The session as the engine sees it during one look-up. What the driver says of the transaction is
 * asked for once, because its answer is far to seek, and does not change in here: of threads that
 * share a connection none decides by what another has found. There are four of these for each
 * connection, made once. Confined to the thread that uses the connection, as the connection is.
 */
final class SessionAtLookup implements SessionView {
  private final PhysicalConnection physical;
  private final SessionState state;
  private final TransactionState transaction;
  private final Database database;
  private final Kind kind;

  /** What the driver says of connection and transaction. */
  private enum Kind {
    CLOSED,
    FAILED,
    /** What is looked up is part of a transaction that outlives it. */
    IN_BLOCK,
    ALONE
  }

  private SessionAtLookup(
      PhysicalConnection physical,
      SessionState state,
      TransactionState transaction,
      Database database,
      Kind kind) {
    this.physical = physical;
    this.state = state;
    this.transaction = transaction;
    this.database = database;
    this.kind = kind;
  }

  /** All that there are of one connection. */
  static final class All {
    private final SessionAtLookup closed;
    private final SessionAtLookup failed;
    private final SessionAtLookup inBlock;
    private final SessionAtLookup alone;

    All(
        PhysicalConnection physical,
        SessionState state,
        TransactionState transaction,
        Database database) {
      closed = new SessionAtLookup(physical, state, transaction, database, Kind.CLOSED);
      failed = new SessionAtLookup(physical, state, transaction, database, Kind.FAILED);
      inBlock = new SessionAtLookup(physical, state, transaction, database, Kind.IN_BLOCK);
      alone = new SessionAtLookup(physical, state, transaction, database, Kind.ALONE);
    }

    /** Returns the one that the driver's answers stand for. */
    SessionAtLookup of(CommitMode mode, TransactionStatus status) {
      if (mode == CommitMode.AUTO && status == TransactionStatus.IDLE) {
        return alone;
      }
      if (mode == CommitMode.CLOSED) {
        return closed;
      }
      return status == TransactionStatus.FAILED ? failed : inBlock;
    }
  }

  @Override
  public @Nullable BypassReason sessionBypass() {
    if (kind == Kind.CLOSED) {
      return BypassReason.CLOSED;
    }
    BypassReason reason = state.bypass();
    return reason == null && physical.isUnwrapped() ? BypassReason.UNWRAPPED : reason;
  }

  @Override
  public @Nullable SessionFingerprint fingerprint() {
    return state.fingerprint();
  }

  @Override
  public boolean knowsSettings(Set<String> names) {
    return state.knows(names);
  }

  @Override
  public @Nullable BypassReason transactionBypass(ResolvedStatement statement) {
    return kind == Kind.FAILED
        ? BypassReason.FAILED_TRANSACTION
        : transaction.bypass(statement, database.catalog().generation());
  }

  @Override
  public boolean mayHit(ResolvedStatement statement) {
    return transaction.mayHit(statement, isInBlock());
  }

  @Override
  public long snapshotEpoch() {
    return transaction.snapshotEpoch(isInBlock());
  }

  @Override
  public boolean mayShare() {
    return transaction.mayShare(isInBlock());
  }

  @Override
  public long incarnation() {
    return state.incarnation();
  }

  private boolean isInBlock() {
    return kind != Kind.ALONE;
  }

  /**
   * Notes a hit: in a transaction the application has now read something, though the server knows
   * neither of that nor, outside of autocommit, of a transaction.
   */
  void hit() {
    if (isInBlock()) {
      transaction.hit();
    }
  }
}
