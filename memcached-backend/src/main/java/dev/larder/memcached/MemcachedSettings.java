package dev.larder.memcached;

import dev.larder.memcached.client.MemcachedServer;
import dev.larder.memcached.format.Secret;
import dev.larder.remote.RemoteCache;
import dev.larder.remote.RemoteDatabase;
import dev.larder.remote.RemoteSettings;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The settings of the backend. Immutable, and checked: what exists can be used.
 *
 * @param servers that hold the entries, without a duplicate
 * @param versionServer one of them
 * @param maxStaleness how long entries live with {@link OnUnreachable#BOUNDED_STALENESS}
 * @param encryptionKey null for none
 */
record MemcachedSettings(
    List<InetSocketAddress> servers,
    InetSocketAddress versionServer,
    String namespace,
    OnUnreachable onUnreachable,
    Duration maxStaleness,
    Duration timeout,
    int maxEntryBytes,
    boolean compressed,
    @Nullable Secret encryptionKey,
    NearCache nearCache)
    implements RemoteSettings {
  /** What a commit does that memcached cannot be told of. */
  enum OnUnreachable {
    /** It fails, can be tried again, and nothing is lost. */
    FAIL_COMMIT,
    /** It succeeds, and answers may be old for as long as entries live. */
    BOUNDED_STALENESS
  }

  /**
   * What is kept in the JVM, too.
   *
   * @param period of {@link Kind#POLLED}; zero otherwise
   */
  record NearCache(Kind kind, Duration period) {
    /** How it is known that what is kept is not old. */
    enum Kind {
      VALIDATED,
      POLLED,
      OFF
    }

    @Override
    public String toString() {
      return kind == Kind.POLLED
          ? "polled(" + period.toMillis() + "ms)"
          : kind.name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * Returns the settings of {@code options}.
   *
   * @param options by full name in any case; those of other modules are not looked at
   * @throws IllegalArgumentException naming the option, its value, the rule and what to do
   */
  static MemcachedSettings of(Map<String, String> options) {
    MemcachedOptions given = MemcachedOptions.of(options);
    List<InetSocketAddress> servers = given.get(MemcachedOptions.SERVERS);
    OnUnreachable onUnreachable =
        given.find(MemcachedOptions.ON_UNREACHABLE).orElseThrow(MemcachedSettings::unchosen);
    @Nullable Secret key = given.find(MemcachedOptions.ENCRYPTION_KEY).orElse(null);
    checkPlaintext(servers, key, given.get(MemcachedOptions.ALLOW_PLAINTEXT));
    checkCompression(given.get(MemcachedOptions.COMPRESSION));
    return new MemcachedSettings(
        servers,
        versionServer(servers, given),
        given.get(MemcachedOptions.NAMESPACE),
        onUnreachable,
        given.get(MemcachedOptions.MAX_STALENESS),
        given.get(MemcachedOptions.TIMEOUT),
        given.get(MemcachedOptions.MAX_ENTRY_BYTES),
        given.get(MemcachedOptions.COMPRESSION),
        key,
        given.get(MemcachedOptions.NEAR_CACHE));
  }

  /** Whatever the entries look like, versions have one place and one name. */
  @Override
  public String group() {
    return MemcachedServer.text(versionServer) + ' ' + namespace;
  }

  @Override
  public RemoteCache open(RemoteDatabase database) {
    return new MemcachedCache(this, database);
  }

  private static IllegalArgumentException unchosen() {
    return new IllegalArgumentException(
        MemcachedOptions.ON_UNREACHABLE
            + " is missing, and has no default, for it is yours to choose. While memcached cannot"
            + " be reached, other JVMs cannot be told of a commit. failCommit: such a commit fails"
            + " with an error that says to try again, and no answer is ever old."
            + " boundedStaleness: it succeeds, and for as long as entries live"
            + " (larder.memcached.maxStaleness, 30s) other JVMs may answer with what was"
            + " before.");
  }

  private static InetSocketAddress versionServer(
      List<InetSocketAddress> servers, MemcachedOptions given) {
    List<InetSocketAddress> named =
        given
            .find(MemcachedOptions.VERSION_SERVER)
            .orElse(servers.size() == 1 ? servers : List.of());
    if (named.isEmpty()) {
      throw new IllegalArgumentException(
          MemcachedOptions.VERSION_SERVER
              + " is missing, and there are "
              + servers.size()
              + " servers. Name the one that holds the versions of the tables: the same one in every"
              + " JVM, or they do not see each other's writes.");
    }
    if (named.size() != 1 || !servers.contains(named.get(0))) {
      throw new IllegalArgumentException(
          MemcachedOptions.VERSION_SERVER
              + " is \""
              + text(named)
              + "\"; it must be one of larder.memcached.servers.");
    }
    return named.get(0);
  }

  private static void checkCompression(boolean compressed) {
    try {
      if (compressed) {
        ClassLoader loader = MemcachedSettings.class.getClassLoader();
        Class.forName("net.jpountz.lz4.LZ4Factory", false, loader);
      }
    } catch (ClassNotFoundException e) {
      throw new IllegalArgumentException(
          MemcachedOptions.COMPRESSION
              + " is lz4, whose library is not on the class path; add at.yawk.lz4:lz4-java 1.10.1"
              + " or later, or set none.",
          e);
    }
  }

  private static void checkPlaintext(
      List<InetSocketAddress> servers, @Nullable Secret key, boolean allowed) {
    if (key != null || allowed) {
      return;
    }
    List<InetSocketAddress> remote =
        servers.stream().filter(server -> !isLoopback(server.getHostString())).toList();
    if (!remote.isEmpty()) {
      throw new IllegalArgumentException(
          MemcachedOptions.SERVERS
              + " names "
              + text(remote)
              + ", which would get rows of the database in plain text. Set "
              + MemcachedOptions.ENCRYPTION_KEY
              + ", or, in a network that you trust, "
              + MemcachedOptions.ALLOW_PLAINTEXT
              + "=true.");
    }
  }

  private static boolean isLoopback(String host) {
    try {
      for (InetAddress address : InetAddress.getAllByName(host)) {
        if (!address.isLoopbackAddress()) {
          return false;
        }
      }
      return true;
    } catch (UnknownHostException e) {
      return false;
    }
  }

  /** Shows everything but the key, by the names that users set it by. */
  @Override
  public String toString() {
    String unreachable =
        onUnreachable == OnUnreachable.FAIL_COMMIT
            ? "failCommit"
            : "boundedStaleness, "
                + MemcachedOptions.MAX_STALENESS
                + "="
                + maxStaleness.toSeconds()
                + "s";
    return String.join(
        ", ",
        "larder.backend=memcached",
        MemcachedOptions.SERVERS + "=" + text(servers),
        MemcachedOptions.VERSION_SERVER + "=" + MemcachedServer.text(versionServer),
        MemcachedOptions.NAMESPACE + "=" + namespace,
        MemcachedOptions.ON_UNREACHABLE + "=" + unreachable,
        MemcachedOptions.TIMEOUT + "=" + timeout.toMillis() + "ms",
        MemcachedOptions.MAX_ENTRY_BYTES + "=" + maxEntryBytes,
        MemcachedOptions.COMPRESSION + "=" + (compressed ? "lz4" : "none"),
        "encrypted=" + (encryptionKey != null),
        MemcachedOptions.NEAR_CACHE + "=" + nearCache);
  }

  private static String text(List<InetSocketAddress> servers) {
    return servers.stream().map(MemcachedServer::text).collect(Collectors.joining(","));
  }
}
