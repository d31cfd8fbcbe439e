package dev.larder.result;

import java.util.List;

/**
 * What came of comparing a result of the cache with what the database answered. Holds no value of
 * either. Immutable.
 *
 * @param cachedRows how many rows the result of the cache has
 * @param databaseRows how many rows the database answered
 * @param unmatchedRows how many rows of either the other has not; the higher number of the two
 * @param columns the labels of the columns that differ in some row, or in what is said of them;
 *     empty where the rows cannot be assigned to each other
 */
public record ResultComparison(
    Outcome outcome, int cachedRows, int databaseRows, int unmatchedRows, List<String> columns) {
  /** Whether the cache would have returned the truth. */
  public enum Outcome {
    /** Both have the same rows. */
    SAME,
    /** They differ in what the server may choose anew each time. */
    INCONCLUSIVE,
    /** They differ. */
    DIFFERENT
  }

  public ResultComparison {
    columns = List.copyOf(columns);
  }
}
