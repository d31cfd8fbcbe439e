package dev.larder.benchmarks.shapes;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * pgpool-II with its query cache in front of a server, as its manual sets it up: in shared memory,
 * or in a memcached that is started with it.
 */
final class Pgpool implements AutoCloseable {
  private static final int CHILDREN = 80;
  private static final long CACHE_BYTES = 256L << 20;

  private final ServerProcess process;
  private final @Nullable ServerProcess memcached;
  private final int port;

  private Pgpool(ServerProcess process, @Nullable ServerProcess memcached, int port) {
    this.process = process;
    this.memcached = memcached;
    this.port = port;
  }

  static boolean isInstalled() {
    return ServerProcess.isInstalled("pgpool");
  }

  /** Starts it with an empty cache. */
  static Pgpool start(Postgres server, boolean inMemcached) throws IOException {
    Path directory = Files.createTempDirectory("pgpool");
    int memcachedPort = ServerProcess.freePort();
    ServerProcess memcached = inMemcached ? ServerProcess.memcached(memcachedPort) : null;
    int port = ServerProcess.freePort();
    Path config = directory.resolve("pgpool.conf");
    Files.write(config, configuration(directory, port, server.port(), inMemcached, memcachedPort));
    Path none = Files.createFile(directory.resolve("none.conf"));
    try {
      ServerProcess process =
          ServerProcess.start(
              directory.resolve("pgpool.log"),
              port,
              List.of(
                  "pgpool",
                  "-n",
                  "-f",
                  config.toString(),
                  "-F",
                  none.toString(),
                  "-a",
                  none.toString()));
      return new Pgpool(process, memcached, port);
    } catch (IOException e) {
      if (memcached != null) {
        memcached.close();
      }
      throw e;
    }
  }

  private static List<String> configuration(
      Path directory, int port, int serverPort, boolean inMemcached, int memcachedPort)
      throws IOException {
    List<String> lines = new ArrayList<>();
    lines.add("backend_clustering_mode = 'raw'");
    lines.add("listen_addresses = '127.0.0.1'");
    lines.add("port = " + port);
    lines.add("socket_dir = '" + directory + "'");
    lines.add("pcp_socket_dir = '" + directory + "'");
    lines.add("pcp_port = " + ServerProcess.freePort());
    lines.add("pid_file_name = '" + directory.resolve("pgpool.pid") + "'");
    lines.add("logdir = '" + directory + "'");
    lines.add("memqcache_oiddir = '" + Files.createDirectory(directory.resolve("oid")) + "'");
    lines.add("backend_hostname0 = '127.0.0.1'");
    lines.add("backend_port0 = " + serverPort);
    lines.add("num_init_children = " + CHILDREN);
    lines.add("max_pool = 1");
    lines.add("memory_cache_enabled = on");
    lines.add("memqcache_method = '" + (inMemcached ? "memcached" : "shmem") + "'");
    lines.add("memqcache_memcached_host = '127.0.0.1'");
    lines.add("memqcache_memcached_port = " + memcachedPort);
    lines.add("memqcache_total_size = " + CACHE_BYTES);
    lines.add("memqcache_max_num_cache = 1000000");
    lines.add("memqcache_expire = 0");
    return lines;
  }

  int port() {
    return port;
  }

  @Override
  public void close() {
    process.close();
    if (memcached != null) {
      memcached.close();
    }
  }
}
