package dev.larder.jdbc.proof.suite;

import dev.larder.jdbc.TestServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Properties;

/**
 * A server of its own, so that roles and object identifiers are those of the other sides, too. As
 * far as settings can do it, what it answers depends on nothing but what it was asked before.
 */
final class SuiteServer implements AutoCloseable {
  static final String USER = "postgres";

  private static final List<String> SETUP =
      List.of(
          "CREATE DATABASE %s TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C'",
          "ALTER DATABASE %s SET lc_messages TO 'C'",
          "ALTER DATABASE %s SET lc_monetary TO 'C'",
          "ALTER DATABASE %s SET bytea_output TO 'hex'");

  private final TestServer server;
  private final Path directory;
  private Map<String, String> environment = Map.of();
  private int databases;

  private SuiteServer(TestServer server, Path directory) {
    this.server = server;
    this.directory = directory;
  }

  /** Starts one, whose statements may write files into {@code directory}. */
  static SuiteServer start(Path directory) throws IOException {
    Files.createDirectories(directory.resolve("results"));
    TestServer server =
        TestServer.startEmbedded(
            "autovacuum=off", "synchronize_seqscans=off", "max_prepared_transactions=2");
    return new SuiteServer(server, directory);
  }

  /** Creates a database for the scripts in {@code folder}. */
  void prepare(Path folder) throws SQLException {
    databases++;
    try (Connection connection = connect("postgres", USER);
        Statement statement = connection.createStatement()) {
      for (String sql : SETUP) {
        statement.execute(sql.formatted(database()));
      }
    }
    // Their data are beside them.
    String beside = String.valueOf(folder.getParent());
    environment =
        Map.of(
            "PG_ABS_SRCDIR",
            beside,
            "PG_LIBDIR",
            beside,
            "PG_DLSUFFIX",
            ".so",
            "PG_ABS_BUILDDIR",
            directory.toString());
  }

  /** Returns the name of the last database; PostgreSQL's scripts know that of the first. */
  String database() {
    return databases == 1 ? "regression" : "regression_" + databases;
  }

  /** Returns the variables of the environment that scripts of PostgreSQL's read. */
  Map<String, String> environment() {
    return environment;
  }

  String url(String database, String user) {
    return "jdbc:postgresql://127.0.0.1:" + server.port() + '/' + database + "?user=" + user;
  }

  Connection connect(String database, String user) throws SQLException {
    return new org.postgresql.Driver().connect(url(database, user), new Properties());
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
