package dev.larder.jdbc;

import dev.larder.testing.Waiting;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.sql.DataSource;
import javax.sql.XADataSource;
import org.postgresql.ds.PGSimpleDataSource;
import org.postgresql.xa.PGXADataSource;

/**
 * A fresh database on the one embedded server of this JVM: {@code try (TestDatabase database =
 * TestDatabase.create())}, or a static field closed in {@code @AfterAll}. The server starts with
 * the first database and stops with the JVM. Thread-safe.
 */
public final class TestDatabase implements AutoCloseable {
  private static final AtomicInteger NAMES = new AtomicInteger();
  private static final DatabasesAhead AHEAD = new DatabasesAhead(TestDatabase::createNext);
  private static final int MOST_DROPS = 6;
  private static final Pattern DDL =
      Pattern.compile("\\s*(CREATE|ALTER|DROP|GRANT|REVOKE)\\b", Pattern.CASE_INSENSITIVE);

  private static final String QUERY_CANCELED = "57014";

  private final TestServer server;
  private final String name;

  private TestDatabase(TestServer server, String name) {
    this.server = server;
    this.name = name;
  }

  /**
   * Returns a database of the test's own, which is mostly made already: an empty one, or with
   * {@code -Dlarder.test.database=ordinary} an {@linkplain #createOrdinary ordinary} one.
   */
  public static TestDatabase create() throws SQLException {
    return new TestDatabase(Server.INSTANCE, AHEAD.next());
  }

  /** Creates a database that has, beside what the test adds, all that is in ordinary.sql. */
  public static TestDatabase createOrdinary() throws SQLException {
    String name = "larder_test_" + NAMES.incrementAndGet();
    create(Server.INSTANCE, name, " TEMPLATE " + Ordinary.NAME);
    return new TestDatabase(Server.INSTANCE, name);
  }

  private static String createNext() throws SQLException {
    if (System.getProperty("larder.test.database", "").equals("ordinary")) {
      return createOrdinary().name;
    }
    String name = "larder_test_" + NAMES.incrementAndGet();
    create(Server.INSTANCE, name, "");
    return name;
  }

  /** The original of all ordinary databases, made once. */
  private static final class Ordinary {
    static final String NAME = make();

    private static String make() {
      String name = "larder_ordinary";
      try (InputStream script = TestDatabase.class.getResourceAsStream("ordinary.sql")) {
        create(Server.INSTANCE, name, "");
        String sql = new String(script.readAllBytes(), StandardCharsets.UTF_8);
        new TestDatabase(Server.INSTANCE, name).execute(sql);
        return name;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      } catch (SQLException e) {
        throw new IllegalStateException("ordinary.sql", e);
      }
    }
  }

  /** Creates an empty database on a server of the caller's. */
  public static TestDatabase createOn(TestServer server) throws SQLException {
    String name = "larder_test_" + NAMES.incrementAndGet();
    create(server, name, "");
    return new TestDatabase(server, name);
  }

  /** Creates a copy of {@code original}, object identifiers and all; nobody may be connected. */
  public static TestDatabase copyOf(TestDatabase original) throws SQLException {
    String name = "larder_test_" + NAMES.incrementAndGet();
    create(original.server, name, " TEMPLATE " + original.name);
    return new TestDatabase(original.server, name);
  }

  /** Copies files, which is faster than to log each page; before PostgreSQL 15 nothing else is. */
  private static void create(TestServer server, String name, String options) throws SQLException {
    try (Connection connection = open(url(server, "postgres"))) {
      boolean asked = connection.getMetaData().getDatabaseMajorVersion() >= 15;
      try (Statement statement = connection.createStatement()) {
        statement.execute(
            "CREATE DATABASE " + name + (asked ? " STRATEGY file_copy" : "") + options);
      }
    }
  }

  /** Returns the database's name. */
  public String name() {
    return name;
  }

  /** Returns the server's port on 127.0.0.1. */
  public int port() {
    return server.port();
  }

  /** Returns the driver's URL with the user, a superuser, as its only parameter. */
  public String url() {
    return url(server, name);
  }

  /** Returns Larder's URL of this database. */
  public String larderUrl() {
    return "jdbc:larder:" + url().substring("jdbc:".length());
  }

  /**
   * Returns Larder's URL with more parameters.
   *
   * @param parameters each as {@code name=value}, percent-encoded where needed
   */
  public String larderUrl(String... parameters) {
    return String.join("&", larderUrl(), String.join("&", parameters));
  }

  /** Opens a connection of the driver itself, which no cache sees. */
  public Connection connect() throws SQLException {
    return open(url());
  }

  /** Opens a connection through {@link LarderDriver}, with options as in {@link #larderUrl}. */
  public Connection connectThroughLarder(String... parameters) throws SQLException {
    return DriverManager.getConnection(
        parameters.length == 0 ? larderUrl() : larderUrl(parameters));
  }

