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
}
