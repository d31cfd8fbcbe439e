package dev.larder.result;

import java.util.List;

/**
 * A comparison of a result of the cache with the answer of the database. Holds no value of either.
 * Immutable.
 *
 * @param unmatchedRows how many rows of either the other has not; the higher number of the two
 * @param columns the labels of the columns that differ in some row or in their description; empty
 *     where the rows cannot be assigned to each other
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
