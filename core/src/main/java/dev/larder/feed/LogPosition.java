package dev.larder.feed;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A place in the log of a server. A commit that was acknowledged before a position was asked for
 * lies before it. Immutable.
 *
 * @param server the cluster's system identifier and the timeline, as {@code 7416:1}
 * @param offset in bytes
 */
public record LogPosition(String server, long offset) {
  private static final Pattern TEXT =
      Pattern.compile("([0-9]{1,20}:[0-9]{1,10}):([0-9A-Fa-f]{1,8})/([0-9A-Fa-f]{1,8})");

  /**
   * Returns the position that {@code text} says.
   *
   * @throws IllegalArgumentException if it says none
   */
  public static LogPosition parse(String text) {
    Matcher parts = TEXT.matcher(text);
    if (!parts.matches()) {
      throw new IllegalArgumentException("not a position: " + text);
    }
    return new LogPosition(
        parts.group(1),
        Long.parseLong(parts.group(2), 16) << 32 | Long.parseLong(parts.group(3), 16));
  }

  /** Returns the cluster's system identifier. */
  public String system() {
    return server.substring(0, server.indexOf(':') < 0 ? server.length() : server.indexOf(':'));
  }

  /** Returns whether everything before this position is before {@code other}, of one server. */
  public boolean isWithin(LogPosition other) {
    return server.equals(other.server) && Long.compareUnsigned(offset, other.offset) <= 0;
  }

  @Override
  public String toString() {
    return server
        + ':'
        + Long.toHexString(offset >>> 32).toUpperCase(java.util.Locale.ROOT)
        + '/'
        + Long.toHexString(offset & 0xFFFF_FFFFL).toUpperCase(java.util.Locale.ROOT);
  }
}
