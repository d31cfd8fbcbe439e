package dev.larder.engine;

/** What a cache counts as a whole: each is the column of its name in {@code SHOW larder.cache}. */
public enum CacheCount {
  /** Executions that have waited for another. */
  FLIGHT_WAITS,
  /** Those of them that were hits then. */
  FLIGHT_HITS,
  /** Hits of outdated results. */
  STALE_HITS,
  /** Results that were replaced in the background. */
  STALE_REFRESHES,
  /** Results that were asked for in the background in vain. */
  STALE_REFRESH_FAILURES,
  /** Queries that were asked again after a start, and whose results are there. */
  WARMUP_ASKED,
  /** Such queries that the server has refused. */
  WARMUP_FAILED,
  /** Such queries that were not asked, because their results would not be kept. */
  WARMUP_SKIPPED,
  /** Questions for the settings of a session. */
  SETTING_QUESTIONS,
  /** Statements that a transaction has set something with, and that the server was not sent. */
  HELD_BACK,
  /** Of these, those that it was sent before another statement. */
  HELD_BACK_SENT,
  /** Hits that needed no connection of a pool. */
  UNPOOLED_HITS,
  /** Connections taken out of the pool because hits needed one when it was asked for. */
  BORROWS_AT_ONCE,
  /** Connections taken out of the pool because a query was looked up and was no hit. */
  BORROWS_NO_HIT,
  /** Connections taken out of the pool for anything else that needs one, such as a write. */
  BORROWS_OTHERWISE
}
