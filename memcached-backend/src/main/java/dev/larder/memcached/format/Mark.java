package dev.larder.memcached.format;

import org.jspecify.annotations.Nullable;

/**
 * The mark of a writer between announce and publish. Immutable.
 *
 * @param writer nobody else's
 * @param rows what it may change, complete for each scheme; null for any rows
 */
public record Mark(Token writer, @Nullable Buckets rows) {
  /** Returns the mark of a writer that may change any rows. */
  public static Mark of(Token writer) {
    return new Mark(writer, null);
  }

  /**
   * Returns whether a result may be changed.
   *
   * @param read what it depends on; null for the whole table
   */
  public boolean touches(@Nullable Buckets read) {
    return rows == null || read == null || rows.meets(read);
  }
}
