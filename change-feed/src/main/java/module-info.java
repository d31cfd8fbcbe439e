/** Follows the log of PostgreSQL: what anybody commits invalidates. */
module dev.larder.changefeed {
  requires dev.larder.core;
  requires dev.larder.jdbc;
  requires java.sql;
  requires org.jspecify;
  requires org.postgresql.jdbc;

  provides dev.larder.jdbc.feed.FeedReader with
      dev.larder.changefeed.PostgresFeedReader;
}
