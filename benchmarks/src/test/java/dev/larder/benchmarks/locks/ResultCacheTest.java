package dev.larder.benchmarks.locks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.lexer.LexOptions;
import dev.larder.lexer.SqlLexer;
import dev.larder.lexer.StatementShape;
import dev.larder.result.CachedResult;
import dev.larder.result.RawRows;
import dev.larder.result.ResultColumns;
import dev.larder.store.QueryKey;
import dev.larder.store.SessionFingerprint;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every strategy is a cache, or its speed would mean nothing. */
class ResultCacheTest {
  private static final int TABLES = 4;
  private static final int KEYS = 1_000;

  private final StatementShape shape = SqlLexer.lex("SELECT ?", LexOptions.PREPARED).shape();
  private final SessionFingerprint session =
      new SessionFingerprint("", "u", "u", List.of(), new TreeMap<>()).intern();
  private final CachedResult[] results =
      IntStream.range(0, KEYS)
          .mapToObj(
              i ->
                  CachedResult.of(
                      new ResultColumns(List.of()), new RawRows(new byte[0][][]), false))
          .toArray(CachedResult[]::new);

  private QueryKey key(int id) {
    return new QueryKey(shape, session, new Object[0], new Object[] {id}, 0);
  }

  @ParameterizedTest
  @EnumSource
  void resultIsFoundUntilItsTableIsWritten(Strategy strategy) {
    ResultCache cache = strategy.create(TABLES, KEYS);
    assertThat(cache.get(key(1))).isNull();
    for (int round = 0; round < 2; round++) {
      for (int id = 0; id < KEYS; id++) {
        cache.put(key(id), results[id], id % TABLES);
      }
      for (int id = 0; id < KEYS; id++) {
        assertThat(cache.get(key(id))).isSameAs(results[id]);
      }

      cache.invalidate(1);

      for (int id = 0; id < KEYS; id++) {
        assertThat(cache.get(key(id))).isSameAs(id % TABLES == 1 ? null : results[id]);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void resultCanBeReplaced(Strategy strategy) {
    ResultCache cache = strategy.create(TABLES, KEYS);
    cache.put(key(1), results[1], 1);
    cache.put(key(1), results[2], 1);
    assertThat(cache.get(key(1))).isSameAs(results[2]);

    cache.invalidate(1);
    assertThat(cache.get(key(1))).isNull();
  }

  @ParameterizedTest
  @EnumSource
  void threadsFindTheRightResultOrNone(Strategy strategy) {
    ResultCache cache = strategy.create(TABLES, KEYS);
    long found = IntStream.range(0, 8).parallel().mapToLong(thread -> accessAtRandom(cache)).sum();
    assertThat(found).isPositive();
  }

  private long accessAtRandom(ResultCache cache) {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    long found = 0;
    for (int i = 0; i < 20_000; i++) {
      int id = random.nextInt(KEYS);
      CachedResult result = cache.get(key(id));
      if (result == null) {
        cache.put(key(id), results[id], id % TABLES);
      } else {
        assertThat(result).isSameAs(results[id]);
        found++;
      }
      if (i % 100 == 0) {
        cache.invalidate(random.nextInt(TABLES));
      }
    }
    return found;
  }
}
