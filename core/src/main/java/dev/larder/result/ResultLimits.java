package dev.larder.result;

/**
 * How large a result may be to be kept. A larger one belongs to its caller alone.
 *
 * @param maxResultBytes the most that it may weigh on the heap, see {@link
 *     CachedResult#weightBytes()}
 * @param maxResultRows the most rows that it may have
 */
public record ResultLimits(long maxResultBytes, long maxResultRows) {
  /** Limits that every result keeps. */
  public static final ResultLimits NONE = new ResultLimits(Long.MAX_VALUE, Long.MAX_VALUE);

  /** Checks that something may pass. */
  public ResultLimits {
    if (maxResultBytes < 1 || maxResultRows < 1) {
      throw new IllegalArgumentException(
          "maxResultBytes is "
              + maxResultBytes
              + " and maxResultRows is "
              + maxResultRows
              + "; both must be at least 1.");
    }
  }
}
