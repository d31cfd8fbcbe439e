package dev.larder;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How the text of an option is read. Pure; the same in every locale. */
public final class OptionText {
  private static final Pattern SIZE = Pattern.compile("(\\d+) ?([a-z]*)");
  private static final Pattern SHARE = Pattern.compile("\\d{1,9}(\\.\\d{1,18})?([eE]-?\\d{1,2})?");
  private static final Pattern DURATION = Pattern.compile("(\\d+) ?(ms|s|m|h|d)");

  private OptionText() {}

  /** The text does not say what it should; {@link Option#read} words the message. */
  public static final class Unreadable extends Exception {
    private static final long serialVersionUID = 1;

    /**
     * Creates one.
     *
     * @param fault what is wrong, behind the value in the message; empty where the rule says it
     */
    public Unreadable(String fault) {
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

  /** Reads names between commas; none at all is an empty list. */
  static Set<String> list(String text) throws Unreadable {
    return new LinkedHashSet<>(split(text, ','));
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
  static Map<String, Set<String>> writes(String text) throws Unreadable {
    Map<String, Set<String>> writes = new LinkedHashMap<>();
    for (String item : split(text, ',')) {
      int equals = indexOf(item, '=', 0);
      if (equals == item.length()) {
        throw new Unreadable("has no = in \"" + item + "\"");
      }
      String name = item.substring(0, equals).strip();
      Set<String> tables = new LinkedHashSet<>(split(item.substring(equals + 1), '|'));
      if (writes.put(name, tables) != null) {
        throw new Unreadable("names " + name + " twice");
      }
    }
    return writes;
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

  /** Returns a duration as users write it. */
  static String age(Duration age) {
    long millis = age.toMillis();
    return millis % 1_000 == 0 ? millis / 1_000 + "s" : millis + "ms";
  }

  /** Returns a number as users write it. */
  static String number(double number) {
    return number == Math.rint(number) ? String.valueOf((long) number) : String.valueOf(number);
  }

  /** Returns the edits between two names; a difference of case alone counts as none. */
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
}
