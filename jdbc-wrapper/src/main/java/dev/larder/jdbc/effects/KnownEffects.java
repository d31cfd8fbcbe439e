package dev.larder.jdbc.effects;

import dev.larder.catalog.ResolvedStatement;
import dev.larder.engine.Database;
import dev.larder.remote.RemoteCatalogVersion;
import dev.larder.sql.StatementFacts;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Remembers {@link Effects#of} for the statements that were sent last, as the same few are sent
 * over and over. Keeps a fixed number of answers, some for all statements of one hash: were it one,
 * of a few dozen statements two would take it from each other all the time. Thread-safe: all that
 * is kept is immutable, so that threads may race here.
 */
public final class KnownEffects {
  private static final int SLOTS = 1 << 9;
  private static final int SLOTS_OF_A_HASH = 1 << 3;

  private final @Nullable StatementKinds[] kinds = new @Nullable StatementKinds[SLOTS];
  private final @Nullable Known[] effects = new @Nullable Known[SLOTS];
  private int replaced;

  /** An answer, and what was asked. */
  private record Known(
      StatementKinds kinds,
      @Nullable ResolvedStatement resolved,
      @Nullable List<String> searchPath,
      boolean undoes,
      long catalogVersion,
      @Nullable RemoteCatalogVersion remoteVersion,
      Effects effects) {}

  /** Returns what {@code statements} say of themselves. */
  @SuppressWarnings("ReferenceEquality") // Equal lists of other plans cost more to compare.
  public StatementKinds kinds(List<StatementFacts> statements) {
    int first = firstSlot(statements);
    for (int i = first; i < first + SLOTS_OF_A_HASH; i++) {
      StatementKinds known = kinds[i];
      if (known != null && known.all() == statements) {
        return known;
      }
    }
    StatementKinds made = new StatementKinds(statements);
    kinds[freeSlot(kinds, first)] = made;
    return made;
  }

  private static int firstSlot(Object asked) {
    return System.identityHashCode(asked) & (SLOTS - SLOTS_OF_A_HASH);
  }

  /** Returns a slot that is free, or one whose turn it is to be replaced. */
  private int freeSlot(@Nullable Object[] kept, int first) {
    for (int i = first; i < first + SLOTS_OF_A_HASH; i++) {
      if (kept[i] == null) {
        return i;
      }
    }
    return first + (replaced++ & (SLOTS_OF_A_HASH - 1));
  }

  /** As {@link Effects#of}. */
  @SuppressWarnings("ReferenceEquality") // What is equal only may be asked for again.
  public Effects of(
      StatementKinds kinds,
      @Nullable ResolvedStatement resolved,
      @Nullable List<String> searchPath,
      boolean undoes,
      Database database,
      long catalogVersion,
      @Nullable RemoteCatalogVersion remoteVersion) {
    int slot = slotOf(kinds);
    Known known = effects[slot];
    if (known != null
        && known.kinds == kinds
        && known.resolved == resolved
        && known.searchPath == searchPath
        && known.undoes == undoes
        && known.catalogVersion == catalogVersion
        && known.remoteVersion == remoteVersion) {
      return known.effects;
    }
    Effects made =
        Effects.of(kinds, resolved, searchPath, undoes, database, catalogVersion, remoteVersion);
    if (!kinds.commitPrepared()) {
      // What that commits depends on what was prepared, too.
      effects[slot] =
          new Known(kinds, resolved, searchPath, undoes, catalogVersion, remoteVersion, made);
    }
    return made;
  }

  /**
   * Returns the effects that {@code kinds} had when their names were known last, in a catalog of
   * this catalogVersion, if that was anything that may be written or set; else null.
   */
  @SuppressWarnings("ReferenceEquality") // As above.
  public @Nullable Effects anything(StatementKinds kinds, long catalogVersion) {
    Known known = effects[slotOf(kinds)];
    return known != null
            && known.kinds == kinds
            && known.resolved != null
            && known.catalogVersion == catalogVersion
            && known.effects.writes().unknown()
            && known.effects.changesSettings()
        ? known.effects
        : null;
  }

  /** Returns where the answer for {@code kinds} is, or is to go. */
  @SuppressWarnings("ReferenceEquality") // As above.
  private int slotOf(StatementKinds kinds) {
    int first = firstSlot(kinds);
    for (int i = first; i < first + SLOTS_OF_A_HASH; i++) {
      Known known = effects[i];
      if (known != null && known.kinds == kinds) {
        return i;
      }
    }
    return freeSlot(effects, first);
  }
}
