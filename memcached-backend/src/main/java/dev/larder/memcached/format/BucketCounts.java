package dev.larder.memcached.format;

import org.jspecify.annotations.Nullable;

/**
 * How often something was written to each bucket of a table, in one life of its version. A count
 * never falls in a life, so that equal counts at two moments mean that nothing was written in
 * between. Immutable.
 *
 * @param life the token that the version had when its counts were all 0: a later version whose
 *     counts begin again has another
 * @param layout tells the schemes that the buckets belong to from others; of one life there is one
 * @param counts two characters of 8 bits a bucket, as they are stored; the buckets beyond have 0
 */
public record BucketCounts(Token life, long layout, String counts) {
  private static final int MOST = 0xffff;

  /** Returns the counts of a life that begins. */
  static BucketCounts none(Token life, long layout) {
    return new BucketCounts(life, layout, "");
  }

  /** Returns how many buckets are stored. */
  int size() {
    return counts.length() / 2;
  }

  /** Returns how often something was written to {@code bucket}. */
  public int of(int bucket) {
    return bucket < size() ? (counts.charAt(2 * bucket) << 8) | counts.charAt(2 * bucket + 1) : 0;
  }

  /**
   * Returns these counts after a write of {@code rows}; null where the life must end: a count would
   * begin again, or the buckets are others.
   */
  @Nullable BucketCounts after(Buckets rows) {
    if (rows.layout() != layout) {
      return null;
    }
    int last = rows.numbers().get(rows.numbers().size() - 1);
    StringBuilder next = new StringBuilder(counts);
    next.setLength(2 * Math.max(size(), last + 1));
    for (int bucket : rows.numbers()) {
      int count = of(bucket);
      if (count == MOST) {
        return null;
      }
      next.setCharAt(2 * bucket, (char) ((count + 1) >> 8));
      next.setCharAt(2 * bucket + 1, (char) ((count + 1) & 0xff));
    }
    return new BucketCounts(life, layout, next.toString());
  }
}
