package dev.larder.jdbc.session;

import dev.larder.bypass.BypassReason;
import dev.larder.engine.Database;
import dev.larder.engine.TransactionView;
import dev.larder.jdbc.effects.Effects;
import dev.larder.jdbc.effects.StatementKinds;
import dev.larder.jdbc.postgresql.TransactionBlock;
import dev.larder.jdbc.postgresql.TransactionStatus;
import dev.larder.remote.RemoteCatalogVersion;
import dev.larder.resolve.ResolvedStatement;
import dev.larder.store.ProtocolStep;
import dev.larder.store.WriteSet;
import dev.larder.store.WrittenSoFar;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the current transaction of one physical connection has written, locked and seen. It ends
 * when the driver reports that no transaction is open, never by the text of a statement. Confined
 * to the thread that uses the connection.
 */
public final class TransactionState {
  private final WrittenSoFar dirty = new WrittenSoFar();

  /** Whether a statement has run that writes, or may have come to write. */
  private boolean mayHaveWritten;

  /** Of the catalogs that such statements were looked up in. */
  private long oldestCatalogVersion = Long.MAX_VALUE;

  /** Of the first catalog that a statement was looked up in which may have written. */
  private @Nullable RemoteCatalogVersion oldestRemoteVersion;

  private final Set<Long> locked = new HashSet<>();

  /**
   * The statements that ran at the server. That one of them locked a table is known for sure only
   * of itself: a name in another may have been a column.
   */
  private final Set<ResolvedStatement> ran = Collections.newSetFromMap(new IdentityHashMap<>());

  private final OwnRowKeys ownRows = new OwnRowKeys();

  /** Whether a statement has been sent since the rows of its own were forgotten last. */
  private boolean mayOwnRows;

  private final Set<Long> lockedView = Collections.unmodifiableSet(locked);
  private final Set<ResolvedStatement> ranView = Collections.unmodifiableSet(ran);
  private TransactionView view = TransactionView.PLAIN;

  private boolean reloadsCatalog;
  private boolean doubtsCatalog;
  private long endings;
  private boolean foreignSnapshot;
  private long snapshotEpoch;
  private boolean open;
  private boolean hitWithoutServer;

  /** Whether it has set something that the server was not sent. */
  private boolean heldBack;

  /** Whether the server has run nothing of it but BEGIN. */
  private boolean onlyBegun;

  /** Notes the epoch before the first statement of a transaction is sent. */
  public void beforeFirstStatement(long epoch) {
    snapshotEpoch = epoch;
  }

  /**
   * Notes that the server has a transaction open.
   *
   * @param begunOnly whether it has run nothing of it but BEGIN
   */
  void serverOpen(boolean begunOnly) {
    open = true;
    onlyBegun = begunOnly;
  }

  /** Returns whether the server has run nothing of it but BEGIN. */
  public boolean hasOnlyBegun() {
    return onlyBegun;
  }

  /** Notes that it has set something that the server was not sent: it has begun. */
  public void heldBack() {
    heldBack = true;
  }

  /**
   * Notes a hit that the server does not know of: for the application the transaction has begun.
   */
  public void hit() {
    hitWithoutServer = true;
  }

  /**
   * Returns whether the server would answer otherwise than if it had been sent what was a hit.
   *
   * @param kinds what {@linkplain StatementKinds#changeTransaction changes a transaction}
   * @param owesSavepoint whether the last hit has left out a savepoint of the driver's: it sets
   *     none before a statement that names one
   */
  boolean mustBeginBefore(StatementKinds kinds, boolean owesSavepoint) {
    return kinds.nameSavepoints()
        ? begunByHitAlone() || (open && owesSavepoint) || (kinds.areSeveral() && hitWithoutServer)
        : hitWithoutServer;
  }

  /**
   * Returns whether the application has read or set something in this transaction although the
   * server has none open.
   */
  public boolean begunByHitAlone() {
    return (hitWithoutServer || heldBack) && !open;
  }

  /** Notes what a statement of this transaction may write. */
  public void wrote(Effects effects) {
    if (effects.mayComeToWrite()) {
      if (!mayHaveWritten) {
        mayHaveWritten = true;
        oldestRemoteVersion = effects.remoteVersion();
      }
      oldestCatalogVersion = Math.min(oldestCatalogVersion, effects.catalogVersion());
      // The search path may mean another thing to this transaction from now on.
      dirty.add(effects.kinds().createSchemas() ? WriteSet.UNKNOWN : effects.writes());
    }
  }

  /** Returns the version of the catalog in which what was written first was looked up, or null. */
  public @Nullable RemoteCatalogVersion oldestRemoteVersion() {
    return oldestRemoteVersion;
  }

  /** Returns whether a statement has run that writes, or may have come to write. */
  public boolean mayHaveWritten() {
    return mayHaveWritten;
  }

