package dev.larder.engine;

import dev.larder.FeedOptions;
import dev.larder.engine.StatusTable.Row;
import dev.larder.feed.Coverage;
import dev.larder.feed.FeedLink;
import dev.larder.feed.FeedStatus;
import dev.larder.feed.FollowedWrites;
import dev.larder.store.Moment;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What is known of the feed of a cache, as {@code SHOW larder.feed} answers it. Stateless. */
public final class FeedTable {
  private FeedTable() {}

  /** Returns the one row of {@code SHOW larder.feed}. */
  public static StatusTable of(QueryCache cache) {
    FeedLink feed = cache.database().feed();
    FeedStatus status = feed.status();
    Coverage coverage = feed.followed().coverage();
    Row row =
        new Row()
            .text("state", state(cache, status))
            .text("because", orNull(because(cache, status)))
            .text("cure", orNull(status.cure()))
            .text("slot", orNull(status.slot()))
            .text("publication", cache.config().get(FeedOptions.PUBLICATION))
            .number("max_lag_millis", cache.config().get(FeedOptions.MAX_LAG).toMillis())
            .number("covered_tables", coverage.covered().size())
            .number("uncovered_tables", coverage.uncovered().size())
            .number("read_bytes", status.readBytes());
    add(cache, status, "", row);
    return StatusTable.of(row, List.of(row));
  }

  /** Adds to {@code SHOW larder.cache} what counts. */
  static void addTo(QueryCache cache, Row row) {
    FeedStatus status = cache.database().feed().status();
    row.text("feed", state(cache, status));
    add(cache, status, "feed_", row);
  }

  /** Adds to {@code SHOW larder.tables} what is true of a table that a live feed would cover. */
  static void addCovered(FeedStatus status, Row row) {
    boolean live = status.state() == FeedStatus.State.LIVE;
    String state = live ? "covered" : "the feed is " + word(status);
    row.text("feed", state).text("feed_cure", live ? null : orNull(status.cure()));
  }

  private static void add(QueryCache cache, FeedStatus status, String prefix, Row row) {
    FollowedWrites writes = cache.database().feed().followed().writes();
    long fresh = writes.fresh();
    FollowedLookups lookups = cache.strategy() instanceof FollowedLookups own ? own : null;
    String lag = fresh == FollowedWrites.NEVER ? null : millis(Moment.now() - fresh);
    row.ratio(prefix + "lag_millis", lag)
        .number(prefix + "commits", writes.published())
        .number(prefix + "pending", writes.announced() - writes.published())
        .number(prefix + "losses", status.losses())
        .number(prefix + "too_old", lookups == null ? 0 : lookups.tooOld())
        .number(prefix + "closed_millis", lookups == null ? 0 : lookups.closedNanos() / 1_000_000);
  }

  private static String millis(long nanos) {
    return String.format(Locale.ROOT, "%.1f", nanos / 1e6);
  }

  private static String state(QueryCache cache, FeedStatus status) {
    return isLagging(cache, status) ? "lagging" : word(status);
  }

  private static String word(FeedStatus status) {
    return status.state().name().toLowerCase(Locale.ROOT);
  }

  private static String because(QueryCache cache, FeedStatus status) {
    return status.because().isEmpty() && isLagging(cache, status)
        ? "the server has not sent what it has written lately"
        : status.because();
  }

  /** Returns whether the log is read, and it is not known what was committed within the bound. */
  private static boolean isLagging(QueryCache cache, FeedStatus status) {
    long fresh = cache.database().feed().followed().writes().fresh();
    long maxLag = cache.config().get(FeedOptions.MAX_LAG).toNanos();
    return status.state() == FeedStatus.State.LIVE && fresh < Moment.now() - maxLag;
  }

  private static @Nullable String orNull(String text) {
    return text.isEmpty() ? null : text;
  }
}
