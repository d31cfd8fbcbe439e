package dev.larder.jdbc.effects;

import dev.larder.sql.StatementFacts;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Remembers the {@link StatementKinds} of the statements that were sent last, and with them their
 * last {@link Effects}, as the same few are sent over and over. Keeps a fixed number, some for all
 * statements of one hash: were it one, of a few dozen statements two would take it from each other
 * all the time. Thread-safe: what is kept may be found out again, so that threads may race here.
 */
public final class KnownEffects {
  private static final int SLOTS = 1 << 9;
  private static final int SLOTS_OF_A_HASH = 1 << 3;

  private final @Nullable StatementKinds[] kinds = new @Nullable StatementKinds[SLOTS];
  private int replaced;

  /** Returns what {@code statements} say of themselves. */
  @SuppressWarnings("ReferenceEquality") // Equal lists of other plans cost more to compare.
  public StatementKinds kinds(List<StatementFacts> statements) {
    int first = System.identityHashCode(statements) & (SLOTS - SLOTS_OF_A_HASH);
    int free = first + (replaced & (SLOTS_OF_A_HASH - 1));
    for (int i = first + SLOTS_OF_A_HASH - 1; i >= first; i--) {
      StatementKinds known = kinds[i];
      if (known == null) {
        free = i;
      } else if (known.all() == statements) {
        return known;
      }
    }
    StatementKinds made = new StatementKinds(statements);
    kinds[free] = made;
    replaced++;
    return made;
  }
}