  /**
   * Returns what this transaction may have written. Where the catalog has changed since the first
   * statement so that it concerns that, it may be anything: a trigger that was not there when a
   * write was looked up may have been there when it ran, and a function that a query calls may have
   * become one that writes.
   */
  public WriteSet dirtyIn(Database database) {
    WriteSet all = dirty.all();
    return !mayHaveWritten
            || !database.isOutdated(oldestCatalogVersion, all)
            || !ProtocolStep.COMPARE_CATALOG.isTaken()
        ? all
        : all.union(WriteSet.UNKNOWN);
  }

  /** Notes that the transaction may have the snapshot of another. */
  void foreignSnapshot() {
    foreignSnapshot = true;
  }

  /** Notes that a statement has run at the server, in a transaction with one snapshot. */
  void ran(Set<Long> locks, @Nullable ResolvedStatement statement) {
    locked.addAll(locks);
    if (statement != null) {
      ran.add(statement);
    }
  }

  /** Returns the effects of what is about to be sent in it, which may change rows of its own. */
  public Effects ofOwnRows(Effects effects, TransactionBlock block) {
    mayOwnRows = true;
    return ownRows.beforeSending(effects, block.savesItself());
  }

  /**
   * Notes that what was under way has been answered, in a transaction that is open.
   *
   * @param counted how many rows it has written; negative where nobody has counted
   */
  void sent(boolean failed, long counted) {
    ownRows.sent(failed, counted);
  }

  /** Notes a rollback to a savepoint: what was written before it stays written. */
  void rolledBackTo() {
    forgetLocks();
    dirty.rolledBackTo();
  }

  /** A rollback to a savepoint may have released any lock, and taken any row back. */
  void forgetLocks() {
    ownRows.forget();
    if (ProtocolStep.FORGET_LOCKS_AT_ROLLBACK_TO.isTaken() || !open) {
      locked.clear();
      ran.clear();
    }
  }

  /**
   * Another transaction may have begun. Whatever the server was sent with its beginning, it knows
   * by itself what must not follow it.
   */
  void restarted() {
    forgetLocks();
    hitWithoutServer = false;
  }

  /** Notes that the catalog may look different once this transaction has ended. */
  void reloadsCatalog() {
    reloadsCatalog = true;
  }

  boolean hasChangedCatalog() {
    return reloadsCatalog;
  }

  /** Notes that a statement has run of which no present catalog says what it has run in turn. */
  void doubtsCatalog() {
    doubtsCatalog = true;
  }

  boolean hasDoubtedCatalog() {
    return doubtsCatalog;
  }

  /** Returns how many transactions have ended. */
  public long endings() {
    return endings;
  }

  /** The transaction has ended: nothing of it is left. */
  void ended() {
    endings++;
    foreignSnapshot = false;
    if (mayOwnRows) {
      mayOwnRows = false;
      ownRows.forget();
    }
    if (mayHaveWritten) {
      dirty.clear();
      mayHaveWritten = false;
    }
    oldestCatalogVersion = Long.MAX_VALUE;
    oldestRemoteVersion = null;
    reloadsCatalog = false;
    doubtsCatalog = false;
    open = false;
    if (!ran.isEmpty() || !locked.isEmpty()) {
      forgetLocks(); // Goes through its whole tables, however empty.
    }
    hitWithoutServer = false;
    heldBack = false;
    onlyBegun = false;
  }

  /** A transaction that was chained to the last one has begun. */
  void chained(long epoch) {
    ended();
    open = true;
    snapshotEpoch = epoch;
  }

  /**
   * Returns what a look-up must know of this transaction.
   *
   * @param isolation its level
   * @param alone whether what is looked up is a transaction of its own
   * @param status of the transaction
   * @param database whose catalog may have changed
   */
  public TransactionView view(
      Isolation isolation, boolean alone, TransactionStatus status, Database database) {
    boolean snapshot = !alone && isolation == Isolation.REPEATABLE_READ;
    BypassReason bypass =
        status == TransactionStatus.FAILED
            ? BypassReason.FAILED_TRANSACTION
            : bypass(isolation, database);
    if (bypass == null && !snapshot && (!mayHaveWritten || dirty.isEmpty())) {
      return alone ? TransactionView.ALONE : TransactionView.PLAIN;
    }
    long epoch = snapshot ? snapshotEpoch : TransactionView.EACH_STATEMENT;
    TransactionView last = view;
    if (last.bypass() != bypass || last.written() != dirty || last.snapshotEpoch() != epoch) {
      last = new TransactionView(bypass, dirty, epoch, lockedView, ranView);
      view = last;
    }
    return last;
  }

  private @Nullable BypassReason bypass(Isolation isolation, Database database) {
    if (foreignSnapshot) {
      return BypassReason.ISOLATION;
    }
    if (mayHaveWritten && dirtyIn(database).unknown()) {
      return BypassReason.OWN_UNKNOWN_WRITES;
    }
    return switch (isolation) {
      case READ_UNCOMMITTED, READ_COMMITTED, REPEATABLE_READ -> null;
      case SERIALIZABLE ->
          ProtocolStep.BYPASS_SERIALIZABLE.isTaken() ? BypassReason.SERIALIZABLE : null;
      case UNKNOWN -> BypassReason.ISOLATION;
    };
  }
}
