package dev.larder;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Reads the texts of options, and writes their values. Pure; the same in every locale. */
public final class OptionText {
  private static final Pattern SIZE = Pattern.compile("(\\d+) ?([a-z]*)");
  private static final Pattern SHARE = Pattern.compile("\\d{1,9}(\\.\\d{1,18})?([eE]-?\\d{1,2})?");
  private static final Pattern DURATION = Pattern.compile("(\\d+) ?(ms|s|m|h|d)");

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_.-]{1,64}");

  /** A name, and what cannot be a part of it. */
  private static final Pattern ANY_NAME =
      Pattern.compile("^([A-Za-z0-9_.-]{0,100})(?![A-Za-z0-9_.-]{0,100}$).*", Pattern.DOTALL);

  private OptionText() {}

  /** A text that breaks the rule of its option; {@link Option#read} words the message. */
  public static final class Unreadable extends RuntimeException {
    private static final long serialVersionUID = 1;

    /**
     * Creates one.
     *
     * @param fault continues "the value, which …"; empty where the rule says it all
     */
    public Unreadable(String fault) {
      super(fault.isEmpty() ? "" : ", which " + fault, null, false, false);
    }
  }

  static long count(String text) {
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw new Unreadable("");
    }
  }

  static long bytes(String text) {
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

  static double share(String text) {
    if (!SHARE.matcher(text).matches()) {
      throw new Unreadable("");
    }
    return Double.parseDouble(text);
  }

  static Duration duration(String text) {
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

  static <V> Map<String, V> pairs(String text, Function<String, V> reader) {
    Map<String, V> pairs = new LinkedHashMap<>();
    for (String item : list(text, ',')) {
      int equals = indexOf(item, '=', 0);
      if (equals == item.length()) {
        throw new Unreadable("has no = in \"" + item + "\"");
      }
      String name = item.substring(0, equals).strip();
      if (pairs.put(name, reader.apply(item.substring(equals + 1).strip())) != null) {
        throw new Unreadable("names " + name + " twice");
      }
    }
    return pairs;
  }

  /** Reads items between separators; a blank text has none. */
  static List<String> list(String text, char separator) {
    List<String> items = new ArrayList<>();
    int start = text.isBlank() ? text.length() + 1 : 0;
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

  /**
   * {@return a value as users write it; of tables and routines the names only}
   *
   * @param value of an option
   */
  public static String of(Object value) {
    if (value instanceof Duration age) {
      long millis = age.toMillis();
      return millis % 1_000 == 0 ? millis / 1_000 + "s" : millis + "ms";
    } else if (value instanceof Double number) {
      return number == Math.rint(number) ? Long.toString(number.longValue()) : number.toString();
    } else if (value instanceof Enum<?> constant) {
      return lower(constant.name()).replace('_', '-');
    } else if (value instanceof Map<?, ?> map) {
      return of(map.keySet());
    } else if (value instanceof Collection<?> names) {
      return String.join(",", names.stream().map(String::valueOf).toList());
    }
    return String.valueOf(value);
  }

  static int distance(String one, String other) {
    int[] row = new int[other.length() + 1];
    Arrays.setAll(row, i -> i);
    for (int i = 1; i <= one.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= other.length(); j++) {
        boolean same =
            Character.toLowerCase(one.charAt(i - 1)) == Character.toLowerCase(other.charAt(j - 1));
        int edited = Math.min(diagonal + (same ? 0 : 1), Math.min(row[j], row[j - 1]) + 1);
        diagonal = row[j];
        row[j] = edited;
      }
    }
    return row[other.length()];
  }

  /**
   * {@return an unknown name as a message may show it} A mistaken separator would make a value,
   * which may be a secret, a part of the name.
   *
   * @param name as a user wrote it
   */
  public static String shownName(String name) {
    return ANY_NAME.matcher(name).replaceFirst("$1…");
  }

  static String checkName(String key, String name) {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          key + " is \"" + name + "\"; it must be 1 to 64 letters, digits, '.', '_' or '-'.");
    }
    return name;
  }

  /** Returns the tables that are never cached, for a page. */
  static String builtInExclusions() {
    return TableRules.COORDINATION_TABLES.stream()
        .map(pattern -> "`" + pattern + '`')
        .collect(Collectors.joining(", "));
  }
}
