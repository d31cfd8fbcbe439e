package dev.larder.memcached;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.model.ExposedPort;
import com.github.dockerjava.api.model.HostConfig;
import com.github.dockerjava.api.model.PortBinding;
import com.github.dockerjava.api.model.Ports;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.utility.DockerImageName;

/**
 * A memcached from Testcontainers, of the image that the build names with {@code -Ptestcontainers
 * -Dmemcached.image=…}. Its port on this machine is given, because a server comes back on its old
 * one.
 */
final class MemcachedContainer implements RunningMemcached {
  private static final String IMAGE = System.getProperty("memcached.image", "");
  private static final ExposedPort INSIDE = ExposedPort.tcp(11211);

  private final GenericContainer<?> container;

  private MemcachedContainer(GenericContainer<?> container) {
    this.container = container;
  }

  /** Whether the build names an image. */
  static boolean isWanted() {
    return !IMAGE.isEmpty();
  }

  /** Starts one that will answer on {@code port} of the loopback interface. */
  @SuppressWarnings("resource") // It is closed when it is killed.
  static MemcachedContainer start(int port, List<String> options) {
    PortBinding binding = new PortBinding(Ports.Binding.bindIpAndPort("127.0.0.1", port), INSIDE);
    List<String> command = new ArrayList<>(List.of("memcached", "-U", "0"));
    command.addAll(options);
    GenericContainer<?> container =
        new GenericContainer<>(DockerImageName.parse(IMAGE))
            .withCommand(command.toArray(String[]::new))
            .withCreateContainerCmdModifier(
                create ->
                    create
                        .withExposedPorts(INSIDE)
                        .withHostConfig(
                            Objects.requireNonNullElseGet(create.getHostConfig(), HostConfig::new)
                                .withPortBindings(binding)));
    container.start();
    return new MemcachedContainer(container);
  }

  @Override
  public boolean isAlive() {
    return container.isRunning();
  }

  @Override
  public void kill() {
    container.close();
  }

  @Override
  public void suspend() {
    client().pauseContainerCmd(container.getContainerId()).exec();
  }

  @Override
  public void resume() {
    client().unpauseContainerCmd(container.getContainerId()).exec();
  }

  private DockerClient client() {
    return container.getDockerClient();
  }

  @Override
  public String toString() {
    return "memcached starts in a container of " + IMAGE;
  }
}