  /** Returns the driver's own data source of this database. */
  public DataSource dataSource() {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setUrl(url());
    return source;
  }

  /** Returns the driver's own XA data source of this database. */
  public XADataSource xaDataSource() {
    PGXADataSource source = new PGXADataSource();
    source.setUrl(url());
    return source;
  }

  /** Runs statements on a connection of their own that no cache sees, each in autocommit. */
  public void execute(String... statements) throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
      if (Stream.of(statements).anyMatch(TestDatabase::isDdl)) {
        count(statement);
      }
    }
  }

  /** Returns whether a statement is one of those that change the catalog. */
  static boolean isDdl(String sql) {
    return DDL.matcher(sql).lookingAt();
  }

  /**
   * Has the server count at once what the session has done: a count that comes later is taken for a
   * change of the catalog that came and went.
   */
  static void count(Statement statement) throws SQLException {
    if (statement.getConnection().getMetaData().getDatabaseMajorVersion() >= 15) {
      statement.execute("SELECT pg_stat_force_next_flush()");
    }
  }

  /** Returns the first column of the only row, as text, as a connection without a cache sees it. */
  public String queryString(String sql) throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      if (!rows.next()) {
        throw new SQLException("no row: " + sql);
      }
      String value = rows.getString(1);
      if (rows.next()) {
        throw new SQLException("more than one row: " + sql);
      }
      return value;
    }
  }

  /**
   * Waits until the server has counted that functions were created: a count that comes later is
   * taken for a change that came and went.
   */
  public void awaitCountOf(int functions) throws SQLException {
    Waiting.until(
        "the server has counted",
        () -> queryString("SELECT pg_stat_get_tuples_inserted(1255) >= " + functions).equals("t"));
  }

  /** Creates an empty schema and returns its name. */
  public String createSchema() throws SQLException {
    String schema = "schema_" + NAMES.incrementAndGet();
    execute("CREATE SCHEMA " + schema);
    return schema;
  }

  /** Ends the database's prepared transactions and its sessions, and drops it behind. */
  @Override
  public void close() throws SQLException {
    endSessions();
    if (server == Server.INSTANCE) {
      AHEAD.later(this::drop);
    } else {
      drop();
    }
  }

  private void endSessions() throws SQLException {
    try (Connection connection = open(url(server, "postgres"));
        Statement statement = connection.createStatement()) {
      List<String> prepared =
          texts(statement, "SELECT quote_literal(gid) FROM pg_prepared_xacts" + ofThis("database"));
      for (String gid : prepared) {
        execute("ROLLBACK PREPARED " + gid);
      }
      // DROP DATABASE would end them, too, but looks only every 100 ms whether they are gone.
      String sessions =
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity" + ofThis("datname");
      Waiting.until("no session any more", () -> texts(statement, sessions).isEmpty());
    }
  }

  private void drop() throws SQLException {
    try (Connection connection = open(url(server, "postgres"));
        Statement statement = connection.createStatement()) {
      drop(statement);
    }
  }

  /**
   * Drops the database, and begins again where that takes long: the server waits for all of its
   * processes then, and one that is just starting in this database may not be told, and wait for
   * the server.
   */
  private void drop(Statement statement) throws SQLException {
    statement.execute("SET statement_timeout = '20s'");
    for (int attempt = 1; ; attempt++) {
      try {
        statement.execute("DROP DATABASE IF EXISTS " + name + " WITH (FORCE)");
        return;
      } catch (SQLException e) {
        if (attempt == MOST_DROPS || !QUERY_CANCELED.equals(e.getSQLState())) {
          throw e;
        }
        System.out.println("DROP DATABASE " + name + ": " + e.getMessage());
      }
    }
  }

  private String ofThis(String column) {
    return " WHERE " + column + " = '" + name + "'";
  }

  private static List<String> texts(Statement statement, String sql) throws SQLException {
    List<String> texts = new ArrayList<>();
    try (ResultSet rows = statement.executeQuery(sql)) {
      while (rows.next()) {
        texts.add(rows.getString(1));
      }
    }
    return texts;
  }

  private static String url(TestServer server, String database) {
    return "jdbc:postgresql://127.0.0.1:" + server.port() + "/" + database + "?user=postgres";
  }

  private static Connection open(String url) throws SQLException {
    return new org.postgresql.Driver().connect(url, new Properties());
  }

  private static void onServer(TestServer server, String sql) throws SQLException {
    try (Connection connection = open(url(server, "postgres"));
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static final class Server {
    static final TestServer INSTANCE = start();

    private static TestServer start() {
      try {
        return TestServer.start("max_connections=300", "max_prepared_transactions=20");
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
