package dev.larder.engine;

import dev.larder.catalog.ResolvedStatement;
import dev.larder.sql.BypassReason;
import dev.larder.store.SessionFingerprint;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the engine must know of the session and transaction that runs a statement. Read on the
 * thread that runs it; the answers cost no I/O.
 */
public interface SessionView {
  /** Returns why this session uses no cache at all just now, or null. */
  @Nullable BypassReason sessionBypass();

  /** Returns the settings' part of the key, or null while they are not known. */
  @Nullable SessionFingerprint fingerprint();

  /**
   * Returns whether the fingerprint holds all of {@code names}; where it does not, the session
   * reads them before it is asked again.
   */
  boolean knowsSettings(Set<String> names);

  /** Returns why the transaction may not read or fill the cache for this statement, or null. */
  @Nullable BypassReason transactionBypass(ResolvedStatement statement);

  /**
   * Returns whether the transaction may hit what it reads here. False at REPEATABLE READ until a
   * statement of this transaction has locked every table at the server: a hit takes no lock.
   */
  boolean mayHit(ResolvedStatement statement);

  /**
   * Returns the epoch above which no version may be that this transaction's snapshot fills the
   * cache with; {@link Long#MAX_VALUE} where each statement has a snapshot of its own.
   */
  long snapshotEpoch();

  /**
   * Returns whether results may be shared with other JVMs here. False in a transaction at
   * REPEATABLE READ: by its epoch one JVM cannot tell what others wrote after its snapshot.
   */
  boolean mayShare();

  /** Returns the {@linkplain Incarnation#number() number} of the life of the server it is in. */
  long incarnation();
}
