package dev.larder.memcached;

import dev.larder.Option;
import dev.larder.OptionText;
import dev.larder.OptionText.Unreadable;
import dev.larder.OptionType;
import dev.larder.memcached.MemcachedSettings.NearCache;
import dev.larder.memcached.MemcachedSettings.OnUnreachable;
import dev.larder.memcached.format.Secret;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The options of this module, and the values that a user gave some of them. Immutable. */
final class MemcachedOptions {
  /** What all names begin with. */
  static final String PREFIX = "larder.memcached.";

  private static final Pattern ADDRESS =
      Pattern.compile("(\\[[0-9A-Fa-f:.]+]|[^\\s:,\\[\\]]+):([0-9]{1,5})");
  private static final Pattern NAMESPACES = Pattern.compile("[A-Za-z0-9._-]{1,64}");
  private static final Pattern NUMBER = Pattern.compile("[0-9]{1,9}");

  static final Option<List<InetSocketAddress>> SERVERS =
      Option.optional(
          PREFIX + "servers",
          OptionType.of(
              "comma-separated host:port, an IPv6 address in brackets",
              MemcachedOptions::addresses),
          "",
          "The memcached servers that hold the entries, the same in every JVM.");

  static final Option<List<InetSocketAddress>> VERSION_SERVER =
      Option.optional(
          PREFIX + "versionServer",
          OptionType.of("one of larder.memcached.servers", MemcachedOptions::addresses),
          "the only server",
          "The server that holds the versions of the tables, the same in every JVM. Needed where"
              + " there is more than one server.");

  static final Option<String> NAMESPACE =
      Option.of(
          PREFIX + "namespace",
          OptionType.of(
              "1 to 64 letters, digits, dots, dashes and underscores", MemcachedOptions::namespace),
          "larder",
          "In every name on memcached. Must be the same in every JVM that writes to the database:"
              + " those of another namespace do not see each other's writes.");

  static final Option<OnUnreachable> ON_UNREACHABLE =
      Option.optional(
          PREFIX + "onUnreachable",
          OptionType.choice(
              ordered(
                  "failCommit", OnUnreachable.FAIL_COMMIT,
                  "boundedStaleness", OnUnreachable.BOUNDED_STALENESS)),
          "",
          "What a commit does that memcached cannot be told of.");

  static final Option<Duration> MAX_STALENESS =
      Option.of(
          PREFIX + "maxStaleness",
          OptionType.of(
              "whole seconds from 1s to 86400s, such as 30s",
              text -> Duration.ofSeconds(number(text, "s", 1, 86_400))),
          Duration.ofSeconds(30),
          "With boundedStaleness: how long entries live, and so how old an answer may be after such"
              + " a commit.");

  static final Option<Duration> TIMEOUT =
      Option.of(
          PREFIX + "timeout",
          OptionType.of(
              "whole milliseconds from 10ms to 5000ms, such as 200ms",
              text -> Duration.ofMillis(number(text, "ms", 10, 5_000))),
          Duration.ofMillis(200),
          "After which memcached is taken for unreachable.");

  static final Option<Integer> MAX_ENTRY_BYTES =
      Option.of(
          PREFIX + "maxEntryBytes",
          OptionType.of(
              "a number of bytes from 1024 to 1000000000",
              text -> number(text, "", 1_024, 1_000_000_000)),
          1_000_000,
          "The most that an entry may have; at most memcached's own limit (-I, 1 MB by default).");

  /** Whether entries are compressed. */
  static final Option<Boolean> COMPRESSION =
      Option.of(
          PREFIX + "compression",
          OptionType.choice(ordered("none", false, "lz4", true)),
          false,
          "Whether entries are compressed; lz4 needs at.yawk.lz4:lz4-java on the class path.");

  static final Option<Secret> ENCRYPTION_KEY =
      Option.optional(
          PREFIX + "encryptionKey",
          OptionType.of("the Base64 of 16, 24 or 32 bytes", MemcachedOptions::secret).kept(),
          "",
          "With it entries are encrypted by AES-GCM, and their names do not show what was asked.");

  static final Option<Boolean> ALLOW_PLAINTEXT =
      Option.of(
          PREFIX + "allowPlaintext",
          OptionType.choice(ordered("true", true, "false", false)),
          false,
          "Whether entries may be sent to other hosts without encryption.");

  static final Option<NearCache> NEAR_CACHE =
      Option.of(
          PREFIX + "nearCache",
          OptionType.of(
              "validated, off, or polled(<duration>) such as polled(50ms), from 1ms to 60000ms",
              MemcachedOptions::nearCache),
          new NearCache(NearCache.Kind.VALIDATED, Duration.ZERO),
          "What is kept in the JVM, too: validated asks memcached for the versions at each hit;"
              + " polled asks for all of them once in the duration, and an answer may be that much"
              + " older.");

