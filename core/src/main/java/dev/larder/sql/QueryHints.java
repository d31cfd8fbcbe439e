package dev.larder.sql;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What the comments of a statement ask of the cache. Part of the shape: two texts that differ in
 * hints differ in shape.
 *
 * @param caching {@link Caching#DEFAULT} without a hint
 * @param timeToLive the most an entry may live, or null without a hint
 */
public record QueryHints(Caching caching, @Nullable Duration timeToLive) {
  /** No hint at all. */
  public static final QueryHints NONE = new QueryHints(Caching.DEFAULT, null);

  /**
   * Returns the time that {@code text} says, a positive number of at most nine digits and one of
   * ms, s, m, h; null where it says none.
   */
  public static @Nullable Duration duration(String text) {
    return HintReader.duration(text);
  }

  /** What a hint says of caching. */
  public enum Caching {
    DEFAULT,
    /** {@code larder:off}, {@code NO QUERY CACHE}. */
    OFF,
    /**
     * {@code larder:on}, {@code FORCE QUERY CACHE}: wanted in {@code demand} mode; never makes the
     * unsafe safe.
     */
    ON
  }
}
