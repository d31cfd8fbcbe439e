package dev.larder.lexer;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What the comments of a statement ask of the cache. Part of the shape: two texts that differ in
 * hints differ in shape.
 *
 * <p>A comment is a hint if it holds nothing else: {@code larder:off}, {@code larder:on}, {@code
 * larder:ttl=30s}, {@code larder:stale=2s}, {@code NO QUERY CACHE} or {@code FORCE QUERY CACHE}, in
 * any case, anywhere in the text. Of several hints off beats on, and the shortest time wins;
 * anything else is an ordinary comment.
 *
 * @param caching {@link Caching#DEFAULT} without a hint
 * @param timeToLive the most an entry may live, or null without a hint
 * @param staleness for how long an entry may be used after it became outdated, zero for never, or
 *     null without a hint
 */
public record QueryHints(
    Caching caching, @Nullable Duration timeToLive, @Nullable Duration staleness) {
  /** No hint at all. */
  public static final QueryHints NONE = new QueryHints(Caching.DEFAULT, null, null);

  private static final String TIME_TO_LIVE = "larder:ttl=";
  private static final String STALENESS = "larder:stale=";
  private static final String NEVER_STALE = STALENESS + "0{1,9}(ms|s|m|h)";
  private static final Pattern DURATION = Pattern.compile("([0-9]{1,9})(ms|s|m|h)");

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

  /** Returns these hints with that of the comment, if it is one, that stands there in a text. */
  QueryHints and(String sql, int start, int end) {
    int i = start + 2;
    while (i < end && Characters.isSpace(sql.charAt(i))) {
      i++;
    }
    boolean mayBeHint =
        sql.regionMatches(true, i, "larder:", 0, 7)
            || sql.regionMatches(true, i, "no ", 0, 3)
            || sql.regionMatches(true, i, "force ", 0, 6);
    if (!mayBeHint) {
      return this;
    }
    int close = sql.charAt(start) == '/' ? end - 2 : end;
    return and(Tokens.fold(sql.substring(start + 2, close).strip()));
  }

  private QueryHints and(String hint) {
    return switch (hint) {
      case "larder:off", "no query cache" -> new QueryHints(Caching.OFF, timeToLive, staleness);
      case "larder:on", "force query cache" ->
          caching == Caching.DEFAULT ? new QueryHints(Caching.ON, timeToLive, staleness) : this;
      default ->
          new QueryHints(
              caching,
              shorter(timeToLive, hint, TIME_TO_LIVE),
              hint.matches(NEVER_STALE) ? Duration.ZERO : shorter(staleness, hint, STALENESS));
    };
  }

  private static @Nullable Duration shorter(
      @Nullable Duration known, String hint, String beginning) {
    Duration said =
        hint.startsWith(beginning) ? duration(hint.substring(beginning.length())) : null;
    return said == null || (known != null && known.compareTo(said) <= 0) ? known : said;
  }

  /**
   * Returns the time that {@code text} says, a positive number of at most nine digits and one of
   * ms, s, m, h; null where it says none.
   */
  public static @Nullable Duration duration(String text) {
    Matcher matcher = DURATION.matcher(text);
    long amount = matcher.matches() ? Long.parseLong(matcher.group(1)) : 0;
    if (amount == 0) {
      return null;
    }
    return switch (matcher.group(2)) {
      case "ms" -> Duration.ofMillis(amount);
      case "s" -> Duration.ofSeconds(amount);
      case "m" -> Duration.ofMinutes(amount);
      default -> Duration.ofHours(amount);
    };
  }
}
