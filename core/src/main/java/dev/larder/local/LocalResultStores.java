package dev.larder.local;

import dev.larder.store.ResultStore;
import java.util.OptionalLong;

/** Makes the stores of this process. Thread-safe. */
public final class LocalResultStores {
  private static final long SHARED_MAX_BYTES =
      Math.min(64L * 1024 * 1024, Runtime.getRuntime().maxMemory() / 8);

  private LocalResultStores() {}

  /** Made when it is first asked for. */
  private static final class Shared {
    static final ResultStore STORE = of(SHARED_MAX_BYTES, OptionalLong.empty());
  }

  /**
   * Returns the one store of all caches that have no budget of their own: 64 MB, or an eighth of
   * the heap where that is less.
   */
  public static ResultStore shared() {
    return Shared.STORE;
  }

  /** Returns the budget of {@link #shared()} in bytes. */
  public static long sharedMaxBytes() {
    return SHARED_MAX_BYTES;
  }

  /**
   * Returns a new store.
   *
   * @param maxBytes what all entries together may occupy on the heap, at least 1
   * @param maxEntries how many entries there may be, at least 1; empty for as many as fit. An entry
   *     counts for at least {@code maxBytes / maxEntries} bytes of the budget.
   */
  public static ResultStore of(long maxBytes, OptionalLong maxEntries) {
    return new LocalResultStore(maxBytes, maxEntries, System::nanoTime);
  }
}
