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
  /** Returns the name from the settings. */
  String getName();

  /** Returns which database it is: see {@link LarderCache#database()}. */
  String getDatabase();

  /** Returns the settings in force, by their names. */
  Map<String, String> getSettings();

  /** Returns whether it is switched on for the JVM. */
  boolean isEnabled();

  /** Switches it on or off for the JVM; writes invalidate all the same. */
  void setEnabled(boolean on);

  /** Returns how many results it holds. */
  long getEntries();

  /** Returns the memory that they take, in bytes. */
  long getSizeBytes();

  /** Returns the memory that results may take, in bytes. */
  long getMaxBytes();

  /** Returns how many executions were answered from memory. */
  long getHits();

  /** Returns how many could have been but were not. */
  long getMisses();

  /** Returns how many had nothing to do with the cache. */
  long getBypasses();

  /** Returns hits by hits and misses; NaN before the first. */
  double getHitRatio();

  /** Returns how many results were kept. */
  long getAdmissions();

  /** Returns how many results of misses were not kept. */
  long getRejections();

  /** Returns how many results were found to be of before a write. */
  long getInvalidations();

  /** Returns how many results made room for others. */
  long getEvictions();

  /** Returns how many results became too old. */
  long getExpirations();

  /** Returns the time at the database that hits have saved, in milliseconds. */
  long getSavedMillis();

  /** Returns how many hits were compared with the database and were the same. */
  long getVerifiedHits();

  /** Returns how many hits the database answered too but that could not be compared. */
  long getUnverifiableHits();

  /** Returns how many hits would have been wrong: see {@code larder.verify}. */
  long getWrongHits();

  /** Returns the tables of the database that are in quarantine. */
  List<String> getQuarantinedTables();

  /**
   * Lets the tables in quarantine be cached again, for every cache of the database.
   *
   * @return their names
   */
  List<String> releaseQuarantine();

  /** Returns how often each reason kept an execution out of the cache. */
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
}
