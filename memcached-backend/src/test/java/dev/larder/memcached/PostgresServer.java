package dev.larder.memcached;

import dev.larder.testing.EmbeddedServers;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.testcontainers.postgresql.PostgreSQLContainer;
import org.testcontainers.utility.DockerImageName;

/**
 * A PostgreSQL server that ends with this JVM: embedded, or a container if the build names an image
 * ({@code -Ptestcontainers -Dpostgres.image=…}).
 *
 * @param port on 127.0.0.1, for this machine
 * @param ownPort on 127.0.0.1, for the server itself
 */
record PostgresServer(int port, int ownPort) {
  private static final String IMAGE = System.getProperty("postgres.image", "");

  static PostgresServer start() throws IOException {
    return IMAGE.isEmpty() ? embedded() : contained();
  }

  private static PostgresServer embedded() throws IOException {
    EmbeddedPostgres server =
        EmbeddedServers.start(
            EmbeddedServers.builder()
                .setServerConfig("max_prepared_transactions", "10")
                .setServerConfig("fsync", "off")
                .setServerConfig(
                    "synchronous_commit", "on")); // For commits that wait for a standby.
    return new PostgresServer(server.getPort(), server.getPort());
  }

  @SuppressWarnings("resource") // It ends with this JVM.
  private static PostgresServer contained() {
    PostgreSQLContainer container =
        new PostgreSQLContainer(DockerImageName.parse(IMAGE).asCompatibleSubstituteFor("postgres"))
            .withUsername("postgres")
            .withDatabaseName("postgres")
            .withEnv("POSTGRES_HOST_AUTH_METHOD", "trust")
            .withCommand("postgres", "-c", "max_prepared_transactions=10", "-c", "fsync=off");
    container.start();
    int inside = PostgreSQLContainer.POSTGRESQL_PORT;
    return new PostgresServer(container.getMappedPort(inside), inside);
  }

  /** Opens a connection of the driver alone to the database {@code postgres}. */
  Connection connect() throws SQLException {
    return DriverManager.getConnection(
        "jdbc:postgresql://127.0.0.1:" + port + "/postgres?user=postgres");
  }
}
