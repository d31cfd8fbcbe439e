package dev.larder.jdbc.caching;

import dev.larder.catalog.ResolvedStatement;
import dev.larder.engine.Database;
import dev.larder.remote.RemotePicture;
import dev.larder.sql.StatementFacts;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Remembers {@link Effects#of} for the statements that were sent last, as the same few are sent
 * over and over. Keeps one answer for each of a fixed number of slots. Thread-safe: all that is
 * kept is immutable, so that threads may race here.
 */
final class KnownEffects {
  private static final int SLOTS = 1 << 8;

  private final @Nullable StatementKinds[] kinds = new @Nullable StatementKinds[SLOTS];
  private final @Nullable Known[] effects = new @Nullable Known[SLOTS];

  /** An answer, and what was asked. */
  private record Known(
      StatementKinds kinds,
      @Nullable ResolvedStatement resolved,
      boolean undoes,
      long generation,
      @Nullable RemotePicture picture,
      Effects effects) {}

  /** Returns what {@code statements} say of themselves. */
  @SuppressWarnings("ReferenceEquality") // Equal lists of other plans cost more to compare.
  StatementKinds kinds(List<StatementFacts> statements) {
    int slot = System.identityHashCode(statements) & (SLOTS - 1);
    StatementKinds known = kinds[slot];
    if (known == null || known.all() != statements) {
      known = new StatementKinds(statements);
      kinds[slot] = known;
    }
    return known;
  }

  /** As {@link Effects#of}. */
  @SuppressWarnings("ReferenceEquality") // What is equal only may be asked for again.
  Effects of(
      StatementKinds kinds,
      @Nullable ResolvedStatement resolved,
      boolean undoes,
      Database database,
      long generation,
      @Nullable RemotePicture picture) {
    int slot = System.identityHashCode(kinds) & (SLOTS - 1);
    Known known = effects[slot];
    if (known != null
        && known.kinds == kinds
        && known.resolved == resolved
        && known.undoes == undoes
        && known.generation == generation
        && known.picture == picture) {
      return known.effects;
    }
    Effects made = Effects.of(kinds, resolved, undoes, database, generation, picture);
    if (!kinds.commitPrepared()) {
      // What that commits depends on what was prepared, too.
      effects[slot] = new Known(kinds, resolved, undoes, generation, picture, made);
    }
    return made;
  }
}
