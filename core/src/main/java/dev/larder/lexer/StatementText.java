package dev.larder.lexer;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A text, lexed: its shape and what was taken out of it.
 *
 * @param shape what is left
 * @param literals the literals taken out, in order, as they are written (quotes included)
 * @param parameterCount how many {@code ?} a prepared statement has, counted as the driver counts
 *     them
 */
public record StatementText(StatementShape shape, List<String> literals, int parameterCount) {
  public StatementText {
    literals = List.copyOf(literals);
  }

  /** Returns what a literal in single quotes says; null where it is something else. */
  public static @Nullable String unquoted(String literal) {
    return literal.startsWith("'") && literal.endsWith("'") && literal.length() > 1
        ? literal.substring(1, literal.length() - 1).replace("''", "'")
        : null;
  }
}
