package dev.larder.jdbc.proof.suite;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What stands behind a backslash command, as psql reads it. */
final class Arguments {
  private static final Pattern PART =
      Pattern.compile(
          "\\s+|'((?:[^']|'')*)'|:(?:(\\w+)|'(\\w+)'|\"(\\w+)\"|\\{\\?(\\w+)\\})|[^\\s':]+|.",
          Pattern.DOTALL);

  private static final String MARKS = "\0'\"?";

  private Arguments() {}

  /** Returns the words of {@code text}, without their quotes, and with the values of variables. */
  static List<String> of(String text, Map<String, String> values) {
    List<String> words = new ArrayList<>();
    StringBuilder word = null;
    Matcher part = PART.matcher(text);
    while (part.find()) {
      if (part.group().isBlank()) {
        add(word, words);
        word = null;
      } else {
        word = (word == null ? new StringBuilder() : word).append(value(part, values));
      }
    }
    add(word, words);
    return words;
  }

  private static void add(@org.jspecify.annotations.Nullable StringBuilder word, List<String> to) {
    if (word != null) {
      to.add(word.toString());
    }
  }

  private static String value(Matcher part, Map<String, String> values) {
    if (part.group(1) != null) {
      return part.group(1).replace("''", "'").replace("\\n", "\n").replace("\\t", "\t");
    }
    for (int group = 2; group <= part.groupCount(); group++) {
      if (part.group(group) != null) {
        char mark = MARKS.charAt(group - 2);
        String value = new Piece.Variable(0, 0, mark, part.group(group)).value(values);
        return value == null ? part.group() : value;
      }
    }
    return part.group();
  }
}
