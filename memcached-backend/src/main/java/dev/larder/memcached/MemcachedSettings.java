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
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;
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

    String text() {
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
    List<InetSocketAddress> servers = given.addresses(MemcachedProperty.SERVERS);
    OnUnreachable onUnreachable = onUnreachable(given);
    @Nullable Secret key = given.key();
    checkPlaintext(servers, key, given.bool(MemcachedProperty.ALLOW_PLAINTEXT));
    return new MemcachedSettings(
        servers,
        versionServer(servers, given),
        given.namespace(),
        onUnreachable,
        given.duration(MemcachedProperty.MAX_STALENESS, "s", 1, 86_400),
        given.duration(MemcachedProperty.TIMEOUT, "ms", 10, 5_000),
        given.number(MemcachedProperty.MAX_ENTRY_BYTES, 1_024, 1_000_000_000),
        compressed(given),
        key,
        nearCache(given));
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

  private static OnUnreachable onUnreachable(MemcachedOptions given) {
    String text = given.text(MemcachedProperty.ON_UNREACHABLE);
    if (text == null) {
      throw new IllegalArgumentException(
          MemcachedProperty.ON_UNREACHABLE.key()
              + " is missing, and has no default, for it is yours to choose. While memcached cannot"
              + " be reached, other JVMs cannot be told of a commit. failCommit: such a commit fails"
              + " with an error that says to try again, and no answer is ever old."
              + " boundedStaleness: it succeeds, and for as long as entries live"
              + " (larder.memcached.maxStaleness, 30s) other JVMs may answer with what was"
              + " before.");
    }
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "failcommit" -> OnUnreachable.FAIL_COMMIT;
      case "boundedstaleness" -> OnUnreachable.BOUNDED_STALENESS;
      default -> throw MemcachedProperty.ON_UNREACHABLE.bad(text);
    };
  }

  private static InetSocketAddress versionServer(
      List<InetSocketAddress> servers, MemcachedOptions given) {
    if (given.text(MemcachedProperty.VERSION_SERVER) == null && servers.size() == 1) {
      return servers.get(0);
    }
    if (given.text(MemcachedProperty.VERSION_SERVER) == null) {
      throw new IllegalArgumentException(
          MemcachedProperty.VERSION_SERVER.key()
              + " is missing, and there are "
              + servers.size()
              + " servers. Name the one that holds the versions of the tables: the same one in every"
              + " JVM, or they do not see each other's writes.");
    }
    List<InetSocketAddress> named = given.addresses(MemcachedProperty.VERSION_SERVER);
    if (named.size() != 1 || !servers.contains(named.get(0))) {
      throw MemcachedProperty.VERSION_SERVER.bad(
          String.valueOf(given.text(MemcachedProperty.VERSION_SERVER)));
    }
    return named.get(0);
  }

  private static boolean compressed(MemcachedOptions given) {
    String text = given.required(MemcachedProperty.COMPRESSION);
    if (!text.equalsIgnoreCase("lz4")) {
      if (!text.equalsIgnoreCase("none")) {
        throw MemcachedProperty.COMPRESSION.bad(text);
      }
      return false;
    }
    try {
      Class.forName("net.jpountz.lz4.LZ4Factory", false, MemcachedSettings.class.getClassLoader());
      return true;
    } catch (ClassNotFoundException e) {
      throw new IllegalArgumentException(
          MemcachedProperty.COMPRESSION.key()
              + " is lz4, whose library is not on the class path; add at.yawk.lz4:lz4-java 1.10.1"
              + " or later, or set none.",
          e);
    }
  }

  private static NearCache nearCache(MemcachedOptions given) {
    String text = given.required(MemcachedProperty.NEAR_CACHE).toLowerCase(Locale.ROOT);
    if (text.equals("validated")) {
      return new NearCache(NearCache.Kind.VALIDATED, Duration.ZERO);
    } else if (text.equals("off")) {
      return new NearCache(NearCache.Kind.OFF, Duration.ZERO);
    } else if (text.startsWith("polled(") && text.endsWith(")")) {
      String period = text.substring("polled(".length(), text.length() - 1);
      return new NearCache(
          NearCache.Kind.POLLED,
          MemcachedOptions.duration(MemcachedProperty.NEAR_CACHE, text, period, "ms", 1, 60_000));
    }
    throw MemcachedProperty.NEAR_CACHE.bad(text);
  }

  private static void checkPlaintext(
      List<InetSocketAddress> servers, @Nullable Secret key, boolean allowed) {
    List<String> remote = new ArrayList<>();
    for (InetSocketAddress server : servers) {
      if (!isLoopback(server.getHostString())) {
        remote.add(server.getHostString() + ":" + server.getPort());
      }
    }
    if (key == null && !allowed && !remote.isEmpty()) {
      throw new IllegalArgumentException(
          MemcachedProperty.SERVERS.key()
              + " names "
              + String.join(", ", remote)
              + ", which would get rows of the database in plain text. Set "
              + MemcachedProperty.ENCRYPTION_KEY.key()
              + ", or, in a network that you trust, "
              + MemcachedProperty.ALLOW_PLAINTEXT.key()
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
    StringJoiner text = new StringJoiner(", ");
    text.add("larder.backend=memcached");
    List<String> addresses = new ArrayList<>();
    servers.forEach(server -> addresses.add(MemcachedServer.text(server)));
    text.add(MemcachedProperty.SERVERS.key() + "=" + String.join(",", addresses));
    text.add(MemcachedProperty.VERSION_SERVER.key() + "=" + MemcachedServer.text(versionServer));
    text.add(MemcachedProperty.NAMESPACE.key() + "=" + namespace);
    boolean fails = onUnreachable == OnUnreachable.FAIL_COMMIT;
    text.add(
        MemcachedProperty.ON_UNREACHABLE.key() + "=" + (fails ? "failCommit" : "boundedStaleness"));
    if (!fails) {
      text.add(MemcachedProperty.MAX_STALENESS.key() + "=" + maxStaleness.toSeconds() + "s");
    }
    text.add(MemcachedProperty.TIMEOUT.key() + "=" + timeout.toMillis() + "ms");
    text.add(MemcachedProperty.MAX_ENTRY_BYTES.key() + "=" + maxEntryBytes);
    text.add(MemcachedProperty.COMPRESSION.key() + "=" + (compressed ? "lz4" : "none"));
    text.add("encrypted=" + (encryptionKey != null));
    text.add(MemcachedProperty.NEAR_CACHE.key() + "=" + nearCache.text());
    return text.toString();
  }
}
