package dev.larder.benchmarks;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * The embedded server of a benchmark, with 1,000 accounts, and connections with and without the
 * cache.
 */
final class BenchmarkDatabase implements AutoCloseable {
  static final int KEYS = 1_000;

  private static final String REPLAY = "&socketFactory=" + ReplaySocketFactory.class.getName();

  private final EmbeddedPostgres server;

  BenchmarkDatabase() throws IOException, SQLException {
    this.server =
        EmbeddedPostgres.builder()
            .setPGStartupWait(java.time.Duration.ofMinutes(1))
            .setServerConfig("fsync", "off")
            .setServerConfig("wal_level", "logical")
            .start();
    try (Connection connection = direct();
        Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TABLE account (id int PRIMARY KEY, branch int, balance int, filler char(84))");
      statement.execute("CREATE TABLE ledger (id int PRIMARY KEY, amount int)");
      statement.execute(
          "INSERT INTO account SELECT i, i % 10, i * 7, 'x' FROM generate_series(1, "
              + KEYS
              + ") i");
      statement.execute("INSERT INTO ledger SELECT i, 0 FROM generate_series(1, 1000) i");
      statement.execute("CREATE PUBLICATION larder FOR TABLE account, ledger");
      statement.execute("ANALYZE");
    }
  }

  private String url(String prefix) {
    return prefix + "postgresql://127.0.0.1:" + server.getPort() + "/postgres?user=postgres";
  }

  Connection direct() throws SQLException {
    return DriverManager.getConnection(url("jdbc:"));
  }

  /** Returns Larder's URL with parameters, each after a {@code &}. */
  String larderUrl(String parameters) {
    return url("jdbc:larder:") + "&larder.writers=this-jvm" + parameters;
  }

  Connection larder(String parameters) throws SQLException {
    Connection connection = DriverManager.getConnection(larderUrl(parameters));
    awaitCatalog(connection);
    return connection;
  }

  /** Returns a connection with a change feed, which is live. */
  Connection following(String parameters) throws SQLException {
    Connection connection =
        DriverManager.getConnection(
            url("jdbc:larder:") + "&larder.writers=any&larder.feed=wal" + parameters);
    long deadline = System.nanoTime() + 30_000_000_000L;
    while (!isLive(connection)) {
      if (System.nanoTime() > deadline) {
        throw new SQLException("the feed is not live within 30 s");
      }
    }
    awaitCatalog(connection);
    return connection;
  }

  private static boolean isLive(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SHOW larder.feed")) {
      return row.next() && row.getString("state").equals("live");
    }
  }

  /** Returns a connection whose results are shared over the memcached at {@code port}. */
  Connection shared(int port, String nearCache) throws SQLException {
    Connection connection =
        DriverManager.getConnection(
            url("jdbc:larder:")
                + "&larder.writers=memcached&larder.backend=memcached&larder.admission=all"
                + "&larder.memcached.servers=127.0.0.1:"
                + port
                + "&larder.memcached.onUnreachable=failCommit&larder.memcached.nearCache="
                + nearCache);
    awaitCatalog(connection);
    return connection;
  }

  /** Returns a connection of the driver over a {@link ReplaySocket}. */
  Connection directOverReplay() throws SQLException {
    return DriverManager.getConnection(url("jdbc:") + REPLAY);
  }

  /** Returns a connection through Larder over a {@link ReplaySocket}. */
  Connection larderOverReplay(String parameters) throws SQLException {
    return larder(REPLAY + parameters);
  }

  /** Returns a connection over a {@link ReplaySocket} with the cache switched off. */
  Connection disabledOverReplay() throws SQLException {
    larder("").close(); // The catalog is there: what is asked for its sake was asked.
    return DriverManager.getConnection(
        url("jdbc:larder:") + "&larder.writers=this-jvm&larder.enabled=false" + REPLAY);
  }

  /** Reads until a read is a hit: from then on the catalog is loaded. */
  private static void awaitCatalog(Connection connection) throws SQLException {
    long deadline = System.nanoTime() + 30_000_000_000L;
    while (count(connection, "hits") == 0) {
      if (System.nanoTime() > deadline) {
        throw new SQLException("no hit within 30 s");
      }
      try (Statement statement = connection.createStatement();
          ResultSet row = statement.executeQuery("SELECT id FROM account WHERE id = 0")) {
        row.next();
      }
    }
  }

  static long count(Connection connection, String column) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SHOW larder.cache")) {
      row.next();
      return row.getLong(column);
    }
  }

  /** Returns how many writes of {@code table}, which a query must have read, were published. */
  static long invalidations(Connection connection, String table) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SHOW larder.tables")) {
      while (row.next()) {
        if (row.getString("table_name").equals(table)) {
          return row.getLong("invalidations");
        }
      }
      throw new SQLException("no query has read " + table);
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
