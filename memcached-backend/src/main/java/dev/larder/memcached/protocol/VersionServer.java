package dev.larder.memcached.protocol;

import java.util.List;

/**
 * The one server that holds the versions of a database's tables. A reply other than {@link
 * VersionReply.Outcome#UNKNOWN} is what the server itself said of this very request. Thread-safe;
 * no method throws, and none takes much longer than one timeout.
 */
public interface VersionServer {
  /**
   * Sends {@code requests} in one go, to be done in this order, and returns their replies in the
   * same order. Others' requests may come between them.
   */
  List<VersionReply> send(List<? extends VersionRequest> requests);

  /**
   * Reads {@code keys} in one round trip, each at its own moment, and returns what was found in
   * their order: {@link VersionReply.Outcome#FOUND}, {@code MISSING}, {@code UNREADABLE} or {@code
   * UNKNOWN}. The items' numbers are of no use.
   */
  List<VersionReply> multiGet(List<String> keys);
}
