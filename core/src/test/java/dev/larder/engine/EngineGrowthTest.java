package dev.larder.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.CacheOptions;
import dev.larder.QueryCacheConfig;
import dev.larder.catalog.CatalogVersion;
import dev.larder.lexer.LexOptions;
import dev.larder.watch.CatalogLoader;
import java.lang.management.ManagementFactory;
import java.lang.ref.Reference;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Nothing is kept for ever per text, cache or database. */
@Tag("proof")
@Tag("each-jdk")
final class EngineGrowthTest {
  private static final LexOptions PLAIN = LexOptions.of(false, true);

  /** Never asked: nothing here looks a name up. */
  private static final class NoCatalog implements CatalogLoader {
    @Override
    public CatalogVersion load() {
      throw new UnsupportedOperationException();
    }

    @Override
    public String fingerprint() {
      throw new UnsupportedOperationException();
    }

    @Override
    public void release() {}
  }

  private static Database database(long oid) {
    return Database.of(new DatabaseIdentity("growth", oid), NoCatalog::new, null, null);
  }

  private static void awaitCollected(BooleanSupplier collected) {
    long deadline = System.nanoTime() + 60_000_000_000L;
    while (!collected.getAsBoolean() && System.nanoTime() < deadline) {
      System.gc();
    }
    assertThat(collected.getAsBoolean()).isTrue();
  }

  @Test
  void distinctTextsAreBounded() {
    PlanCache plans = new PlanCache(new ShapeStatistics());
    for (int i = 5_000; i < 100_000; i++) {
      plans.plan("SELECT a FROM t WHERE b = 'value " + i + "'", PLAIN);
      // What comes again is remembered.
      plans.plan("SELECT a FROM t WHERE b = 'value " + (i - 5_000) + "'", PLAIN);
    }
    assertThat(plans.shapes()).hasSize(1);
    assertThat(plans.textCount()).isBetween(5_000L, 10_000L);
    for (int i = 0; i < 30_000; i++) {
      plans.plan("SELECT a FROM table_" + i, PLAIN);
      plans.plan("SELECT a FROM table_" + i + ' ', PLAIN);
    }
    assertThat(plans.shapes()).hasSizeLessThan(8_000);
    assertThat(plans.textCount()).isLessThan(10_000);
  }

  /** Of statements as an object mapper writes them, full of names that no others have. */
  @Test
  void plansTakeABoundedPartOfTheHeap() {
    PlanCache plans = new PlanCache(new ShapeStatistics());
    for (int j = 0; j < 2 * 6_000; j++) {
      int i = j % 6_000; // What comes again is remembered.
      String columns = "o.first_%1$d, o.second_%1$d, o.third_%1$d, o.fourth_%1$d".formatted(i);
      String sql = "SELECT " + columns + " FROM orders_" + i + " o WHERE o.id = ? AND o.x = " + i;
      ShapePlan shape = plans.plan(sql, LexOptions.PREPARED).shape();
      plans.meetAgain(shape);
      plans.meetAgain(shape);
    }
    long full = usedBytes();
    assertThat(plans.textCount()).isGreaterThan(4_000);
    Reference.reachabilityFence(plans);
    plans = null;
    assertThat(full - usedBytes()).isBetween(4_000_000L, 20_000_000L);
  }

  private static long usedBytes() {
    long used = Long.MAX_VALUE;
    for (int i = 0; i < 5; i++) {
      System.gc();
      used = Math.min(used, ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
    }
    return used;
  }

  @Test
  void databasesThatNobodyUsesAreForgotten() {
    long before = Database.count();
    for (int i = 0; i < 1_000; i++) {
      database(i).invalidateAll();
    }
    awaitCollected(() -> Database.count() <= before + 1);
  }

  @Test
  void cachesThatNoConnectionUsesAreBounded() {
    Database database = database(6_000);
    QueryCache used = QueryCaches.acquire(database, config("used"));
    int before = QueryCaches.count();
    for (int i = 0; i < 500; i++) {
      QueryCaches.release(QueryCaches.acquire(database, config("cache_" + i)));
    }
    assertThat(QueryCaches.count()).isLessThanOrEqualTo(before + QueryCaches.MAX_IDLE);
    assertThat(QueryCaches.acquire(database, config("used"))).isSameAs(used);
    QueryCache last = QueryCaches.acquire(database, config("cache_499"));
    QueryCaches.release(last);
    assertThat(QueryCaches.acquire(database, config("cache_499"))).isSameAs(last);
  }

  private static QueryCacheConfig config(String name) {
    return QueryCacheConfig.builder().set(CacheOptions.NAME, name).build();
  }
}
