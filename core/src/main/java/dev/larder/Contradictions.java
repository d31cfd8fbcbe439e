package dev.larder;

import dev.larder.QueryCacheConfig.Writers;
import java.time.Duration;
import java.util.Map;
import java.util.Set;

/** Finds settings that contradict each other. Stateless. */
final class Contradictions {
  private Contradictions() {}

  /**
   * Checks settings, each of which is right by itself.
   *
   * @throws IllegalArgumentException naming both settings and the fix
   */
  static void check(QueryCacheConfig given) {
    checkRoutines(given);
    checkFeed(given);
    if (given.remote().isPresent() && given.get(CacheOptions.WRITERS) == Writers.THIS_JVM) {
      throw new IllegalArgumentException(
          "larder.writers is this-jvm, and results are shared with other JVMs, which write as"
              + " well; set larder.writers=memcached, or larder.backend=local in every JVM.");
    }
  }

  private static void checkFeed(QueryCacheConfig given) {
    if (!given.isFollowing()) {
      return;
    }
    if (given.get(CacheOptions.WRITERS) != Writers.ANY) {
      throw new IllegalArgumentException(
          "larder.feed is wal, which follows writers that do not use Larder; set"
              + " larder.writers=any, or larder.feed=off.");
    }
    if (given.remote().isPresent()) {
      throw new IllegalArgumentException(
          "larder.feed is wal, and results are shared with other JVMs by larder.backend; one of"
              + " the two is enough: set larder.backend=local, or larder.feed=off.");
    }
    Duration lag = given.get(FeedOptions.MAX_LAG);
    Duration interval = given.get(FeedOptions.ASK_INTERVAL);
    if (interval.multipliedBy(2).compareTo(lag) > 0) {
      throw new IllegalArgumentException(
          ("larder.feed.askInterval is %s; it must be at most half of larder.feed.maxLag, which is"
                  + " %s, or results would be too old between two questions. Lower the one or"
                  + " raise the other.")
              .formatted(OptionText.of(interval), OptionText.of(lag)));
    }
  }

  private static void checkRoutines(QueryCacheConfig given) {
    Map<String, Set<String>> writes = given.get(CacheOptions.FUNCTIONS_WRITES);
    for (String routine : given.get(CacheOptions.FUNCTIONS_READ_ONLY)) {
      if (!writes.getOrDefault(routine, Set.of()).isEmpty()) {
        throw new IllegalArgumentException(
            ("larder.functions.readOnly and larder.functions.writes both name %s; remove it from"
                    + " the one that is wrong.")
                .formatted(routine));
      }
    }
  }
}
