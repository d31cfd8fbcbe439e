package dev.larder.jdbc.effects;

import dev.larder.engine.Database;
import dev.larder.remote.RemoteCatalogVersion;
import dev.larder.resolve.ResolvedStatement;
import dev.larder.sql.StatementFacts;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Remembers the effects of the statements that were sent last, as the same few are sent over and
 * over. Keeps a fixed number, some for all statements of one hash: were it one, of a few dozen
 * statements two would take it from each other all the time. Thread-safe: what is kept may be found
 * out again, so that threads may race here.
 */
public final class KnownEffects {
  private static final int SLOTS = 1 << 9;
  private static final int SLOTS_OF_A_HASH = 1 << 3;

  private final @Nullable Known[] slots = new @Nullable Known[SLOTS];
  private int replaced;

  /** Returns what is known of {@code statements}. */
  @SuppressWarnings("ReferenceEquality") // Equal lists of other plans cost more to compare.
  public Known of(List<StatementFacts> statements) {
    int first = System.identityHashCode(statements) & (SLOTS - SLOTS_OF_A_HASH);
    int free = first + (replaced & (SLOTS_OF_A_HASH - 1));
    for (int i = first + SLOTS_OF_A_HASH - 1; i >= first; i--) {
      Known known = slots[i];
      if (known == null) {
        free = i;
      } else if (known.kinds.all() == statements) {
        return known;
      }
    }
    Known made = new Known(StatementKinds.of(statements));
    slots[free] = made;
    replaced++;
    return made;
  }

  /** Statements, and the effects that they had last. Thread-safe as above. */
  public static final class Known {
    private final StatementKinds kinds;
    private @Nullable Effects last;

    private Known(StatementKinds kinds) {
      this.kinds = kinds;
    }

    /** Returns what the statements say of themselves. */
    public StatementKinds kinds() {
      return kinds;
    }

    /** Returns the effects that were found out last, in whatever catalog, or null. */
    public @Nullable Effects last() {
      return last;
    }

    /** As {@link Effects#of}. */
    @SuppressWarnings("ReferenceEquality") // What is equal only may be found out again.
    public Effects effects(
        @Nullable ResolvedStatement resolved,
        @Nullable List<String> searchPath,
        boolean undoes,
        Database database,
        long catalogVersion,
        @Nullable RemoteCatalogVersion remoteVersion) {
      Effects known = last;
      if (known != null
          && known.resolved() == resolved
          && known.searchPath() == searchPath
          && known.catalogVersion() == catalogVersion
          && known.remoteVersion() == remoteVersion) {
        return known;
      }
      Effects made =
          Effects.of(kinds, resolved, searchPath, undoes, database, catalogVersion, remoteVersion);
      if (!kinds.areSeveral()) { // Those of several depend on what the transaction has set, too.
        last = made;
      }
      return made;
    }
  }
}
