package dev.larder.engine;

import dev.larder.bypass.BypassReason;
import dev.larder.resolve.ResolvedStatement;
import dev.larder.store.ProtocolStep;
import dev.larder.store.QueryKey;
import dev.larder.store.TableTag;
import dev.larder.store.VersionVector;
import dev.larder.store.WrittenSoFar;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What one look-up must know of the transaction that the statement is part of. Only the two sets
 * may change later, on the thread that uses the connection.
 *
 * @param bypass why the transaction uses no cache, whatever is read, or null
 * @param written what the transaction may have written
 * @param snapshotEpoch the epoch that was read before the snapshot of the transaction was taken;
 *     {@link #EACH_STATEMENT} where each statement has a snapshot of its own
 * @param locked the relations that the transaction has locked at the server; only looked at where
 *     there is a snapshot
 * @param ran the statements that ran at the server; as {@code locked}
 */
public record TransactionView(
    @Nullable BypassReason bypass,
    WrittenSoFar written,
    long snapshotEpoch,
    Set<Long> locked,
    Set<ResolvedStatement> ran) {
  /** Stands for the epoch of a snapshot where each statement has its own. */
  public static final long EACH_STATEMENT = Long.MAX_VALUE;

  /** A transaction that has written nothing, and in which each statement sees what is committed. */
  public static final TransactionView PLAIN =
      new TransactionView(null, new WrittenSoFar(), EACH_STATEMENT, Set.of(), Set.of());

  /** The same, of a statement that is a transaction of its own. */
  public static final TransactionView ALONE =
      new TransactionView(null, new WrittenSoFar(), EACH_STATEMENT, Set.of(), Set.of());

  /**
   * Returns why {@code statement} may neither be hit nor kept here, or null.
   *
   * @param key of its execution
   */
  @Nullable BypassReason bypass(ResolvedStatement statement, QueryKey key) {
    if (bypass != null || written.isEmpty()) {
      return bypass;
    }
    return reads(statement, key) && ProtocolStep.BYPASS_OWN_WRITES.isTaken()
        ? BypassReason.OWN_WRITES
        : null;
  }

  private boolean reads(ResolvedStatement statement, QueryKey key) {
    List<TableTag> tables = statement.readTags();
    return tables.stream().anyMatch(written::touches)
        && (statement.keys().reads().isEmpty()
            || (statement
                    .keys()
                    .reads()
                    .dependencies(tables, key.literals(), key.binds())
                    .all()
                    .stream()
                    .anyMatch(written::touches)
                && ProtocolStep.BYPASS_OWN_ROWS.isTaken()));
  }

  /** Returns whether the statement is surely a transaction of its own. */
  @SuppressWarnings("ReferenceEquality") // It is one value, so that no hit has to ask.
  boolean isAlone() {
    return this == ALONE;
  }

  /** Returns whether each statement sees what is committed, and no more. */
  boolean isPlain() {
    return !hasSnapshot() && written.isEmpty();
  }

  /**
   * Returns whether a result of {@code statement} that is current may be hit here. At REPEATABLE
   * READ only once the statement has run at the server in this transaction and has locked every
   * table (a hit takes no lock), and if nothing was written since the snapshot.
   *
   * @param versions under which the result was kept
   */
  boolean mayHit(ResolvedStatement statement, VersionVector versions) {
    return snapshotEpoch == EACH_STATEMENT
        || (hasRun(statement) && versions.notAfter(newestEpoch()));
  }

  /** Returns whether {@code statement} has run at the server and has locked every table. */
  boolean hasRun(ResolvedStatement statement) {
    return (ran.contains(statement) && locked.containsAll(statement.relations()))
        || !ProtocolStep.LOCK_FOR_REPEATABLE_READ.isTaken();
  }

  /**
   * Returns the epoch above which no version may be under which a result is hit or kept here; see
   * {@link VersionVector#notAfter}.
   */
  long newestEpoch() {
    return ProtocolStep.COMPARE_WITH_SNAPSHOT.isTaken() ? snapshotEpoch : EACH_STATEMENT;
  }

  /** Returns whether all statements of the transaction have one snapshot. */
  boolean hasSnapshot() {
    return snapshotEpoch != EACH_STATEMENT;
  }
}
