package dev.larder.memcached;

import java.util.Arrays;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The options of this module: name, default, rule and description. */
enum MemcachedProperty {
  SERVERS(
      "servers",
      null,
      "comma-separated host:port, an IPv6 address in brackets",
      "The memcached servers that hold the entries, the same in every JVM."),
  VERSION_SERVER(
      "versionServer",
      null,
      "one of larder.memcached.servers",
      "The server that holds the versions of the tables, the same in every JVM. Needed where there"
          + " is more than one server."),
  NAMESPACE(
      "namespace",
      "larder",
      "1 to 64 letters, digits, dots, dashes and underscores",
      "In every name on memcached. Must be the same in every JVM that writes to the database: those"
          + " of another namespace do not see each other's writes."),
  ON_UNREACHABLE(
      "onUnreachable",
      null,
      "failCommit or boundedStaleness",
      "What a commit does that memcached cannot be told of."),
  MAX_STALENESS(
      "maxStaleness",
      "30s",
      "whole seconds from 1s to 86400s, such as 30s",
      "With boundedStaleness: how long entries live, and so how old an answer may be after such a"
          + " commit."),
  TIMEOUT(
      "timeout",
      "200ms",
      "whole milliseconds from 10ms to 5000ms, such as 200ms",
      "After which memcached is taken for unreachable."),
  MAX_ENTRY_BYTES(
      "maxEntryBytes",
      "1000000",
      "a number of bytes from 1024 to 1000000000",
      "The most that an entry may have; at most memcached's own limit (-I, 1 MB by default)."),
  COMPRESSION(
      "compression",
      "none",
      "none or lz4",
      "Whether entries are compressed; lz4 needs at.yawk.lz4:lz4-java on the class path."),
  ENCRYPTION_KEY(
      "encryptionKey",
      null,
      "the Base64 of 16, 24 or 32 bytes",
      "With it entries are encrypted by AES-GCM, and their names do not show what was asked."),
  ALLOW_PLAINTEXT(
      "allowPlaintext",
      "false",
      "true or false",
      "Whether entries may be sent to other hosts without encryption."),
  NEAR_CACHE(
      "nearCache",
      "validated",
      "validated, off, or polled(<duration>) such as polled(50ms), from 1ms to 60000ms",
      "What is kept in the JVM, too: validated asks memcached for the versions at each hit; polled"
          + " asks for all of them once in the duration, and an answer may be that much older.");

  /** What all names begin with. */
  static final String PREFIX = "larder.memcached.";

  private final String name;
  private final @Nullable String byDefault;
  private final String rule;
  private final String description;

  MemcachedProperty(String name, @Nullable String byDefault, String rule, String description) {
    this.name = name;
    this.byDefault = byDefault;
    this.rule = rule;
    this.description = description;
  }

  /** Returns the full name. */
  String key() {
    return PREFIX + name;
  }

  /** Returns the text that counts where none is given, or null if there is none. */
  @Nullable String byDefault() {
    return byDefault;
  }

  /** Returns what a value must be. */
  String rule() {
    return rule;
  }

  /** Returns what it is for. */
  String description() {
    return description;
  }

  /** Returns the property of a full name, in any case. */
  static Optional<MemcachedProperty> of(String key) {
    return Arrays.stream(values()).filter(one -> one.key().equalsIgnoreCase(key)).findFirst();
  }

  /** Returns the property whose name takes the fewest edits to get to from {@code key}. */
  static MemcachedProperty nearest(String key) {
    String wanted = key.toLowerCase(Locale.ROOT);
    return Arrays.stream(values())
        .min(Comparator.comparingInt(one -> distance(wanted, one.key().toLowerCase(Locale.ROOT))))
        .orElseThrow();
  }

  private static int distance(String one, String other) {
    int[] row = new int[other.length() + 1];
    Arrays.setAll(row, i -> i);
    for (int i = 1; i <= one.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= other.length(); j++) {
        int edited = diagonal + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(edited, Math.min(row[j], row[j - 1]) + 1);
      }
    }
    return row[other.length()];
  }

  /** Returns the error for a value that is not what it must be. */
  IllegalArgumentException bad(String value) {
    String shown = this == ENCRYPTION_KEY ? "not what it must be" : "\"" + value + "\"";
    return new IllegalArgumentException(key() + " is " + shown + "; it must be " + rule + ".");
  }
}
