package dev.larder.jdbc;

import dev.larder.testing.EmbeddedServers;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * A PostgreSQL server whose files need not survive the test: nothing is forced to disk, and where
 * the system has room for it, nothing is on a disk. Thread-safe.
 */
public final class TestServer implements Closeable {
  private static final Path MEMORY = Path.of("/dev/shm");
  private static final String PREFIX = "larder-test-";

  /** A server takes a tenth of it. */
  private static final long ROOM_BYTES = 2L << 30;

  private static final AtomicInteger NAMES = new AtomicInteger();

  /** Of a server of the caller's that stays: {@code -Dlarder.test.port}; else null. */
  private static final Integer GIVEN = Integer.getInteger("larder.test.port");

  private final int port;
  private final Closeable server;

  private TestServer(int port, Closeable server) {
    this.port = port;
    this.server = server;
  }

  private TestServer(EmbeddedPostgres server) {
    this(server.getPort(), server);
  }

  /**
   * Starts one with files of its own: in a container if the build names an image, else embedded.
   * Where {@code -Dlarder.test.port} names a server on 127.0.0.1 that lets anybody in, it is that.
   *
   * @param settings each as {@code name=value}
   */
  public static TestServer start(String... settings) throws IOException {
    if (GIVEN != null) {
      return new TestServer(GIVEN, () -> {});
    }
    if (ContainerServer.isWanted()) {
      ContainerServer container = ContainerServer.start(settings);
      return new TestServer(container.port(), container);
    }
    return startEmbedded(settings);
  }

  /** Starts one that sees the files of this machine, with files of its own. */
  public static TestServer startEmbedded(String... settings) throws IOException {
    EmbeddedPostgres.Builder builder = builder(settings);
    if (hasRoomInMemory()) {
      removeLeftovers();
      long self = ProcessHandle.current().pid();
      builder.setDataDirectory(MEMORY.resolve(PREFIX + self + '-' + NAMES.incrementAndGet()));
    }
    return start(builder);
  }

  /** Starts one with empty files in {@code data}, which are removed when it is closed. */
  public static TestServer startIn(Path data, String... settings) throws IOException {
    return start(builder(settings).setDataDirectory(data));
  }

  /** Starts one with the files that are in {@code data}, and stay there. */
  public static TestServer startFrom(Path data, String... settings) throws IOException {
    return start(builder(settings).setDataDirectory(data).setCleanDataDirectory(false));
  }

  private static TestServer start(EmbeddedPostgres.Builder builder) throws IOException {
    return new TestServer(EmbeddedServers.start(builder));
  }

  private static EmbeddedPostgres.Builder builder(String... settings) {
    EmbeddedPostgres.Builder builder =
        EmbeddedServers.builder()
            .setServerConfig("fsync", "off")
            .setServerConfig("full_page_writes", "off")
            .setServerConfig("min_wal_size", "32MB")
            .setServerConfig("max_wal_size", "64MB");
    for (String setting : settings) {
      int equals = setting.indexOf('=');
      builder.setServerConfig(setting.substring(0, equals), setting.substring(equals + 1));
    }
    return builder;
  }

  /** Returns the port on 127.0.0.1. */
  public int port() {
    return port;
  }

  @Override
  public void close() throws IOException {
    server.close();
  }

  /** A directory that loses hundreds of files a second slows down ext4 and its like. */
  private static boolean hasRoomInMemory() {
    try {
      return Files.isWritable(MEMORY) && Files.getFileStore(MEMORY).getUsableSpace() > ROOM_BYTES;
    } catch (IOException e) {
      return false;
    }
  }

  /** Removes the files of the servers of JVMs that have been killed. */
  private static void removeLeftovers() {
    try (Stream<Path> files = Files.list(MEMORY)) {
      for (Path directory : files.toList()) {
        String name = directory.getFileName().toString();
        if (name.startsWith(PREFIX) && !isAlive(name)) {
          remove(directory);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isAlive(String name) {
    long pid = Long.parseLong(name.substring(PREFIX.length(), name.lastIndexOf('-')));
    return ProcessHandle.of(pid).isPresent();
  }

  private static void remove(Path directory) throws IOException {
    List<Path> deepestFirst;
    try (Stream<Path> files = Files.walk(directory)) {
      deepestFirst = files.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path file : deepestFirst) {
      Files.deleteIfExists(file);
    }
  }
}
