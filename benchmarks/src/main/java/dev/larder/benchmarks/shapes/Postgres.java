package dev.larder.benchmarks.shapes;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

/** An embedded server, and connections to it with and without the cache. Thread-safe. */
public final class Postgres implements AutoCloseable {
  /** How many accounts there are. */
  public static final int ACCOUNTS = 100_000;

  /** The option that says how many rows a table has, where an experiment lets that be chosen. */
  static final String ROWS_OPTION = "larder.benchmarks.rows";

  private static final String COPY = "shared";
  private static final long LONGEST_START_NANOS = 60_000_000_000L;

  private final EmbeddedPostgres server;

  Postgres(int connections) throws IOException, SQLException {
    this(connections, "replica");
  }

  /** Starts one whose log has what {@code logLevel} says. */
  Postgres(int connections, String logLevel) throws IOException, SQLException {
    server =
        EmbeddedPostgres.builder()
            .setPGStartupWait(Duration.ofNanos(LONGEST_START_NANOS))
            .setServerConfig("fsync", "off")
            .setServerConfig("max_connections", Integer.toString(connections))
            .setServerConfig("shared_buffers", "256MB")
            .setServerConfig("wal_level", logLevel)
            .start();
    execute("CREATE TABLE probe (id int)");
  }

  /** Makes the accounts of pgbench, {@value #ACCOUNTS} of them, and their branches and tellers. */
  public void createAccounts() throws SQLException {
    execute(
        "CREATE TABLE branch (bid int PRIMARY KEY, bbalance int, name text)",
        "CREATE TABLE teller (tid int PRIMARY KEY, bid int, tbalance int, name text)",
        "CREATE TABLE region (rid int PRIMARY KEY, name text)",
        "CREATE TABLE account (aid int PRIMARY KEY, bid int, abalance int, filler char(84))",
        "INSERT INTO region SELECT i, 'region ' || i FROM generate_series(0, 4) i",
        "INSERT INTO branch SELECT i, i, 'branch ' || i FROM generate_series(0, 99) i",
        "INSERT INTO teller SELECT i, i % 100, i, 'teller ' || i FROM generate_series(0, 999) i",
        "INSERT INTO account SELECT i, i % 100, i * 7, 'x' FROM generate_series(1, "
            + ACCOUNTS
            + ") i",
        "CREATE INDEX ON teller (bid)",
        "VACUUM ANALYZE");
  }

  /** Returns the URL for the driver alone. */
  public String url() {
    return url("jdbc:", port());
  }

  int port() {
    return server.getPort();
  }

  /** Returns a connection of the driver alone. */
  public Connection direct() throws SQLException {
    return through(port(), "");
  }

  /** Returns a connection through a proxy on {@code port}. */
  static Connection through(int port, String parameters) throws SQLException {
    return DriverManager.getConnection(url("jdbc:", port) + parameters);
  }

  /** Returns a connection through the cache {@code name}. */
  Connection larder(String name) throws SQLException {
    return DriverManager.getConnection(larderUrl(name));
  }

  /** Returns the URL for the cache {@code name}. */
  String larderUrl(String name) {
    return larderUrl(name, "&larder.maxBytes=1GB&larder.maxResultBytes=64MB");
  }

  /** Returns a connection through the cache {@code name}, with further parameters of the URL. */
  public Connection larder(String name, String parameters) throws SQLException {
    return DriverManager.getConnection(larderUrl(name, parameters));
  }

  private String larderUrl(String name, String parameters) {
    return larderUrl(name, "this-jvm", parameters);
  }

  private String larderUrl(String name, String writers, String parameters) {
    return url("jdbc:larder:", port())
        + "&larder.writers="
        + writers
        // Others that are measured in turns write past Larder, and the radar would notice.
        + "&larder.radar=off&larder.name="
        + name
        + parameters;
  }

  /** Returns a connection through a cache whose tables are written by {@code writers}. */
  Connection larderOf(String name, String writers, String parameters) throws SQLException {
    return DriverManager.getConnection(
        larderUrl(name, writers, "&larder.maxBytes=1GB" + parameters));
  }

  /**
   * Makes a copy of the database, before anybody else is connected: a JVM uses one database in one
   * way, so that what {@link #larderMemcached} reads must be another.
   */
  void copyDatabase() throws SQLException {
    String url = url("jdbc:", port()).replace("/postgres?", "/template1?");
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE DATABASE " + COPY + " TEMPLATE postgres");
    }
  }

  /** Returns a connection to the copy of the database, with entries in a memcached, too. */
  Connection larderMemcached(String name, int port) throws SQLException {
    return DriverManager.getConnection(
        larderMemcachedUrl(name, port).replace("/postgres?", "/" + COPY + "?"));
  }

  /**
   * Returns the URL for entries in a memcached, too, for JVMs that use the database in no other
   * way.
   */
  String larderMemcachedUrl(String name, int port) {
    return url("jdbc:larder:", port())
        + "&larder.backend=memcached&larder.writers=memcached"
        + "&larder.memcached.onUnreachable=failCommit"
        + "&larder.memcached.servers=127.0.0.1:"
        + port
        + "&larder.name=memcached-"
        + name;
  }

  /** Reads until a read is a hit: from then on the catalog is loaded. */
  public void awaitCatalog() throws SQLException {
    long start = System.nanoTime();
    try (Connection connection = larder("probe")) {
      while (count(connection, "hits") == 0) {
        if (System.nanoTime() - start > LONGEST_START_NANOS) {
          throw new SQLException("There was no hit within a minute.");
        }
        read(connection, "SELECT id FROM probe");
      }
    }
  }

  /** Returns a column of SHOW larder.cache. */
  public static long count(Connection connection, String column) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SHOW larder.cache")) {
      row.next();
      return row.getLong(column);
    }
  }

  private static void read(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      while (rows.next()) {
        rows.getObject(1);
      }
    }
  }

  /** Returns the process that has started all others of the server. */
  public ProcessHandle process() throws SQLException {
    try (Connection connection = direct();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT pg_backend_pid()")) {
      row.next();
      long pid = row.getLong(1);
      return ProcessHandle.of(pid)
          .flatMap(ProcessHandle::parent)
          .orElseThrow(() -> new SQLException("no process " + pid));
    }
  }

  /** Runs statements by the driver alone. */
  public void execute(String... statements) throws SQLException {
    try (Connection connection = direct();
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  private static String url(String prefix, int port) {
    return prefix + "postgresql://127.0.0.1:" + port + "/postgres?user=postgres";
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
