package dev.larder;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Reads names in settings as PostgreSQL reads identifiers: what stands in double quotes is kept,
 * the rest is folded to lower case. A part is what stands between dots.
 */
final class DeclaredName {
  private static final Pattern NAME = twoParts("(\"[^\".]+\"|[\\p{L}\\p{Nd}_$]+)");
  private static final Pattern GLOB = twoParts("(\"[^\".]+\"|[\\p{L}\\p{Nd}_$*]+)");

  private DeclaredName() {}

  private static Pattern twoParts(String part) {
    return Pattern.compile(part + "(?:\\." + part + ")?");
  }

  /**
   * Returns the name folded and without quotes, {@code name} or {@code qualifier.name}.
   *
   * @param setting the key that the name was given for, for the message
   * @throws IllegalArgumentException if it is no such name
   */
  static String fold(String setting, String text) {
    return parts(setting, text, NAME)
        .map(part -> part.replace("\"", ""))
        .collect(Collectors.joining("."));
  }

  /**
   * Returns the one or two folded parts of a pattern, which may hold {@code *}, with its quotes.
   */
  static List<String> pattern(String setting, String text) {
    return parts(setting, text, GLOB).toList();
  }

  private static Stream<String> parts(String setting, String text, Pattern form) {
    Matcher matcher = form.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          setting
              + " holds \""
              + text
              + "\", which is no name; a name is written name or qualifier.name, each part in"
              + " letters, digits, _ and $, or in double quotes.");
    }
    return Stream.of(matcher.group(1), matcher.group(2))
        .filter(part -> part != null)
        .map(part -> part.startsWith("\"") ? part : folded(part));
  }

  /** Folds ASCII letters only, as the server does in UTF-8. */
  private static String folded(String part) {
    StringBuilder folded = new StringBuilder(part);
    for (int i = 0; i < part.length(); i++) {
      char c = part.charAt(i);
      folded.setCharAt(i, c >= 'A' && c <= 'Z' ? (char) (c - 'A' + 'a') : c);
    }
    return folded.toString();
  }
}
