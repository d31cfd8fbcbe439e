package dev.larder.examples;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;

/** A PostgreSQL server of this process, on a free port of the loopback, gone when it is closed. */
public final class Postgres implements AutoCloseable {
  private final EmbeddedPostgres server;

  private Postgres(EmbeddedPostgres server) {
    this.server = server;
  }

  /** Unpacks, initializes and starts a server, which takes a few seconds. */
  public static Postgres start() throws IOException {
    return new Postgres(
        EmbeddedPostgres.builder()
            .setPGStartupWait(java.time.Duration.ofMinutes(1))
            .setServerConfig("max_connections", "300")
            .start());
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

  @Override
  public void close() throws IOException {
    server.close();
  }
}
