package dev.larder.benchmarks.peers;

import dev.larder.benchmarks.shapes.ServerProcess;
import dev.larder.benchmarks.shapes.Variant;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.sql.DriverManager;

/**
 * The remote query cache of the AWS Advanced JDBC Wrapper, over a Redis of its own, as its manual
 * sets it up: each query that is to be cached says so, and for how long, in a hint.
 */
final class AwsCache implements AutoCloseable {
  static final String LABEL = "AWS wrapper, Redis";

  private static final String HINT = "/* CACHE_PARAM(ttl=3600s) */ ";

  private final ServerProcess redis;
  private final int port;
  private final String url;

  private AwsCache(ServerProcess redis, int port, String url) {
    this.redis = redis;
    this.port = port;
    this.url = url;
  }

  static boolean isInstalled() {
    return ServerProcess.hasRedis();
  }

  /** Starts it over {@code url}, the driver's. */
  static AwsCache start(String url, int connections) throws IOException {
    int port = ServerProcess.freePort();
    ServerProcess redis = ServerProcess.redis(port);
    String wrapped =
        url.replace("jdbc:", "jdbc:aws-wrapper:")
            + "&wrapperPlugins=remoteQueryCache&cacheUseSSL=false&cacheConnectionPoolSize="
            + connections
            + "&cacheEndpointAddrRw=127.0.0.1:"
            + port;
    return new AwsCache(redis, port, wrapped);
  }

  Variant variant() {
    return new Variant(LABEL, () -> DriverManager.getConnection(url));
  }

  /** Returns {@code sql} with the hint. */
  static String hinted(String sql) {
    return HINT + sql;
  }

  /** Returns how many look-ups have found something, by the server's own count. */
  long hits() throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        BufferedReader answer =
            new BufferedReader(
                new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8))) {
      socket.getOutputStream().write("INFO stats\r\n".getBytes(StandardCharsets.UTF_8));
      for (String line = answer.readLine(); line != null; line = answer.readLine()) {
        if (line.startsWith("keyspace_hits:")) {
          return Long.parseLong(line.substring(line.indexOf(':') + 1).strip());
        }
      }
      throw new IOException("Redis does not say how many hits there were.");
    }
  }

  @Override
  public void close() {
    redis.close();
  }
}
