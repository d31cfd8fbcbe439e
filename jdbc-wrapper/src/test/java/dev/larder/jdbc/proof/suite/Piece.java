package dev.larder.jdbc.proof.suite;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A statement, a backslash command, or a statement that such a command ends.
 *
 * @param line where it ends in the file, from 1
 * @param text the statement as it is written; blank where there is only a command
 * @param several whether the text holds more than one statement ({@code \;})
 * @param variables where the text names variables of psql's, in their order
 * @param command the word behind the backslash, or null
 * @param arguments the rest of the command's line
 */
record Piece(
    int line,
    String text,
    boolean several,
    List<Variable> variables,
    @Nullable String command,
    String arguments) {

  /**
   * A place where a text names a variable.
   *
   * @param mark the quote that the value is to have, a question mark, or 0
   */
  record Variable(int start, int end, char mark, String name) {

    /** Returns what stands for it, or null where it is not set and stays as it is written. */
    @Nullable String value(Map<String, String> values) {
      String value = values.get(name);
      if (mark == '?') {
        return value == null ? "FALSE" : "TRUE";
      }
      if (value == null || mark == 0) {
        return value;
      }
      return mark + value.replace("" + mark, "" + mark + mark) + mark;
    }
  }

  /** Returns the text with the values of its variables. */
  String text(Map<String, String> values) {
    StringBuilder whole = new StringBuilder();
    int done = 0;
    for (Variable variable : variables) {
      String value = variable.value(values);
      if (value != null) {
        whole.append(text, done, variable.start()).append(value);
        done = variable.end();
      }
    }
    return whole.append(text, done, text.length()).toString();
  }
}
