package dev.larder.sql;

import java.util.List;

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
}
