package dev.larder.jdbc;

import dev.larder.QueryCacheConfig;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** How the text of an option is read. Pure; the same in every locale. */
final class PropertyText {
  static final String BOOLEAN_RULE = "`true`, `false`, `on` or `off`";
  static final String COUNT_RULE = "a whole number, at least 1";
  static final String SIZE_RULE =
      "a size: a whole number of bytes, or with the unit `kB`, `MB` or `GB` of 1024, such as"
          + " `64MB`";
  static final String SHARE_RULE = "a number from 0 to 1, such as `0.01`";
  static final String DURATION_RULE =
      "a duration: a positive whole number with the unit `ms`, `s`, `m`, `h` or `d`, such as `30s`,"
          + " or as in ISO 8601, such as `PT30S`";
  static final String TABLES_RULE =
      "comma-separated names of tables, `*` standing for any characters, such as"
          + " `orders,audit_*,archive.*`";
  static final String WRITES_RULE =
      "comma-separated `%s=table`, several tables separated by `|`, nothing behind the `=` for no"
          + " table, such as `%s`";

  private static final Pattern SIZE = Pattern.compile("(\\d+) ?([a-z]*)");
  private static final Pattern SHARE = Pattern.compile("\\d{1,9}(\\.\\d{1,18})?");
  private static final Pattern DURATION = Pattern.compile("(\\d+) ?(ms|s|m|h|d)");

  private PropertyText() {}

  /** The text does not say what it should; {@link LarderProperty} words the message. */
  static final class Unreadable extends Exception {
    private static final long serialVersionUID = 1;

    /**
     * @param fault what is wrong, behind the value in the message; empty where the rule says it
     */
    Unreadable(String fault) {
      super(fault, null, false, false);
    }

    String fault() {
      String fault = getMessage();
      return fault == null || fault.isEmpty() ? "" : ", which " + fault;
    }
  }

  static boolean bool(String text) throws Unreadable {
    return switch (lower(text)) {
      case "true", "on" -> true;
      case "false", "off" -> false;
      default -> throw new Unreadable("");
    };
  }

  /** Reads the constant's name in lower case, with {@code -} for {@code _}. */
  static <E extends Enum<E>> E constant(Class<E> type, String text) throws Unreadable {
    for (E constant : type.getEnumConstants()) {
      boolean givenByOmission = constant == QueryCacheConfig.Writers.UNDECLARED;
      if (!givenByOmission && lower(constant.name()).replace('_', '-').equals(lower(text))) {
        return constant;
      }
    }
    throw new Unreadable("");
  }

  static long count(String text) throws Unreadable {
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw new Unreadable("");
    }
  }

  static long bytes(String text) throws Unreadable {
    Matcher matcher = SIZE.matcher(lower(text));
    if (!matcher.matches()) {
      throw new Unreadable("");
    }
    int shift =
        switch (matcher.group(2)) {
          case "", "b" -> 0;
          case "kb" -> 10;
          case "mb" -> 20;
          case "gb" -> 30;
          default -> throw new Unreadable("");
        };
    try {
      return Math.multiplyExact(Long.parseLong(matcher.group(1)), 1L << shift);
    } catch (ArithmeticException | NumberFormatException e) {
      throw new Unreadable("is too large");
    }
  }

  static double share(String text) throws Unreadable {
    if (!SHARE.matcher(text).matches()) {
      throw new Unreadable("");
    }
    return Double.parseDouble(text);
  }

  static Duration duration(String text) throws Unreadable {
    Matcher matcher = DURATION.matcher(lower(text));
    try {
      if (!matcher.matches()) {
        return Duration.parse(text);
      }
      long amount = Long.parseLong(matcher.group(1));
      return switch (matcher.group(2)) {
        case "ms" -> Duration.ofMillis(amount);
        case "s" -> Duration.ofSeconds(amount);
        case "m" -> Duration.ofMinutes(amount);
        case "h" -> Duration.ofHours(amount);
        default -> Duration.ofDays(amount);
      };
    } catch (DateTimeParseException e) {
      throw new Unreadable(text.matches("\\d+") ? "has no unit" : "");
    } catch (ArithmeticException | NumberFormatException e) {
      throw new Unreadable("is too large");
    }
  }

  /** Refuses what is none of {@code words}, in any case. */
  static void oneOf(String text, String... words) throws Unreadable {
    if (!List.of(words).contains(lower(text))) {
      throw new Unreadable("");
    }
  }

  /** Reads names between commas; none at all is an empty list. */
  static List<String> list(String text) throws Unreadable {
    return split(text, ',');
  }

  /** Reads {@code table=duration} between commas. */
  static Map<String, Duration> ages(String text) throws Unreadable {
    Map<String, Duration> ages = new LinkedHashMap<>();
    for (String item : split(text, ',')) {
      int equals = indexOf(item, '=', 0);
      if (equals == item.length()) {
        throw new Unreadable("has no duration in \"" + item + "\"");
      }
      String table = item.substring(0, equals).strip();
      Duration age = duration(item.substring(equals + 1).strip());
      if (ages.put(table, age) != null) {
        throw new Unreadable("names " + table + " twice");
      }
    }
    return ages;
  }

  /** Reads {@code name=table|table} between commas. */
  static Map<String, List<String>> writes(String text) throws Unreadable {
    Map<String, List<String>> writes = new LinkedHashMap<>();
    for (String item : split(text, ',')) {
      int equals = indexOf(item, '=', 0);
      if (equals == item.length()) {
        throw new Unreadable("has no = in \"" + item + "\"");
      }
      String name = item.substring(0, equals).strip();
      if (writes.put(name, split(item.substring(equals + 1), '|')) != null) {
        throw new Unreadable("names " + name + " twice");
      }
    }
    return writes;
  }

  /** Returns the built-in exclusions, in Markdown. */
  static String builtInExclusions() {
    return QueryCacheConfig.builder().build().excludedTables().stream()
        .map(pattern -> '`' + pattern + '`')
        .collect(Collectors.joining(", "));
  }

  private static List<String> split(String text, char separator) throws Unreadable {
    List<String> items = new ArrayList<>();
    if (text.isBlank()) {
      return items;
    }
    int start = 0;
    while (start <= text.length()) {
      int end = indexOf(text, separator, start);
      String item = text.substring(start, end).strip();
      if (item.isEmpty()) {
        throw new Unreadable("has an empty item");
      }
      items.add(item);
      start = end + 1;
    }
    return items;
  }

  /** Returns where the character is outside of double quotes, or the length. */
  private static int indexOf(String text, char wanted, int start) {
    boolean quoted = false;
    for (int i = start; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"') {
        quoted = !quoted;
      } else if (c == wanted && !quoted) {
        return i;
      }
    }
    return text.length();
  }

  private static String lower(String text) {
    return text.toLowerCase(Locale.ROOT);
  }
}
