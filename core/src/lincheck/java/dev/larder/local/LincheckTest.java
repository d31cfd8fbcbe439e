package dev.larder.local;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.store.CacheEntry;
import dev.larder.store.QueryKey;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Lincheck on the real stamps, the validation and the store: reads through the cache are
 * linearizable. See {@code docs/proof.md}.
 */
final class LincheckTest {
  private static final int ITERATIONS = Integer.getInteger("larder.lincheck.iterations", 3);

  /** The stamps and the validation alone, so that Lincheck can go through their interleavings. */
  public static class OneEntry extends CachedRow {
    private final AtomicReference<@Nullable CacheEntry> entry = new AtomicReference<>();

    @Override
    @Nullable CacheEntry kept() {
      return entry.get();
    }

    @Override
    void keep(CacheEntry made) {
      entry.set(made);
    }
  }

  /** As {@link OneEntry}, with a mistake. */
  public static final class Mistaken extends OneEntry {
    @Override
    boolean publishesFirst() {
      return true;
    }
  }

  /** With the store. */
  public static final class Stored extends CachedRow {
    private final LocalResultStore store =
        new LocalResultStore(4_000, OptionalLong.empty(), System::nanoTime);
    private final QueryKey key = Entries.key(Entries.shape("select 1"), 1);

    @Override
    @Nullable CacheEntry kept() {
      return store.get(key, Long.MAX_VALUE);
    }

    @Override
    void keep(CacheEntry entry) {
      store.put(key, entry);
    }
  }

  private static ModelCheckingOptions everyInterleaving() {
    return new ModelCheckingOptions()
        .iterations(ITERATIONS)
        .invocationsPerIteration(300)
        .threads(2)
        .actorsPerThread(3);
  }

  @Test
  void readsThroughStampsAreLinearizable() {
    everyInterleaving().check(OneEntry.class);
  }

  @Test
  void aWriteThatPublishesFirstIsNoticed() {
    ModelCheckingOptions options = everyInterleaving().iterations(30).minimizeFailedScenario(false);
    assertThatThrownBy(() -> options.check(Mistaken.class))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("Invalid execution results");
  }

  @Test
  void readsThroughTheStoreAreLinearizable() {
    new StressOptions()
        .iterations(ITERATIONS)
        .invocationsPerIteration(1_000)
        .threads(2)
        .actorsPerThread(3)
        .check(Stored.class);
  }
}
