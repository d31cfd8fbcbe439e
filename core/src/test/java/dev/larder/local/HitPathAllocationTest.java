package dev.larder.local;

import static dev.larder.local.Entries.entry;
import static dev.larder.local.Entries.key;
import static dev.larder.local.Entries.shape;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.larder.lexer.StatementShape;
import dev.larder.store.CacheEntry;
import dev.larder.store.QueryKey;
import java.lang.management.ManagementFactory;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Finding an entry and validating it allocates nothing. */
@Tag("each-jdk")
class HitPathAllocationTest {
  private static final int KEYS = 1_000;
  private static final int HITS = 1_000_000;

  private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private final StatementShape shape = shape("select v from t where id = ?");
  private final LocalResultStore store =
      new LocalResultStore(1 << 20, OptionalLong.empty(), System::nanoTime);

  @Test
  void hitOfAnEntryWithoutAgeAllocatesNothing() {
    assertAllocatesNothing(Long.MAX_VALUE);
  }

  @Test
  void hitOfAnEntryWithAgeAllocatesNothing() {
    assertAllocatesNothing(TimeUnit.HOURS.toNanos(1));
  }

  private void assertAllocatesNothing(long timeToLiveNanos) {
    QueryKey[] probes = new QueryKey[KEYS];
    for (int i = 0; i < KEYS; i++) {
      store.put(key(shape, (long) i), entry(new Entries.Counts(), timeToLiveNanos));
      probes[i] = key(shape, (long) i);
    }
    hit(probes, HITS); // Compiles, and lets the store's buffers grow.
    long before = threads.getCurrentThreadAllocatedBytes();
    int hits = hit(probes, HITS);
    long allocated = threads.getCurrentThreadAllocatedBytes() - before;

    assertThat(hits).isEqualTo(HITS);
    assertThat(allocated / (double) HITS).isLessThan(0.1);
  }

  private int hit(QueryKey[] probes, int times) {
    int hits = 0;
    for (int i = 0; i < times; i++) {
      CacheEntry entry = store.get(probes[i % KEYS]);
      if (entry != null && Entries.VERSIONS.isCurrent(entry)) {
        hits++;
      }
    }
    return hits;
  }
}
