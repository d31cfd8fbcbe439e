package dev.larder.jdbc.session;

import dev.larder.store.SessionFingerprint;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a client of a pooler knows of the settings of the next session that it is given. A pooler
 * may give it another one for each transaction, or the same one all the time: so what the client
 * itself leaves behind may be gone, or be there. Without a pooler it knows nothing. Confined to the
 * thread that uses the connection.
 */
final class PooledSettings {
  private final @Nullable CleanSettings clean;

  /** Whether the client may have left something behind. */
  private boolean doubtful;

  /** What {@link #surely} was last asked of, and its answer. */
  private @Nullable Settings last;

  private @Nullable SessionFingerprint lastSure;

  PooledSettings(@Nullable CleanSettings clean) {
    this.clean = clean;
  }

  /** Returns whether there is a pooler. */
  boolean isThere() {
    return clean != null;
  }

  /** Returns what the sessions behind the pooler have in common. */
  CleanSettings clean() {
    return Objects.requireNonNull(clean);
  }

  /** Notes that the client may have left anything behind. */
  void doubt() {
    doubtful = true;
  }

  /**
   * Returns what is sure of {@code known} in a session that was not asked: behind a pooler, nobody
   * knows whether a custom setting that is unset in one session is empty in another, because
   * somebody has once set it.
   */
  @SuppressWarnings("ReferenceEquality") // Equal ones only cost another value.
  SessionFingerprint surely(Settings known) {
    if (clean == null) {
      return known.fingerprint();
    }
    SessionFingerprint sure = lastSure;
    if (sure == null || last != known) {
      last = known;
      sure = clean.without(known.fingerprint());
      lastSure = sure;
    }
    return sure;
  }

  /** Returns whether sessions behind a pooler have lately been asked for all of {@code names}. */
  boolean haveAsked(Set<String> names) {
    return clean != null && !clean.isDue() && clean.haveAsked(names);
  }

  /** Takes over what others have found out, where no transaction is open. */
  void refresh(SessionTracker tracker) {
    SettingScopes scopes = tracker.scopes();
    if (!scopes.isOpen()) {
      SettingScopes now = outside(scopes);
      if (!now.isSameScope(scopes)) {
        tracker.become(now);
      }
    }
  }

  /**
   * Returns the settings outside of a transaction.
   *
   * @param now those that are known
   */
  @SuppressWarnings("ReferenceEquality") // Equal ones only cost another value.
  private SettingScopes outside(SettingScopes now) {
    CleanSettings others = clean();
    Settings known = doubtful || others.isDue() ? null : others.known();
    return now.now() == known ? now : SettingScopes.of(known);
  }

  /**
   * Returns the settings after a statement, which may have ended a transaction.
   *
   * @param before it
   * @param after it, if the next session were the same
   */
  SettingScopes after(SettingScopes before, SettingScopes after) {
    if (clean == null) {
      return after;
    }
    SettingScopes found = before.rolledBack();
    SettingScopes left = after.rolledBack(); // By a transaction that others are chained to, too.
    if (!left.isSameScope(found) && !areLike(found.now(), left.now())) {
      doubt();
    }
    return after.isOpen() ? after : outside(SettingScopes.of(null));
  }

  private static boolean areLike(@Nullable Settings one, @Nullable Settings other) {
    return one != null && other != null && one.isLike(other);
  }

  /**
   * Takes over what some session has answered outside of a transaction.
   *
   * @param left whether somebody has left something in it
   * @param ofModules the names of modules' settings among them
   */
  SettingScopes answered(Settings found, boolean left, Set<String> ofModules) {
    CleanSettings others = clean();
    if (!left) {
      others.found(found, ofModules);
    }
    Settings known = others.known();
    if (doubtful && areLike(known, found)) {
      doubtful = false;
    }
    return outside(SettingScopes.of(null));
  }
}
