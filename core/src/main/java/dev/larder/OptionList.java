package dev.larder;

import java.util.List;

/** The options of a cache, those first that are needed most. */
final class OptionList {
  static final List<Option<?>> ALL =
      List.of(
          CacheOptions.ENABLED,
          CacheOptions.WRITERS,
          CacheOptions.BACKEND,
          CacheOptions.MAX_BYTES,
          CacheOptions.MAX_ENTRIES,
          CacheOptions.MAX_RESULT_BYTES,
          CacheOptions.MAX_RESULT_ROWS,
          CacheOptions.TIME_TO_LIVE,
          CacheOptions.MODE,
          CacheOptions.ADMISSION,
          CacheOptions.INVALIDATION,
          CacheOptions.TABLES_INCLUDE,
          CacheOptions.TABLES_EXCLUDE,
          CacheOptions.TABLES_TIME_TO_LIVE,
          CacheOptions.TABLES_STALENESS,
          CacheOptions.TABLES_INVALIDATION,
          CacheOptions.FUNCTIONS_READ_ONLY,
          CacheOptions.FUNCTIONS_WRITES,
          CacheOptions.TRIGGERS_WRITES,
          CacheOptions.UNWRAP,
          ConnectionOptions.HOLD_BACK,
          CacheOptions.COMMANDS,
          CacheOptions.VERIFY,
          CacheOptions.RADAR,
          CacheOptions.RADAR_INTERVAL,
          CacheOptions.LAZY_CONNECTIONS,
          CacheOptions.LAZY_LEASE,
          FeedOptions.FEED,
          FeedOptions.MAX_LAG,
          FeedOptions.PUBLICATION,
          FeedOptions.UNCOVERED,
          FeedOptions.ORDER,
          FeedOptions.ASK_INTERVAL,
          FeedOptions.URL,
          WarmupOptions.FILE,
          WarmupOptions.QUERIES,
          WarmupOptions.QUERIES_PER_SECOND,
          WarmupOptions.INTERVAL,
          ConnectionOptions.POOLER,
          ConnectionOptions.POOLER_INTERVAL,
          CacheOptions.NAME);

  private OptionList() {}
}
