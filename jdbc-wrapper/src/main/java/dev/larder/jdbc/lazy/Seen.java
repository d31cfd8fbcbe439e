package dev.larder.jdbc.lazy;

import dev.larder.store.SessionFingerprint;
import org.jspecify.annotations.Nullable;

/** What is known of one connection of the pool. Guarded by the lock of its {@link LazyPool}. */
final class Seen {
  /** The settings with which the pool has handed it out first; null if they were unknown then. */
  @Nullable SessionFingerprint first;

  boolean handedOut;

  /** What it was like while there was nothing to compare it with, or null. */
  @Nullable PooledSession unlearned;

  /** Why it may not be left out, or null. */
  @Nullable String deviation;

  /** Notes the settings with which it is handed out; returns whether they are as at first. */
  @SuppressWarnings("ReferenceEquality") // Equal settings are the same.
  boolean isAsAtFirst(@Nullable SessionFingerprint settings) {
    unlearned = null;
    if (!handedOut) {
      handedOut = true;
      first = settings;
    }
    return settings != null && first == settings;
  }

  /** Takes settings that have become those of transactions out of what it is compared by. */
  void without(LocalNames names) {
    SessionFingerprint known = first;
    first = known == null ? null : names.without(known);
    PooledSession session = unlearned;
    unlearned = session == null ? null : session.with(names.without(session.settings()));
  }
}
