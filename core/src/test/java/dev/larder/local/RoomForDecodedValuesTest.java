package dev.larder.local;

import static dev.larder.local.Entries.entry;
import static dev.larder.local.Entries.key;
import static dev.larder.local.Entries.shape;
import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.lexer.StatementShape;
import dev.larder.result.CachedResult;
import dev.larder.result.RawRows;
import dev.larder.result.ResultColumn;
import dev.larder.result.ResultColumns;
import dev.larder.store.CacheEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Decoded values count before they are there. */
class RoomForDecodedValuesTest {
  private static final int ROOM = 1_000;
  private static final int ROWS = 3;

  private final StatementShape shape = shape("select v from t where id = ?");
  private final Entries.Counts owner = new Entries.Counts();
  private final LocalResultStore store = store(1 << 20);

  private static LocalResultStore store(long maxBytes) {
    return new LocalResultStore(maxBytes, OptionalLong.empty(), System::nanoTime);
  }

  private CacheEntry put(LocalResultStore into, long id) {
    ResultColumn column = new ResultColumn("v", 1, 1, 23, 4, -1, true);
    CacheEntry entry =
        entry(
            owner,
            CachedResult.of(
                new ResultColumns(List.of(column)), new RawRows(new byte[ROWS][1][4]), false));
    into.put(key(shape, id), entry);
    return entry;
  }

  @Test
  void roomIsGivenByTheNextReadAndCounts() {
    CacheEntry entry = put(store, 1);
    long before = entry.weightBytes();
    long resultBefore = entry.result().weightBytes();
    entry.result().askForRoom(ROOM);
    assertThat(entry.result().decoded()).isNull();
    assertThat(entry.result().weightBytes()).isEqualTo(resultBefore);

    assertThat(store.get(key(shape, 1L))).isSameAs(entry);

    assertThat(entry.result().decoded()).hasSize(ROWS).containsOnlyNulls();
    assertThat(entry.result().weightBytes()).isEqualTo(resultBefore + ROOM);
    assertThat(entry.weightBytes()).isEqualTo(before + ROOM);
    assertThat(store.sizeBytes()).isEqualTo(before + ROOM);
    assertThat(owner.liveBytes.sum()).isEqualTo(before + ROOM);
    assertThat(owner.live()).isEqualTo(1);
    store.get(key(shape, 1L));
    assertThat(store.sizeBytes()).isEqualTo(before + ROOM);
  }

  @Test
  void anEntryThatHasGrownLeavesWithAllItsWeight() {
    put(store, 1).result().askForRoom(ROOM);
    CacheEntry entry = store.get(key(shape, 1L));
    assertThat(entry).isNotNull();

    store.remove(key(shape, 1L), entry);

    assertThat(store.sizeBytes()).isZero();
    assertThat(owner.liveBytes.sum()).isZero();
    assertThat(owner.live()).isZero();
  }

  @Test
  void growthEvictsOthersSoThatTheBudgetHolds() {
    LocalResultStore small = store(20_000);
    List<CacheEntry> entries = new ArrayList<>();
    for (long id = 0; id < 20; id++) {
      entries.add(put(small, id));
    }
    assertThat(owner.evicted.sum()).isZero();

    for (long id = 0; id < 20; id++) {
      entries.get((int) id).result().askForRoom(2 * ROOM);
      small.get(key(shape, id));
      assertThat(small.sizeBytes()).isLessThanOrEqualTo(small.maxBytes());
    }

    assertThat(owner.evicted.sum()).isPositive();
    assertThat(owner.liveBytes.sum()).isEqualTo(small.sizeBytes());
  }

  @Test
  void onlyTheFirstRequestCountsAndNoneForNothing() {
    CachedResult result = put(store, 1).result();
    result.askForRoom(0);
    result.askForRoom(1L + Integer.MAX_VALUE);
    assertThat(result.isAskingForRoom()).isFalse();
    result.askForRoom(ROOM);
    result.askForRoom(2 * ROOM);
    long before = store.sizeBytes();

    store.get(key(shape, 1L));

    assertThat(store.sizeBytes()).isEqualTo(before + ROOM);
    assertThat(result.isAskingForRoom()).isFalse();
  }

  @Test
  void manyReadersGiveItOnce() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      for (long id = 0; id < 500; id++) {
        CacheEntry entry = put(store, id);
        long before = store.sizeBytes();
        entry.result().askForRoom(ROOM);
        long read = id;
        Callable<Object> reader = () -> String.valueOf(store.get(key(shape, read)));
        for (Future<Object> done : threads.invokeAll(List.of(reader, reader, reader, reader))) {
          done.get();
        }
        assertThat(store.sizeBytes()).isEqualTo(before + ROOM);
        store.remove(key(shape, id), entry);
      }
    } finally {
      threads.shutdownNow();
    }
    assertThat(store.sizeBytes()).isZero();
    assertThat(owner.liveBytes.sum()).isZero();
  }
}
