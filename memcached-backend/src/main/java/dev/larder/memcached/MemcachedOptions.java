package dev.larder.memcached;

import dev.larder.memcached.format.Secret;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The text of the options, and how it is read; the same in every locale. Immutable. */
final class MemcachedOptions {
  private static final Pattern ADDRESS =
      Pattern.compile("(\\[[0-9A-Fa-f:.]+]|[^\\s:,\\[\\]]+):([0-9]{1,5})");
  private static final Pattern NAMESPACE = Pattern.compile("[A-Za-z0-9._-]{1,64}");
  private static final Pattern NUMBER = Pattern.compile("[0-9]{1,9}");

  private final Map<MemcachedProperty, String> texts;

  private MemcachedOptions(Map<MemcachedProperty, String> texts) {
    this.texts = texts;
  }

  /** Takes the options of this module out of {@code options}. */
  static MemcachedOptions of(Map<String, String> options) {
    Map<MemcachedProperty, String> texts = new EnumMap<>(MemcachedProperty.class);
    for (Map.Entry<String, String> option : options.entrySet()) {
      String key = option.getKey();
      if (key.toLowerCase(Locale.ROOT).startsWith(MemcachedProperty.PREFIX)) {
        MemcachedProperty property = MemcachedProperty.of(key).orElseThrow(() -> unknown(key));
        texts.put(property, option.getValue().strip());
      }
    }
    return new MemcachedOptions(texts);
  }

  private static IllegalArgumentException unknown(String key) {
    String known =
        Arrays.stream(MemcachedProperty.values())
            .map(MemcachedProperty::key)
            .collect(Collectors.joining(", "));
    return new IllegalArgumentException(
        key
            + " is not an option of Larder. Did you mean "
            + MemcachedProperty.nearest(key).key()
            + "? Those of memcached are "
            + known
            + ".");
  }

  /** Returns the text, the default's if none is given, or null if there is none either. */
  @Nullable String text(MemcachedProperty property) {
    String text = texts.get(property);
    return text == null ? property.byDefault() : text;
  }

  /** Returns the text of an option that must be given or have a default. */
  String required(MemcachedProperty property) {
    String text = text(property);
    if (text == null) {
      throw new IllegalArgumentException(
          property.key() + " is missing; it must be " + property.rule() + ".");
    }
    return text;
  }

  /** Returns at least one address; none is resolved, and none is there twice. */
  List<InetSocketAddress> addresses(MemcachedProperty property) {
    String text = required(property);
    List<InetSocketAddress> addresses = new ArrayList<>();
    for (String one : text.split(",", -1)) {
      Matcher matcher = ADDRESS.matcher(one.strip());
      int port = matcher.matches() ? Integer.parseInt(matcher.group(2)) : 0;
      if (port < 1 || port > 65_535) {
        throw property.bad(text);
      }
      String host = matcher.group(1).toLowerCase(Locale.ROOT);
      String bare = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
      InetSocketAddress address = InetSocketAddress.createUnresolved(bare, port);
      if (addresses.contains(address)) {
        throw new IllegalArgumentException(
            property.key() + " names " + one.strip() + " twice; write it once.");
      }
      addresses.add(address);
    }
    return List.copyOf(addresses);
  }

  /** Returns the namespace. */
  String namespace() {
    String text = required(MemcachedProperty.NAMESPACE);
    if (!NAMESPACE.matcher(text).matches()) {
      throw MemcachedProperty.NAMESPACE.bad(text);
    }
    return text;
  }

  /** Returns whether it is true. */
  boolean bool(MemcachedProperty property) {
    String text = required(property).toLowerCase(Locale.ROOT);
    if (!text.equals("true") && !text.equals("false")) {
      throw property.bad(text);
    }
    return text.equals("true");
  }

  /** Returns a number between two others. */
  int number(MemcachedProperty property, int least, int most) {
    String text = required(property);
    int number = NUMBER.matcher(text).matches() ? Integer.parseInt(text) : -1;
    if (number < least || number > most) {
      throw property.bad(text);
    }
    return number;
  }

  /** Returns a duration, written in the one unit that is {@code unit}. */
  Duration duration(MemcachedProperty property, String unit, int least, int most) {
    String text = required(property);
    return duration(property, text, text, unit, least, most);
  }

  static Duration duration(
      MemcachedProperty property, String whole, String text, String unit, int least, int most) {
    String digits = text.endsWith(unit) ? text.substring(0, text.length() - unit.length()) : "";
    int number = NUMBER.matcher(digits).matches() ? Integer.parseInt(digits) : -1;
    if (number < least || number > most) {
      throw property.bad(whole);
    }
    return unit.equals("ms") ? Duration.ofMillis(number) : Duration.ofSeconds(number);
  }

  /** Returns the secret, or null if there is none. */
  @Nullable Secret key() {
    String text = text(MemcachedProperty.ENCRYPTION_KEY);
    if (text == null) {
      return null;
    }
    try {
      byte[] key = Base64.getDecoder().decode(text);
      if (key.length == 16 || key.length == 24 || key.length == 32) {
        return new Secret(key);
      }
    } catch (IllegalArgumentException e) {
      throw MemcachedProperty.ENCRYPTION_KEY.bad(text);
    }
    throw MemcachedProperty.ENCRYPTION_KEY.bad(text);
  }
}
