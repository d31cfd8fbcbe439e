package dev.larder.memcached.client;

import dev.larder.memcached.format.Names;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

/**
 * Consistent hashing: which of several servers has a name. A server that comes or goes moves its
 * own share of the names and no other. Depends on the servers' names, not on their order. Immutable
 * and thread-safe.
 *
 * @param <T> a server
 */
final class Ketama<T> {
  private static final int POINTS = 160;

  private final TreeMap<Long, T> ring = new TreeMap<>();

  /** Creates a ring of {@code servers}, at least one, by name. */
  Ketama(Map<String, T> servers) {
    for (Map.Entry<String, T> server : servers.entrySet()) {
      for (int point = 0; point < POINTS; point++) {
        ring.put(hash(server.getKey() + "-" + point), server.getValue());
      }
    }
  }

  /** Returns the server that has {@code name}. */
  T serverOf(String name) {
    Map.Entry<Long, T> at = ring.ceilingEntry(hash(name));
    return at == null ? ring.firstEntry().getValue() : at.getValue();
  }

  private static long hash(String text) {
    return ByteBuffer.wrap(Names.digest(text.getBytes(StandardCharsets.UTF_8))).getLong();
  }
}
