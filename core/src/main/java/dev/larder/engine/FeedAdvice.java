package dev.larder.engine;

import dev.larder.CacheOptions;
import dev.larder.FeedOptions;
import dev.larder.catalog.CatalogVersion;
import dev.larder.engine.StatusTable.Row;
import dev.larder.feed.Coverage;
import dev.larder.store.TableTag;
import dev.larder.store.WriteReach;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** What to do about writes of others: who needs the feed, and what the feed lacks. Stateless. */
final class FeedAdvice {
  /** With fewer writes of rows that are not known nothing is advised. */
  private static final long ENOUGH_WRITES = 100;

  private FeedAdvice() {}

  /** Returns the rows for {@code SHOW larder.advice}. */
  static List<Row> rows(QueryCache cache) {
    return cache.config().isFollowing() ? ofFeed(cache) : ofOthers(cache);
  }

  private static List<Row> ofOthers(QueryCache cache) {
    Set<String> written =
        cache.database().radar().demoted().of(cache.config().get(CacheOptions.WRITERS));
    if (written.isEmpty()) {
      return List.of();
    }
    return List.of(
        Advice.row(
            FeedOptions.FEED.key(),
            "wal",
            "others than Larder write "
                + String.join(", ", new TreeSet<>(written))
                + "; with larder.writers=any and larder.feed=wal their writes invalidate within"
                + " milliseconds, and results live as long as they are right"));
  }

  private static List<Row> ofFeed(QueryCache cache) {
    Coverage coverage = cache.database().feed().followed().coverage();
    CatalogVersion catalog = cache.resolutions().catalog();
    Set<String> tables = new TreeSet<>();
    TableStatus.forEachTable(cache, (table, shape) -> tables.add(table));
    List<Row> rows = new ArrayList<>();
    for (String table : tables) {
      Coverage.Gap gap = coverage.uncovered().get(table);
      TableTag tag = TableStatus.tag(cache, catalog, table);
      if (gap != null && !gap.cure().isEmpty()) {
        rows.add(Advice.row(FeedOptions.FEED.key(), gap.cure(), table + ": " + gap.because()));
      } else if (tag != null && tag.publishes(WriteReach.UNKNOWN_KEY) >= ENOUGH_WRITES) {
        rows.add(
            Advice.row(
                FeedOptions.FEED.key(),
                "ALTER TABLE " + table + " REPLICA IDENTITY FULL",
                tag.publishes(WriteReach.UNKNOWN_KEY)
                    + " writes did not say which rows they changed; if others than Larder made"
                    + " them, the log will say it then, and gets longer"));
      }
    }
    return rows;
  }
}
