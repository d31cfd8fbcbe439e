package dev.larder;

import java.util.ArrayList;
import java.util.List;

/**
 * Reads names in settings as PostgreSQL reads identifiers: what stands in double quotes is kept,
 * the rest is folded to lower case. A part is what stands between dots.
 */
final class DeclaredName {
  private DeclaredName() {}

  /**
   * Returns the name folded and without quotes, {@code name} or {@code qualifier.name}.
   *
   * @param setting the key that the name was given for, for the message
   * @throws IllegalArgumentException if it is no such name
   */
  static String fold(String setting, String text) {
    return String.join(".", parts(setting, text, false));
  }

  /**
   * Returns the one or two folded parts; a part that was quoted keeps its quotes if {@code pattern}
   * is set, in which case {@code *} is allowed outside of them.
   */
  static List<String> parts(String setting, String text, boolean pattern) {
    List<String> parts = new ArrayList<>();
    StringBuilder part = new StringBuilder();
    int i = 0;
    while (i < text.length()) {
      char c = text.charAt(i);
      if (c == '"' && part.isEmpty()) {
        i = quoted(setting, text, i, pattern, part);
        if (i < text.length() && text.charAt(i) != '.') {
          throw refused(setting, text, "has more behind a quoted name");
        }
        continue;
      }
      if (c == '.') {
        parts.add(finished(setting, text, part));
      } else if (Character.isLetterOrDigit(c) || c == '_' || c == '$' || (pattern && c == '*')) {
        part.append(c >= 'A' && c <= 'Z' ? (char) (c - 'A' + 'a') : c);
      } else {
        throw refused(setting, text, "has the character '" + c + "' outside of double quotes");
      }
      i++;
    }
    parts.add(finished(setting, text, part));
    if (parts.size() > 2) {
      throw refused(setting, text, "has " + parts.size() + " parts, at most 2 are allowed");
    }
    return List.copyOf(parts);
  }

  private static int quoted(
      String setting, String text, int start, boolean keepQuotes, StringBuilder part) {
    int end = text.indexOf('"', start + 1);
    if (end < 0) {
      throw refused(setting, text, "has no closing double quote");
    }
    String name = text.substring(start + 1, end);
    if (name.isEmpty() || name.indexOf('.') >= 0) {
      throw refused(setting, text, "has an empty name or a dot in double quotes");
    }
    part.append(keepQuotes ? '"' + name + '"' : name);
    return end + 1;
  }

  private static String finished(String setting, String text, StringBuilder part) {
    if (part.isEmpty()) {
      throw refused(setting, text, "has an empty part");
    }
    String name = part.toString();
    part.setLength(0);
    return name;
  }

  private static IllegalArgumentException refused(String setting, String text, String fault) {
    return new IllegalArgumentException(
        setting
            + " holds \""
            + text
            + "\", which "
            + fault
            + "; a name is written name or qualifier.name, each part in letters, digits, _ and $,"
            + " or in double quotes.");
  }
}
