package dev.larder.jdbc;

import dev.larder.testing.Program;
import dev.larder.testing.Waiting;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The PgBouncer on the PATH, in front of the server of a test database. It ends with {@link
 * #close}. Thread-safe.
 */
public final class PgBouncer implements AutoCloseable {
  private static final String USERS =
      "\"postgres\" \"\"\n\"app\" \"\"\n\"larder_one\" \"\"\n\"larder_two\" \"\"\n";

  private final Process process;
  private final Path folder;
  private final int port;
  private final String database;

  private PgBouncer(Process process, Path folder, int port, String database) {
    this.process = process;
    this.folder = folder;
    this.port = port;
    this.database = database;
  }

  /**
   * Starts one.
   *
   * @param mode session, transaction or statement
   * @param processes how many connections to the server a user has at most
   * @param more lines for its configuration
   */
  public static PgBouncer start(TestDatabase database, String mode, int processes, String... more)
      throws Exception {
    Path folder =
        Files.createTempDirectory(
            "larder-pgbouncer",
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    Files.writeString(folder.resolve("users.txt"), USERS);
    Files.writeString(
        folder.resolve("pgbouncer.ini"),
        """
        [databases]
        * = host=127.0.0.1 port=%d
        [pgbouncer]
        listen_addr = 127.0.0.1
        listen_port = %d
        unix_socket_dir =
        auth_type = trust
        auth_file = %s
        admin_users = postgres
        pool_mode = %s
        default_pool_size = %d
        max_client_conn = 500
        ignore_startup_parameters = extra_float_digits,options
        %s
        """
            .formatted(
                database.port(),
                port,
                folder.resolve("users.txt"),
                mode,
                processes,
                String.join("\n", more)));
    List<String> command = new ArrayList<>(List.of(Program.PGBOUNCER.path().toString(), "-q"));
    if (System.getProperty("user.name").equals("root")) {
      command.addAll(List.of("-u", "nobody"));
    }
    command.add(folder.resolve("pgbouncer.ini").toString());
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("log").toFile())
            .start();
    Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
    PgBouncer started = new PgBouncer(process, folder, port, database.name());
    Waiting.until(
        Duration.ofSeconds(20), () -> "PgBouncer answers: " + started.log(), started::answers);
    return started;
  }

  private boolean answers() {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1000);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private @Nullable String log() {
    try {
      return Files.readString(folder.resolve("log"));
    } catch (IOException e) {
      return e.toString();
    }
  }

  /** Returns the driver's URL of the database, through it. */
  public String url(String user, String... parameters) {
    String more = parameters.length == 0 ? "" : "&" + String.join("&", parameters);
    return "jdbc:postgresql://127.0.0.1:"
        + port
        + "/"
        + database
        + "?user="
        + user
        + "&prepareThreshold=0"
        + more;
  }

  /** Opens a connection of the driver through it. */
  public Connection connect(String user) throws SQLException {
    return DriverManager.getConnection(url(user));
  }

  /** Opens a connection through Larder and it, whose cache is declared to see every write. */
  public Connection connectThroughLarder(String user, String... parameters) throws SQLException {
    String url = url(user, parameters) + "&larder.writers=this-jvm&larder.admission=all";
    Connection connection =
        DriverManager.getConnection("jdbc:larder:" + url.substring("jdbc:".length()));
    LarderProbe.awaitCatalog(connection);
    return connection;
  }

  /** Has it lead to another database from now on, for clients that are connected, too. */
  public void leadTo(TestDatabase other) throws Exception {
    Path configuration = folder.resolve("pgbouncer.ini");
    Files.writeString(
        configuration,
        Files.readString(configuration)
            .replaceFirst(
                "\\* = .*", "* = host=127.0.0.1 port=" + other.port() + " dbname=" + other.name()));
    new ProcessBuilder("kill", "-HUP", Long.toString(process.pid())).start().waitFor();
    Waiting.until("PgBouncer leads to the other database", () -> leadsTo(other));
  }

  private boolean leadsTo(TestDatabase other) throws SQLException {
    try (Connection connection = connect("postgres")) {
      return LarderProbe.rows(connection, "SELECT current_database()")
          .equals(List.of(other.name()));
    }
  }

  @Override
  public void close() throws IOException {
    process.destroy();
    process.onExit().join();
    for (String name : List.of("users.txt", "pgbouncer.ini", "log")) {
      Files.deleteIfExists(folder.resolve(name));
    }
    Files.deleteIfExists(folder);
  }
}
