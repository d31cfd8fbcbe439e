package dev.larder.sql;

import java.util.ArrayList;
import java.util.List;

/**
 * Splits a text at the semicolons outside of brackets. A text that creates a routine with a body in
 * BEGIN ATOMIC … END is one statement from there on, as it is to the driver.
 */
final class StatementSplitter {
  private StatementSplitter() {}

  /** Returns the statements of {@code tokens} that are not empty, without their semicolons. */
  static List<Tokens> split(Tokens tokens) {
    List<Tokens> statements = new ArrayList<>();
    int start = 0;
    int depth = 0;
    boolean atomic = false;
    for (int i = 0; i < tokens.size(); i++) {
      Token token = tokens.get(i);
      if (token.isSymbol("(") || token.isSymbol("[")) {
        depth++;
      } else if (token.isSymbol(")") || token.isSymbol("]")) {
        depth--;
      } else if (token.is("atomic") && tokens.is(i - 1, "begin")) {
        atomic |= tokens.is(start, "create");
      } else if (token.isSymbol(";") && depth == 0 && !atomic) {
        add(statements, tokens.between(start, i));
        start = i + 1;
      }
    }
    add(statements, tokens.from(start));
    return statements;
  }

  /** Whether something follows an END; in a statement that creates a routine with such a body. */
  static boolean mayHoldMore(Tokens statement) {
    for (int i = 1; i < statement.size() - 1; i++) {
      if (statement.isSymbol(i, ";") && statement.is(i - 1, "end")) {
        return true;
      }
    }
    return false;
  }

  private static void add(List<Tokens> statements, Tokens statement) {
    if (statement.size() > 0) {
      statements.add(statement);
    }
  }
}
