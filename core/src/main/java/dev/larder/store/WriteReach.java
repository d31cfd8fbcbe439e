package dev.larder.store;

/** How much of a table a write invalidates, by what it says of the rows that it may change. */
public enum WriteReach {
  /** What depends on the rows of the values that it names, by one scheme at least. */
  KEY,
  /** What any row that changes or comes can touch: their values are not known by any scheme. */
  UNKNOWN_KEY,
  /** What depends on the table. */
  TABLE,
  /** What depends on any table. */
  EVERYTHING
}
