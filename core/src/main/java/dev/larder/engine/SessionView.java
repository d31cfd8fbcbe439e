package dev.larder.engine;

import dev.larder.bypass.BypassReason;
import dev.larder.store.SessionFingerprint;
import org.jspecify.annotations.Nullable;

/**
 * What one look-up must know of the session that runs the statement. A value: the session makes it
 * before the look-up, and the engine asks the session for nothing.
 *
 * @param bypass why the session uses no cache at all just now, or null
 * @param settings the settings' part of the key, or null while they are not known
 * @param transaction the transaction that the statement is part of
 * @param serverGeneration the life of the server that the session is in
 * @param reads what the session has read, or null where nobody knows
 * @param followed what it must see of the writes of others; null where these are not followed
 * @param beside what statements mean that name none of its temporary objects, where {@code bypass}
 *     is these; null where that is not known
 */
public record SessionView(
    @Nullable BypassReason bypass,
    @Nullable SessionFingerprint settings,
    TransactionView transaction,
    ServerGeneration serverGeneration,
    @Nullable SessionReads reads,
    @Nullable FollowedSession followed,
    @Nullable BesideTemporary beside) {

  /** Returns the view for a statement that means the same without temporary objects. */
  SessionView withoutTemporary(BesideTemporary others) {
    return new SessionView(
        null, others.settings(), transaction, serverGeneration, reads, followed, null);
  }
}
