package dev.larder.analysis;

import dev.larder.lexer.Token;
import dev.larder.lexer.Token.Kind;
import dev.larder.lexer.Tokens;

/**
 * Finds parameters whose type may decide which operator a symbol stands for. A parameter that is
 * compared with a column has the type of the column, and those behind LIMIT and before a cast have
 * one of their own. Any other is loose.
 */
final class LooseParameters {
  private final Tokens tokens;

  /** The last parameter of a list that a column is compared with by IN or ANY. */
  private int listed = -1;

  private LooseParameters(Tokens tokens) {
    this.tokens = tokens;
  }

  /** Returns whether there is one among {@code tokens}. */
  static boolean areIn(Tokens tokens) {
    LooseParameters parameters = new LooseParameters(tokens);
    for (int i = 0; i < tokens.size(); i++) {
      if (tokens.get(i).isParameter() && !parameters.isBound(i)) {
        return true;
      }
    }
    return false;
  }

  private boolean isBound(int index) {
    Token before = tokens.get(index - 1);
    if (before.isSymbol("(") && (tokens.is(index - 2, "in") || tokens.is(index - 2, "any"))) {
      listed = comparesName(index - 2) || comparesName(index - 3) ? index : -1;
      return listed == index;
    }
    if (before.isSymbol(",") && listed == index - 2) {
      listed = index;
      return true;
    }
    return before.is("limit")
        || before.is("offset")
        || tokens.isSymbol(index + 1, "::")
        || comparesName(index - 1)
        || (before.is("and") && tokens.is(index - 3, "between") && comparesName(index - 3))
        || (tokens.get(index + 1).kind() == Kind.OPERATOR
            && tokens.get(index + 2).isIdentifier()
            && !tokens.isSymbol(index + 3, "("));
  }

  /** Whether an operator, or a keyword for one, stands behind the name of a column. */
  private boolean comparesName(int index) {
    Token token = tokens.get(index);
    boolean operator =
        token.kind() == Kind.OPERATOR
            || token.is("in")
            || token.is("between")
            || token.is("like")
            || token.is("ilike");
    int name = tokens.is(index - 1, "not") ? index - 2 : index - 1;
    return operator
        && tokens.get(name).isIdentifier()
        && !tokens.is(tokens.nameStart(name) - 1, "collate");
  }
}
