package dev.larder.jdbc;

import java.util.List;
import java.util.Map;

/**
 * One cache for JMX, as {@code dev.larder:type=Cache,name="…",database="…"}: there as long as a
 * connection uses the cache; the counts go on where it comes back. Caches of one name and database
 * with different settings have {@code instance=2} and so on in their names. The system property
 * {@code larder.jmx=false} keeps all caches out. What an attribute counts is what the column of its
 * name in {@code SHOW larder.cache} counts.
 */
public interface LarderCacheMXBean {
  /** {@return the name from the settings} */
  String getName();

  /** {@return which database it is: see {@link LarderCache#database()}} */
  String getDatabase();

  /** {@return the settings in force, by their names} */
  Map<String, String> getSettings();

  /** {@return whether it is switched on for the JVM} */
  boolean isEnabled();

  /**
   * Switches it on or off for the JVM; writes invalidate all the same.
   *
   * @param on whether its results are used
   */
  void setEnabled(boolean on);

  /** {@return how many results it holds} */
  long getEntries();

  /** {@return the memory that they take, in bytes} */
  long getSizeBytes();

  /** {@return the memory that results may take, in bytes} */
  long getMaxBytes();

  /** {@return how many executions were answered from memory} */
  long getHits();

  /** {@return how many could have been but were not} */
  long getMisses();

  /** {@return how many had nothing to do with the cache} */
  long getBypasses();

  /** {@return hits by hits and misses; NaN before the first} */
  double getHitRatio();

  /** {@return how many results were kept} */
  long getAdmissions();

  /** {@return how many results of misses were not kept} */
  long getRejections();

  /** {@return how many results were found to be of before a write} */
  long getInvalidations();

  /** {@return how many writes of a table of the database said which rows by one key at least} */
  long getWritesByKey();

  /** {@return how many writes of a table touched rows that no key tells} */
  long getWritesByUnknownKey();

  /** {@return how many writes of a table made all its results outdated} */
  long getWritesByTable();

  /** {@return how many writes made the results of all tables outdated} */
  long getWritesOfEverything();

  /** {@return how many results made room for others} */
  long getEvictions();

  /** {@return how many results became too old} */
  long getExpirations();

  /** {@return how many executions have waited for another execution of the same query} */
  long getFlightWaits();

  /** {@return how many of these were answered from memory then} */
  long getFlightHits();

  /** {@return how many hits were outdated for less than the declared time} */
  long getStaleHits();

  /** {@return how many outdated results were replaced in the background} */
  long getStaleRefreshes();

  /** {@return how many were asked for in the background in vain} */
  long getStaleRefreshFailures();

  /** {@return how many of the hot queries of the last run were asked again after the start} */
  long getWarmupAsked();

  /** {@return how many of these the server has refused} */
  long getWarmupFailed();

  /** {@return how many of them are not cached any more} */
  long getWarmupSkipped();

  /** {@return how often a session was asked for its settings} */
  long getSettingQuestions();

  /** {@return how many settings were not sent at once} */
  long getHeldBack();

  /** {@return how many of these were sent later} */
  long getHeldBackSent();

  /** {@return how many hits needed no connection of a pool} */
  long getUnpooledHits();

  /** {@return how many connections were taken out of a pool because hits needed one just then} */
  long getBorrowsAtOnce();

  /** {@return how many were taken because a query was no hit} */
  long getBorrowsNoHit();

  /** {@return how many were taken for anything else} */
  long getBorrowsOtherwise();

  /** {@return "on" while hits need no connection of a pool, or why they need one} */
  String getLazy();

  /** {@return the time at the database that hits have saved, in milliseconds} */
  long getSavedMillis();

  /** {@return how many hits were compared with the database and were the same} */
  long getVerifiedHits();

  /** {@return how many hits the database answered too but that could not be compared} */
  long getUnverifiableHits();

  /** {@return how many hits would have been wrong: see {@code larder.verify}} */
  long getWrongHits();

  /** {@return the tables of the database that are in quarantine} */
  List<String> getQuarantinedTables();

  /**
   * Lets the tables in quarantine be cached again, for every cache of the database.
   *
   * @return their names
   */
  List<String> releaseQuarantine();

  /** {@return how often each reason kept an execution out of the cache} */
  Map<String, Long> getBypassesByReason();

  /** Makes sure that no result that it holds now is used again. */
  void clear();

  /**
   * Makes sure that no result that read the table is used again, in any cache of the database.
   *
   * @param table {@code schema.table}
   * @return false if there is no such table
   */
  boolean clearTable(String table);

  /** Sets every count to zero. */
  void resetStatistics();

  /**
   * Returns what {@code SHOW larder.queries} and its like show, for whoever has no SQL session of
   * the application.
   *
   * @param what {@code cache}, {@code tables}, {@code queries}, {@code bypasses}, {@code advice},
   *     {@code feed} or {@code quarantine}
   * @return a line of labels and a line for each row, with a tab between columns
   * @throws IllegalArgumentException if {@code what} is something else
   */
  String show(String what);
}
