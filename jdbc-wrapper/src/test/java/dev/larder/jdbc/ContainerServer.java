package dev.larder.jdbc;

import java.io.Closeable;
import java.util.ArrayList;
import java.util.List;
import org.testcontainers.postgresql.PostgreSQLContainer;
import org.testcontainers.utility.DockerImageName;

/**
 * A PostgreSQL server from Testcontainers, of the image that the build names with {@code
 * -Ptestcontainers -Dpostgres.image=…}.
 */
final class ContainerServer implements Closeable {
  private static final String IMAGE = System.getProperty("postgres.image", "");

  private final PostgreSQLContainer container;

  private ContainerServer(PostgreSQLContainer container) {
    this.container = container;
  }

  /** Whether the build names an image. */
  static boolean isWanted() {
    return !IMAGE.isEmpty();
  }

  /** Starts one with these settings, each as {@code name=value}, in which everybody is trusted. */
  @SuppressWarnings("resource") // It is closed with this object.
  static ContainerServer start(String... settings) {
    List<String> command = new ArrayList<>(List.of("postgres", "-c", "fsync=off"));
    for (String setting : settings) {
      command.addAll(List.of("-c", setting));
    }
    PostgreSQLContainer container =
        new PostgreSQLContainer(DockerImageName.parse(IMAGE).asCompatibleSubstituteFor("postgres"))
            .withUsername("postgres")
            .withDatabaseName("postgres")
            .withEnv("POSTGRES_HOST_AUTH_METHOD", "trust")
            .withCommand(command.toArray(String[]::new));
    container.start();
    return new ContainerServer(container);
  }

  /** Returns the port on 127.0.0.1. */
  int port() {
    return container.getMappedPort(PostgreSQLContainer.POSTGRESQL_PORT);
  }

  @Override
  public void close() {
    container.close();
  }
}
