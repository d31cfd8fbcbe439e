package dev.larder.examples;

import dev.larder.testing.EmbeddedServers;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A PostgreSQL server of this process, on a free port of the loopback, gone when it is closed. */
public final class Postgres implements AutoCloseable {
  private static final long LONGEST_GOODBYE_NANOS = TimeUnit.SECONDS.toNanos(5);
  private static final long BETWEEN_LOOKS_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private final EmbeddedPostgres server;

  private Postgres(EmbeddedPostgres server) {
    this.server = server;
  }

  /** Unpacks, initializes and starts a server, which takes a few seconds. */
  public static Postgres start() throws IOException {
    return started(builder());
  }

  /** As {@link #start}, with a log that a change feed can follow. */
  public static Postgres startFollowed() throws IOException {
    return started(
        builder()
            .setServerConfig("wal_level", "logical")
            // What is committed asynchronously comes when the server writes it, some 0.1 s later.
            .setServerConfig("synchronous_commit", "on"));
  }

  private static Postgres started(EmbeddedPostgres.Builder builder) throws IOException {
    return new Postgres(EmbeddedServers.start(builder));
  }

  private static EmbeddedPostgres.Builder builder() {
    return EmbeddedServers.builder().setServerConfig("max_connections", "300");
  }

  /** Returns the PostgreSQL driver's URL of the server's database, with a superuser. */
  public String url() {
    return "jdbc:postgresql://127.0.0.1:" + server.getPort() + "/postgres?user=postgres";
  }

  /** Returns the port of the loopback that it listens to. */
  public int port() {
    return server.getPort();
  }

  /** Returns Larder's URL of the same database: all its writers are in this process. */
  public String larderUrl() {
    return url().replace("jdbc:postgresql:", "jdbc:larder:postgresql:")
        + "&larder.writers=this-jvm";
  }

  /** Returns Larder's URL of the same database, whose log is followed: anybody may write. */
  public String followingUrl() {
    return url().replace("jdbc:postgresql:", "jdbc:larder:postgresql:")
        + "&larder.writers=any&larder.feed=wal";
  }

  /**
   * Stops the server once nobody is connected, which is soon after the application has closed its
   * connections: Larder's own one follows the last of these after a second.
   */
  @Override
  public void close() throws IOException {
    try (Connection connection = DriverManager.getConnection(url());
        Statement statement = connection.createStatement()) {
      long begun = System.nanoTime();
      while (others(statement) > 0 && System.nanoTime() - begun < LONGEST_GOODBYE_NANOS) {
        LockSupport.parkNanos(BETWEEN_LOOKS_NANOS);
      }
    } catch (SQLException e) {
      throw new IOException("the server does not answer", e);
    } finally {
      server.close();
    }
  }

  private static int others(Statement statement) throws SQLException {
    try (ResultSet row =
        statement.executeQuery(
            "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend'"
                + " AND pid <> pg_backend_pid()")) {
      row.next();
      return row.getInt(1);
    }
  }
}
