package dev.larder.engine;

import dev.larder.bypass.BypassReason;
import dev.larder.store.QueryKey;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Which results of a cache save most time. Caffeine knows in which order they are asked for, but
 * not how often; so the n-th in that order is taken to be asked for 1/n as often as the first, as
 * Zipf's law has it. Stateless.
 */
public final class HotQueries {
  /** Among how many times as many the most profitable are chosen. */
  private static final int CHOICE = 8;

  private HotQueries() {}

  private record Candidate(QueryKey key, double profit) {}

  /** Returns the keys of results of {@code cache}, the most profitable first. */
  public static List<QueryKey> of(QueryCache cache, int limit) {
    List<QueryKey> hottest = cache.store().hottest(cache, Math.multiplyExact(CHOICE, limit));
    return IntStream.range(0, hottest.size())
        .filter(i -> !readsClock(cache, hottest.get(i)))
        .mapToObj(i -> new Candidate(hottest.get(i), nanos(cache, hottest.get(i)) / (i + 1)))
        .sorted(Comparator.comparingDouble(Candidate::profit).reversed())
        .limit(limit)
        .map(Candidate::key)
        .toList();
  }

  /** What depends on the present time is of no use later. */
  private static boolean readsClock(QueryCache cache, QueryKey key) {
    ShapePlan shape = cache.plans().known(key.shape());
    ShapePlan.Meaning meaning = shape == null ? null : shape.lastMeaning();
    return meaning != null && meaning.bypass() == BypassReason.TIME;
  }

  private static double nanos(QueryCache cache, QueryKey key) {
    ShapePlan shape = cache.plans().known(key.shape());
    return shape == null ? 0 : Math.max(1, shape.runs().usualNanos());
  }
}
