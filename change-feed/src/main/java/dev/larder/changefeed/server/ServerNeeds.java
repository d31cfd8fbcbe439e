package dev.larder.changefeed.server;

import dev.larder.log.CacheLog.Trouble;
import dev.larder.sql.OwnSql;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** What a server must be set to before its log can be followed. Stateless. */
public final class ServerNeeds {
  /** The name by which the server lists the feed's connections. */
  static final String APPLICATION = "larder-feed";

  /** The first version with {@code pg_current_snapshot()}. */
  private static final int OLDEST = 130000;

  private static final String QUERY =
      OwnSql.pinned(
          """
      SELECT current_setting('server_version_num')::int4, current_setting('wal_level'),
             current_setting('synchronous_standby_names')\
      """);

  private ServerNeeds() {}

  /**
   * What a server is set to.
   *
   * @param version as 170004
   * @param walLevel what its log has
   * @param standbys synchronous_standby_names
   */
  public record Settings(int version, String walLevel, String standbys) {
    /** Returns whether the log has what is to be decoded. */
    public boolean isLogical() {
      return walLevel.equals("logical");
    }

    /** Returns whether the server would take a feed for a standby that has the data. */
    public boolean takesAnyoneForAStandby() {
      return standbys.contains("*") || standbys.contains(APPLICATION);
    }
  }

  /** Reads them. */
  public static Settings read(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(QUERY)) {
      row.next();
      return new Settings(row.getInt(1), row.getString(2), row.getString(3));
    }
  }

  /** Fails where the log cannot be followed by these settings. */
  static Settings check(Connection connection) throws SQLException, FeedFailure {
    Settings settings = read(connection);
    if (settings.version() < OLDEST) {
      throw new FeedFailure(
          Trouble.FEED_SERVER, "it is older than PostgreSQL 13", "larder.feed=off", null);
    }
    if (!settings.isLogical()) {
      throw new FeedFailure(
          Trouble.FEED_WAL_LEVEL,
          "wal_level is " + settings.walLevel(),
          "ALTER SYSTEM SET wal_level = logical, and restart the server",
          null);
    }
    checkStandbys(settings);
    return settings;
  }

  /** A feed confirms what it has read and keeps nothing: no commit may count on it. */
  static void checkStandbys(Settings settings) throws FeedFailure {
    if (settings.takesAnyoneForAStandby()) {
      throw new FeedFailure(
          Trouble.FEED_STANDBY,
          "synchronous_standby_names is " + settings.standbys(),
          "ALTER SYSTEM SET synchronous_standby_names to the names of the standbys, and SELECT"
              + " pg_reload_conf()",
          null);
    }
  }
}
