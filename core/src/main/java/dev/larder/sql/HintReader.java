package dev.larder.sql;

import dev.larder.sql.QueryHints.Caching;
import java.time.Duration;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads the hints of a statement's comments. A comment is a hint if it holds nothing else: {@code
 * larder:off}, {@code larder:on}, {@code larder:ttl=30s} (ms, s, m or h; at least 1, at most nine
 * digits), {@code NO QUERY CACHE} or {@code FORCE QUERY CACHE}, in any case, anywhere in the text.
 * Of several hints off beats on, and the shortest time to live wins; anything else is an ordinary
 * comment.
 */
final class HintReader {
  private static final String TIME_TO_LIVE = "larder:ttl=";
  private static final Pattern DURATION = Pattern.compile("([0-9]{1,9})(ms|s|m|h)");

  private Caching caching = Caching.DEFAULT;
  private @Nullable Duration timeToLive;

  /** Looks at the comment of {@code sql} that stands from {@code start} to before {@code end}. */
  static boolean mayBeHint(String sql, int start, int end) {
    int i = start + 2;
    while (i < end && Characters.isSpace(sql.charAt(i))) {
      i++;
    }
    return sql.regionMatches(true, i, "larder:", 0, 7)
        || sql.regionMatches(true, i, "no ", 0, 3)
        || sql.regionMatches(true, i, "force ", 0, 6);
  }

  void read(String comment) {
    boolean block = comment.startsWith("/*");
    String body = comment.substring(2, block ? comment.length() - 2 : comment.length());
    String hint = body.strip().toLowerCase(Locale.ROOT);
    switch (hint) {
      case "larder:off", "no query cache" -> caching = Caching.OFF;
      case "larder:on", "force query cache" -> {
        if (caching == Caching.DEFAULT) {
          caching = Caching.ON;
        }
      }
      default -> readTimeToLive(hint);
    }
  }

  private void readTimeToLive(String hint) {
    Duration duration =
        hint.startsWith(TIME_TO_LIVE) ? duration(hint.substring(TIME_TO_LIVE.length())) : null;
    if (duration != null && (timeToLive == null || duration.compareTo(timeToLive) < 0)) {
      timeToLive = duration;
    }
  }

  /** See {@link QueryHints#duration}. */
  static @Nullable Duration duration(String text) {
    Matcher matcher = DURATION.matcher(text);
    if (!matcher.matches()) {
      return null;
    }
    long amount = Long.parseLong(matcher.group(1));
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

  QueryHints hints() {
    return caching == Caching.DEFAULT && timeToLive == null
        ? QueryHints.NONE
        : new QueryHints(caching, timeToLive);
  }
}