  static final List<Option<?>> ALL =
      List.of(
          SERVERS,
          VERSION_SERVER,
          NAMESPACE,
          ON_UNREACHABLE,
          MAX_STALENESS,
          TIMEOUT,
          MAX_ENTRY_BYTES,
          COMPRESSION,
          ENCRYPTION_KEY,
          ALLOW_PLAINTEXT,
          NEAR_CACHE);

  private final Map<Option<?>, Object> values;

  private MemcachedOptions(Map<Option<?>, Object> values) {
    this.values = values;
  }

  /**
   * Takes the options of this module out of {@code options}.
   *
   * @param options texts by full name, in any case
   */
  static MemcachedOptions of(Map<String, String> options) {
    Map<Option<?>, Object> values = new HashMap<>();
    options.forEach(
        (key, text) -> {
          if (key.toLowerCase(Locale.ROOT).startsWith(PREFIX)) {
            Option<?> option = find(key).orElseThrow(() -> unknown(key));
            values.put(option, option.read(text));
          }
        });
    return new MemcachedOptions(values);
  }

  /** Returns the option of a full name, in any case. */
  static Optional<Option<?>> find(String key) {
    return ALL.stream().filter(option -> option.key().equalsIgnoreCase(key)).findFirst();
  }

  private static IllegalArgumentException unknown(String key) {
    return new IllegalArgumentException(
        "%s is not an option of Larder. Did you mean %s? Those of memcached are %s."
            .formatted(
                OptionText.shownName(key),
                Option.nearest(key, ALL),
                ALL.stream().map(Option::key).collect(Collectors.joining(", "))));
  }

  /** Returns the value of an option, or its default, if there is one. */
  <T> Optional<T> find(Option<T> option) {
    Object value = values.get(option);
    @SuppressWarnings("unchecked") // Only the option's own values are put for it.
    Optional<T> found = value == null ? option.byDefault() : Optional.of((T) value);
    return found;
  }

  /** Returns the value of an option that must be given or have a default. */
  <T> T get(Option<T> option) {
    return find(option)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    option + " is missing; it must be " + option.type().rule() + "."));
  }

  // ---- how values are read

  private static <T> Map<String, T> ordered(String one, T value, String other, T otherValue) {
    Map<String, T> ordered = new LinkedHashMap<>();
    ordered.put(one, value);
    ordered.put(other, otherValue);
    return ordered;
  }

  /** Reads at least one address; none is resolved, and none is there twice. */
  private static List<InetSocketAddress> addresses(String text) throws Unreadable {
    List<InetSocketAddress> addresses = new ArrayList<>();
    for (String one : text.split(",", -1)) {
      Matcher matcher = ADDRESS.matcher(one.strip());
      int port = matcher.matches() ? Integer.parseInt(matcher.group(2)) : 0;
      if (port < 1 || port > 65_535) {
        throw new Unreadable("");
      }
      String host = matcher.group(1).toLowerCase(Locale.ROOT);
      String bare = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
      InetSocketAddress address = InetSocketAddress.createUnresolved(bare, port);
      if (addresses.contains(address)) {
        throw new Unreadable("names " + one.strip() + " twice");
      }
      addresses.add(address);
    }
    return List.copyOf(addresses);
  }

  private static String namespace(String text) throws Unreadable {
    if (!NAMESPACES.matcher(text).matches()) {
      throw new Unreadable("");
    }
    return text;
  }

  /** Reads a number between two others, with {@code unit} behind it. */
  private static int number(String text, String unit, int least, int most) throws Unreadable {
    String digits = text.endsWith(unit) ? text.substring(0, text.length() - unit.length()) : "";
    int number = NUMBER.matcher(digits).matches() ? Integer.parseInt(digits) : -1;
    if (number < least || number > most) {
      throw new Unreadable("");
    }
    return number;
  }

  private static Secret secret(String text) throws Unreadable {
    try {
      byte[] key = Base64.getDecoder().decode(text);
      if (key.length == 16 || key.length == 24 || key.length == 32) {
        return new Secret(key);
      }
      throw new Unreadable("");
    } catch (IllegalArgumentException e) {
      throw new Unreadable("");
    }
  }

  private static NearCache nearCache(String written) throws Unreadable {
    String text = written.toLowerCase(Locale.ROOT);
    if (text.equals("validated")) {
      return new NearCache(NearCache.Kind.VALIDATED, Duration.ZERO);
    } else if (text.equals("off")) {
      return new NearCache(NearCache.Kind.OFF, Duration.ZERO);
    } else if (text.startsWith("polled(") && text.endsWith(")")) {
      String period = text.substring("polled(".length(), text.length() - 1);
      return new NearCache(
          NearCache.Kind.POLLED, Duration.ofMillis(number(period, "ms", 1, 60_000)));
    }
    throw new Unreadable("");
  }
}
