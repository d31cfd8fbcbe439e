package dev.larder.changefeed;

import dev.larder.testing.EmbeddedServers;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assertions;

/** A server of a test class's own whose log can be decoded. */
public final class FeedServer implements Closeable {
  private static final AtomicInteger NAMES = new AtomicInteger();

  private final Path directory;
  private final EmbeddedPostgres server;

  private FeedServer(Path directory, EmbeddedPostgres server) {
    this.directory = directory;
    this.server = server;
  }

  /**
   * Starts one.
   *
   * @param settings each as {@code name=value}
   */
  public static FeedServer start(String... settings) {
    Map<String, String> all = new LinkedHashMap<>();
    for (String setting :
        List.of(
            "wal_level=logical",
            "fsync=off",
            "full_page_writes=off",
            "synchronous_commit=on",
            "max_prepared_transactions=10",
            "max_replication_slots=10",
            "max_wal_senders=10")) {
      put(all, setting);
    }
    for (String setting : settings) {
      put(all, setting);
    }
    EmbeddedPostgres.Builder builder = EmbeddedServers.builder();
    all.forEach(builder::setServerConfig);
    try {
      Path directory = Files.createTempDirectory("larder-feed-test");
      return new FeedServer(
          directory, EmbeddedServers.start(builder.setDataDirectory(directory.resolve("data"))));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void put(Map<String, String> settings, String setting) {
    int equals = setting.indexOf('=');
    settings.put(setting.substring(0, equals), setting.substring(equals + 1));
  }

  /** Creates an empty database and returns its name. */
  public String createDatabase() throws SQLException {
    String name = "feed_" + NAMES.incrementAndGet();
    execute("postgres", "CREATE DATABASE " + name);
    return name;
  }

  /** Creates a database with a published table of one item, and returns its name. */
  String createItems() throws SQLException {
    String name = createDatabase();
    execute(
        name,
        "CREATE TABLE item (id int PRIMARY KEY, name text)",
        "INSERT INTO item VALUES (1, 'a')",
        "CREATE PUBLICATION larder FOR TABLE item");
    return name;
  }

  /** Returns the driver's URL. */
  public String url(String database) {
    return url(database, "postgres");
  }

  public String url(String database, String user) {
    return "jdbc:postgresql://127.0.0.1:" + server.getPort() + "/" + database + "?user=" + user;
  }

  int port() {
    return server.getPort();
  }

  /** Sets whom the server lets in, by the lines of pg_hba.conf. */
  void letsIn(String... lines) throws IOException, SQLException {
    Files.write(directory.resolve("data").resolve("pg_hba.conf"), List.of(lines));
    execute("postgres", "SELECT pg_reload_conf()");
  }

  /** Opens a connection that is not Larder's. */
  public Connection connect(String database) throws SQLException {
    return new org.postgresql.Driver().connect(url(database), new Properties());
  }

  /** Runs statements, each in autocommit. */
  public void execute(String database, String... statements) throws SQLException {
    try (Connection connection = connect(database);
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  /** Returns the first column of the first row; null where there is none. */
  public String ask(String database, String sql) throws SQLException {
    try (Connection connection = connect(database);
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      return row.next() ? row.getString(1) : null;
    }
  }

  public int version() throws SQLException {
    return Integer.parseInt(ask("postgres", "SHOW server_version_num"));
  }

  /** Starts a standby with the files of this server, which is stopped meanwhile. */
  FeedServer copyAsStandby() throws IOException, InterruptedException {
    Path copy = Files.createTempDirectory("larder-feed-test");
    Path data = copy.resolve("data");
    restart(
        "fast",
        () -> {
          try (Stream<Path> files = Files.walk(directory.resolve("data"))) {
            for (Path file : files.toList()) {
              Files.copy(file, data.resolve(directory.resolve("data").relativize(file)));
            }
          }
          Files.createFile(data.resolve("standby.signal"));
          Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("rwx------"));
        });
    EmbeddedPostgres standby =
        EmbeddedServers.start(
            EmbeddedServers.builder()
                .setDataDirectory(data)
                .setCleanDataDirectory(false)
                .setServerConfig("wal_level", "logical")
                .setServerConfig("max_prepared_transactions", "10")
                .setServerConfig("max_wal_senders", "10"));
    return new FeedServer(copy, standby);
  }

  private interface WhileStopped {
    void run() throws IOException;
  }

  /** Stops the server and starts it again, with its port and its settings. */
  void restart(String mode) throws IOException, InterruptedException {
    restart(mode, () -> {});
  }

  private void restart(String mode, WhileStopped work) throws IOException, InterruptedException {
    Path data = directory.resolve("data");
    long postmaster = Long.parseLong(Files.readAllLines(data.resolve("postmaster.pid")).get(0));
    ProcessHandle process = ProcessHandle.of(postmaster).orElseThrow();
    Path control = Path.of(process.info().command().orElseThrow()).resolveSibling("pg_ctl");
    List<String> settings = Files.readAllLines(data.resolve("postmaster.opts"));
    String options = settings.get(0).substring(settings.get(0).indexOf(' ') + 1).replace("\"", "'");
    run(control, "-D", data.toString(), "-m", mode, "-w", "stop");
    work.run();
    run(
        control,
        "-D",
        data.toString(),
        "-w",
        "-l",
        directory.resolve("log").toString(),
        "-o",
        options.replace("'", ""),
        "start");
  }

  private void run(Path control, String... arguments) throws IOException, InterruptedException {
    EmbeddedServers.share(directory);
    List<String> command = new ArrayList<>();
    command.add(control.toString());
    command.addAll(List.of(arguments));
    Process process =
        new ProcessBuilder(EmbeddedServers.asServer(command))
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("control").toFile())
            .start();
    Assertions.assertEquals(
        0, process.waitFor(), () -> command + "; see " + directory.resolve("log"));
  }

  @Override
  public void close() throws IOException {
    server.close();
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }
}
