package dev.larder.jdbc.proof.suite;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;

/**
 * A server of its own, so that roles and object identifiers are those of the other sides, too. As
 * far as settings can do it, what it answers depends on nothing but what it was asked before.
 */
final class SuiteServer implements AutoCloseable {
  static final String DATABASE = "regression";
  static final String USER = "postgres";

  private static final List<String> SETUP =
      List.of(
          "CREATE DATABASE regression TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C'",
          "ALTER DATABASE regression SET lc_messages TO 'C'",
          "ALTER DATABASE regression SET lc_monetary TO 'C'",
          "ALTER DATABASE regression SET bytea_output TO 'hex'");

  private final EmbeddedPostgres server;

  private final Map<String, String> environment;

  private SuiteServer(EmbeddedPostgres server, Map<String, String> environment) {
    this.server = server;
    this.environment = environment;
  }

  /**
   * Starts one with the empty database {@link #DATABASE}.
   *
   * @param directory where statements may write files
   * @param folder of the scripts; their data are beside it
   */
  static SuiteServer start(Path directory, Path folder) throws IOException, SQLException {
    Files.createDirectories(directory.resolve("results"));
    EmbeddedPostgres server =
        EmbeddedPostgres.builder()
            .setPGStartupWait(Duration.ofMinutes(1))
            .setServerConfig("fsync", "off")
            .setServerConfig("autovacuum", "off")
            .setServerConfig("synchronize_seqscans", "off")
            .setServerConfig("max_prepared_transactions", "2")
            .start();
    String beside = String.valueOf(folder.getParent());
    SuiteServer started =
        new SuiteServer(
            server,
            Map.of(
                "PG_ABS_SRCDIR",
                beside,
                "PG_LIBDIR",
                beside,
                "PG_DLSUFFIX",
                ".so",
                "PG_ABS_BUILDDIR",
                directory.toString()));
    try (Connection connection = started.connect("postgres", USER);
        Statement statement = connection.createStatement()) {
      for (String sql : SETUP) {
        statement.execute(sql);
      }
    }
    return started;
  }

  /** Returns the variables of the environment that scripts of PostgreSQL's read. */
  Map<String, String> environment() {
    return environment;
  }

  String url(String database, String user) {
    return "jdbc:postgresql://127.0.0.1:" + server.getPort() + '/' + database + "?user=" + user;
  }

  Connection connect(String database, String user) throws SQLException {
    return new org.postgresql.Driver().connect(url(database, user), new Properties());
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
