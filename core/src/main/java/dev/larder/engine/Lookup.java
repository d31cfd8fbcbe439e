package dev.larder.engine;

import dev.larder.result.CachedResult;
import dev.larder.sql.BypassReason;
import dev.larder.store.QueryKey;
import dev.larder.store.VersionVector;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the engine decided about one execution of a statement. */
public sealed interface Lookup {
  /** The answer is in memory and may be given. */
  record Hit(CachedResult result) implements Lookup {}

  /**
   * The statement must run, and its result may then be admitted.
   *
   * @param key the key, over the statement's own arrays: detached before it is kept
   * @param resolution what the statement reads
   * @param versions what the tables' versions were before anything was sent, or null where a write
   *     is under way and the result must not be kept
   */
  record Miss(QueryKey key, Resolution resolution, @Nullable VersionVector versions)
      implements Lookup {}

  /** The statement must run and the cache has no part in it. */
  record Bypass(BypassReason reason) implements Lookup {
    private static final Map<BypassReason, Bypass> ALL = new EnumMap<>(BypassReason.class);

    static {
      for (BypassReason reason : BypassReason.values()) {
        ALL.put(reason, new Bypass(reason));
      }
    }

    /** Returns the one bypass of this reason. */
    public static Bypass of(BypassReason reason) {
      Bypass bypass = ALL.get(reason);
      if (bypass == null) {
        throw new IllegalStateException("no bypass for " + reason);
      }
      return bypass;
    }
  }
}
