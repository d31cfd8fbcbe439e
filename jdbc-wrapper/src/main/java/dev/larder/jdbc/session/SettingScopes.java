package dev.larder.jdbc.session;

import dev.larder.store.ProtocolStep;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a session in their scopes, and the level of its transaction: the server's own
 * rules, and nothing else. Whoever has no answer makes the scope {@linkplain #unclear unclear}.
 *
 * <p><b>Settings.</b> At each moment a setting has two values: the one that holds <em>now</em>, and
 * the one that is <em>kept</em> when the transaction commits. SET changes both, SET LOCAL the first
 * only. A savepoint remembers the pair; ROLLBACK TO takes it back, and RELEASE only forgets it. The
 * beginning of the transaction is the outermost savepoint, and ROLLBACK goes back to it. COMMIT,
 * and PREPARE TRANSACTION too, make what is kept hold. A statement outside of a transaction is one
 * of its own, so that SET LOCAL has no effect there. That is what guc.c of PostgreSQL does with a
 * stack for each setting (GUC_SET, GUC_LOCAL, GUC_SET_LOCAL, and values that are prior and masked):
 * {@code SettingScopesTest} compares the two.
 *
 * <p>No rollback reaches the fact that a custom setting exists: it is unset until somebody first
 * tries to set it, and empty from then on. So {@link #tried} changes every scope.
 *
 * <p><b>Isolation.</b> A transaction begins with the session's level, a setting as above. BEGIN and
 * SET TRANSACTION change that of the transaction alone. No savepoint brings it back: within one it
 * cannot be changed. A transaction that is chained to another begins with the other's level.
 *
 * <p>A part that is not known is null. Immutable: each statement makes the next value. A scope has
 * an identity, which tells whether anything was set since it was remembered.
 */
final class SettingScopes {
  /**
   * What holds in one scope. Compared by identity: with nothing set, it stays the same object.
   *
   * @param now what holds, or null where that is not known
   * @param kept what a commit leaves, or null
   * @param split whether the two may differ; otherwise whoever learns one knows the other
   */
  private record Scope(@Nullable Settings now, @Nullable Settings kept, boolean split) {
    static Scope of(@Nullable Settings both) {
      return new Scope(both, both, false);
    }

    static Scope unclear() {
      return new Scope(null, null, true);
    }

    Scope set(UnaryOperator<@Nullable Settings> change, boolean local) {
      Settings changed = changed(now, change);
      if (local && ProtocolStep.KEEP_LOCAL_APART.isTaken()) {
        return new Scope(changed, kept, true);
      }
      return split ? new Scope(changed, changed(kept, change), true) : of(changed);
    }

    @SuppressWarnings("ReferenceEquality") // What has not changed stays the same.
    Scope map(UnaryOperator<@Nullable Settings> change) {
      Settings mapped = changed(now, change);
      Settings mappedKept = split ? changed(kept, change) : mapped;
      return mapped == now && mappedKept == kept ? this : new Scope(mapped, mappedKept, split);
    }

    private static @Nullable Settings changed(
        @Nullable Settings settings, UnaryOperator<@Nullable Settings> change) {
      return settings == null ? null : change.apply(settings);
    }
  }

  /**
   * A savepoint, or the beginning of the transaction, which is the outermost.
   *
   * @param name null for one that may have any name, and for several of which nobody knows
   */
  private record Savepoint(@Nullable String name, Scope scope, @Nullable Savepoint outer) {
    int depth() {
      return outer == null ? 1 : 1 + outer.depth();
    }
  }

  /** The names of more savepoints than this are forgotten. */
  private static final int MAX_SAVEPOINTS = 200;

  private final Scope scope;

  /** The innermost savepoint; null where no transaction is open. */
  private final @Nullable Savepoint innermost;

  /** Of the open transaction. */
  private final Isolation level;

  private SettingScopes(Scope scope, @Nullable Savepoint innermost, Isolation level) {
    this.scope = scope;
    this.innermost = innermost;
    this.level = level;
  }

  /** Returns those of a session outside of a transaction. */
  static SettingScopes of(@Nullable Settings settings) {
    return new SettingScopes(Scope.of(settings), null, Isolation.UNKNOWN);
  }

  // ---- what is known

  /** Returns what holds, or null where that is not known. */
  @Nullable Settings now() {
    return scope.now;
  }

  /** Returns whether it is known what a commit would leave of {@code names} in {@code catalog}. */
  boolean keepsKnown(Set<String> names, @Nullable Object catalog) {
    Settings kept = scope.split ? scope.kept : scope.now;
    return kept != null && kept.tell(names, catalog);
  }

  boolean isOpen() {
    return innermost != null;
  }

  /** Returns the level of the transaction that is open, or else of the next. */
  Isolation level() {
    return isOpen() ? level : sessionLevel();
  }

  /** Returns the level of the session's next transactions. */
  Isolation sessionLevel() {
    Settings now = scope.now;
    return now == null ? Isolation.UNKNOWN : now.isolation();
  }

  /** Returns whether the transaction that is open has set anything, which its end may undo. */
  @SuppressWarnings("ReferenceEquality") // Scopes have an identity.
  boolean isTouched() {
    return innermost != null && outermost(innermost).scope != scope;
  }

  /** Returns whether nothing was set since {@code other} was the present. */
  @SuppressWarnings("ReferenceEquality") // Scopes have an identity.
  boolean isSameScope(SettingScopes other) {
    return scope == other.scope;
  }

  private static Savepoint outermost(Savepoint from) {
    Savepoint savepoint = from;
    for (Savepoint outer = savepoint.outer; outer != null; outer = outer.outer) {
      savepoint = outer;
    }
    return savepoint;
  }

  // ---- settings

  /**
   * Follows SET, SET LOCAL and RESET.
   *
   * @param change what becomes of the settings; null where that is not known
   */
  SettingScopes set(UnaryOperator<@Nullable Settings> change, boolean local) {
    return new SettingScopes(scope.set(change, local), innermost, level);
  }

  /** Notes that somebody has tried to set a custom setting, with success or not. */
  SettingScopes tried(String name) {
    return ProtocolStep.EMPTY_ONCE_TRIED.isTaken() ? map(settings -> settings.tried(name)) : this;
  }

  /** Notes that somebody may have tried to set any custom setting. */
  SettingScopes triedAny() {
    return ProtocolStep.DOUBT_UNSET_AFTER_FAILURE.isTaken() ? map(Settings::ifAllSet) : this;
  }

  /**
   * Notes that anything may have been set, for the transaction or for good, in a way that its end
   * undoes.
   */
  SettingScopes unclear() {
    return new SettingScopes(Scope.unclear(), innermost, level).triedAny();
  }

  /** Notes that what holds is to be read again, though nothing was set. */
  SettingScopes unread() {
    return replaced(new Scope(null, scope.split ? scope.kept : null, scope.split), level);
  }

  /** Takes over what the server has answered. */
  SettingScopes answered(Settings facts, Isolation ofTransaction) {
    if (!isOpen()) {
      return of(facts);
    }
    return replaced(new Scope(facts, scope.split ? scope.kept : facts, scope.split), ofTransaction);
  }

  /** Puts another scope in the place of this one, wherever nothing was set in between. */
  private SettingScopes replaced(Scope other, Isolation ofTransaction) {
    return new SettingScopes(other, replaced(innermost, other), ofTransaction);
  }

  @SuppressWarnings("ReferenceEquality") // Scopes have an identity.
  private @Nullable Savepoint replaced(@Nullable Savepoint savepoint, Scope other) {
    return savepoint == null || savepoint.scope != scope
        ? savepoint
        : new Savepoint(savepoint.name, other, replaced(savepoint.outer, other));
  }

  private SettingScopes map(UnaryOperator<@Nullable Settings> change) {
    Scope mapped = scope.map(change);
    return new SettingScopes(mapped, map(innermost, change, mapped), level);
  }

  @SuppressWarnings("ReferenceEquality") // Scopes have an identity.
  private @Nullable Savepoint map(
      @Nullable Savepoint savepoint, UnaryOperator<@Nullable Settings> change, Scope mapped) {
    return savepoint == null
        ? null
        : new Savepoint(
            savepoint.name,
            savepoint.scope == scope ? mapped : savepoint.scope.map(change),
            map(savepoint.outer, change, mapped));
  }

  // ---- transactions

  /** Follows the beginning of a transaction; does nothing in one. */
  SettingScopes begun() {
    return isOpen() ? this : new SettingScopes(scope, new Savepoint(null, scope, null), level());
  }

  /** Follows what sets the level of the transaction. */
  SettingScopes level(Isolation other) {
    return new SettingScopes(scope, innermost, other);
  }

  /** Follows COMMIT and PREPARE TRANSACTION. */
  SettingScopes committed() {
    Settings left = ProtocolStep.END_LOCAL_AT_COMMIT.isTaken() ? scope.kept : scope.now;
    return new SettingScopes(scope.split ? Scope.of(left) : scope, null, Isolation.UNKNOWN);
  }

  /** Follows ROLLBACK, and every other end that is none of a success. */
  SettingScopes rolledBack() {
    return innermost == null || !ProtocolStep.UNDO_SETTINGS_AT_ROLLBACK.isTaken()
        ? new SettingScopes(scope, null, Isolation.UNKNOWN)
        : new SettingScopes(outermost(innermost).scope, null, Isolation.UNKNOWN);
  }

  /**
   * Returns the transaction that is chained to the one that has ended so.
   *
   * @param ended what the end has left
   */
  SettingScopes chained(SettingScopes ended) {
    SettingScopes begun = ended.begun();
    return ProtocolStep.KEEP_LEVEL_IN_CHAIN.isTaken() ? begun.level(level) : begun;
  }

  // ---- savepoints

  /**
   * Follows SAVEPOINT.
   *
   * @param name as the server has it, or null where nobody knows
   */
  SettingScopes savepoint(@Nullable String name) {
    SettingScopes fewer =
        innermost != null && innermost.depth() >= MAX_SAVEPOINTS ? lost(scope) : this;
    return new SettingScopes(scope, new Savepoint(name, scope, fewer.innermost), level);
  }

  /** Gives the innermost savepoint a name, if it has none. */
  SettingScopes named(String name) {
    Savepoint last = innermost;
    return last == null || last.outer == null || last.name != null
        ? this
        : new SettingScopes(scope, new Savepoint(name, last.scope, last.outer), level);
  }

  /** Follows RELEASE: what was set since stays, as if it had been set before. */
  SettingScopes released(@Nullable String name) {
    Savepoint savepoint = find(name);
    return savepoint == null ? lost(scope) : new SettingScopes(scope, savepoint.outer, level);
  }

  /** Follows ROLLBACK TO: what was set since is undone, and the savepoint stays. */
  SettingScopes rolledBackTo(@Nullable String name) {
    Savepoint savepoint = find(name);
    return savepoint == null
        ? lost(Scope.unclear())
        : new SettingScopes(
            ProtocolStep.UNDO_SETTINGS_AT_ROLLBACK_TO.isTaken() ? savepoint.scope : scope,
            savepoint,
            level);
  }

  /** Returns the savepoint that the server finds by {@code name}; null where nobody knows. */
  private @Nullable Savepoint find(@Nullable String name) {
    Savepoint savepoint = innermost;
    while (savepoint != null
        && savepoint.name != null
        && !savepoint.name.equals(name)
        && ProtocolStep.NAME_SAVEPOINTS.isTaken()) {
      savepoint = savepoint.outer;
    }
    return name == null || savepoint == null || savepoint.name == null ? null : savepoint;
  }

  // ---- what nobody knows

  /** Notes that any savepoints may be there, and what is set may be anything. */
  SettingScopes lost() {
    return lost(Scope.unclear()).triedAny();
  }

  private SettingScopes lost(Scope present) {
    Savepoint first = innermost == null ? null : outermost(innermost);
    return new SettingScopes(
        present, first == null ? null : new Savepoint(null, Scope.unclear(), first), level);
  }

  /** Returns what is known where anything may have happened: nothing. */
  static SettingScopes unknown(boolean open) {
    if (!open) {
      return of(null);
    }
    Savepoint first = new Savepoint(null, Scope.of(null), null);
    return new SettingScopes(
        Scope.unclear(), new Savepoint(null, Scope.unclear(), first), Isolation.UNKNOWN);
  }
}
