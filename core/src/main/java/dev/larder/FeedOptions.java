package dev.larder;

import dev.larder.QueryCacheConfig.Feed;
import dev.larder.QueryCacheConfig.FeedOrder;
import java.time.Duration;
import java.util.List;

/** The options of the change feed, each as in {@link CacheOptions}. */
public final class FeedOptions {
  /** Whether the server's log is followed. */
  public static final Option<Feed> FEED =
      Option.of(
          "larder.feed",
          OptionType.choice(Feed.values()),
          Feed.OFF,
          "`wal`: Larder follows the log of the server, so that whatever anybody commits"
              + " invalidates within milliseconds: see [change-feed.md](change-feed.md). This needs"
              + " `larder.writers=any`, the artifact `dev.larder:larder-feed` on the class path,"
              + " and a publication at the server.");

  /** How old a result may be at most. */
  public static final Option<Duration> MAX_LAG =
      Option.of(
          "larder.feed.maxLag",
          OptionType.DURATION
              .withCheck(OptionType.notShorter(Duration.ofMillis(10)))
              .withRule("; at least 10ms"),
          Duration.ofSeconds(1),
          "A hit returns rows as the database could have returned them at a moment that is no"
              + " longer ago than this, whatever happens to the feed. While the feed is behind,"
              + " only results are used that were read within this time.");

  /** Which tables are followed. */
  public static final Option<String> PUBLICATION =
      Option.of(
          "larder.feed.publication",
          OptionType.of("a name", text -> text),
          "larder",
          "The name of the publication at the server that has the tables to follow. Larder never"
              + " creates one: `CREATE PUBLICATION` can make writes of a table fail that has no"
              + " replica identity.");

  /** How old results of tables may be that the feed does not tell of. */
  public static final Option<Duration> UNCOVERED =
      Option.of(
          "larder.feed.uncovered",
          OptionType.DURATION,
          QueryCacheConfig.UNDECLARED_TIME_TO_LIVE,
          "How long results live of tables that the feed does not tell of, as those that are not in"
              + " the publication, unlogged tables and materialized views.");

  /** Whether different queries may show different moments. */
  public static final Option<FeedOrder> ORDER =
      Option.of(
          "larder.feed.order",
          OptionType.choice(FeedOrder.values()),
          FeedOrder.NONE,
          "`none`: results of different queries may be of different moments, all within"
              + " `larder.feed.maxLag`. `session`: a session never sees time run backwards between"
              + " two queries. That costs hits after each answer of the database.");

  /** How often the server is asked. */
  public static final Option<Duration> ASK_INTERVAL =
      Option.of(
          "larder.feed.askInterval",
          OptionType.DURATION
              .withCheck(OptionType.notShorter(Duration.ofMillis(5)))
              .withRule("; at least 5ms, at most half of `larder.feed.maxLag`"),
          Duration.ofMillis(250),
          "How often the feed asks the server how far its log is, while nothing is committed. Once"
              + " nobody has looked a result up for 10 seconds, it asks a third as often.");

  /** Another way to the server. */
  public static final Option<SecretText> URL =
      Option.optional(
          "larder.feed.url",
          OptionType.of("a URL `jdbc:postgresql:…`", FeedOptions::url).kept(),
          "that of the connections",
          "A URL of the driver for the connections of the feed, where the role of the application"
              + " may not read the log, or where the feed is to take another way to the primary. It"
              + " can have `user` and `password`. As a parameter of another URL, write `%26` for"
              + " each `&` in it.");

  /** All of them. */
  public static final List<Option<?>> ALL =
      List.of(FEED, MAX_LAG, PUBLICATION, UNCOVERED, ORDER, ASK_INTERVAL, URL);

  private FeedOptions() {}

  private static SecretText url(String text) {
    if (!text.startsWith("jdbc:postgresql:")) {
      throw new OptionText.Unreadable("does not begin with jdbc:postgresql:");
    }
    return new SecretText(text);
  }
}
