package dev.larder.sql;

import java.util.Set;

/**
 * Looks at every place of a statement where a name stands: what calls itself so there is a
 * reference to a column, or is proven a date or a time by {@link TimeOperands}. A place that may
 * define the name in any other way, as an alias, a column of a list or of a document, a common
 * table or a field of a row, is not.
 */
final class TimeNames {
  private static final Set<String> BEFORE_DEFINITION =
      Set.of("select", "distinct", "from", "join", "lateral");

  private final Tokens tokens;
  private final TimeOperands operands;

  TimeNames(Tokens tokens, TimeOperands operands) {
    this.tokens = tokens;
    this.operands = operands;
  }

  /** Returns whether all that is called {@code name} are references and dates or times. */
  boolean areTimes(String name) {
    for (int i = 0; i < tokens.size(); i++) {
      Token token = tokens.get(i);
      boolean star = token.isSymbol("*") && tokens.isSymbol(i - 1, ".");
      boolean row = star && !tokens.get(i - 2).kind().isName();
      boolean named = token.kind().isName() && token.name().equals(name);
      if (row || (named && !isUsedWell(token, i))) {
        return false;
      }
    }
    return true;
  }

  private boolean isUsedWell(Token token, int index) {
    if (token.isReserved() || tokens.isSymbol(index + 1, "(") || tokens.isCommonTable(index + 1)) {
      return false;
    }
    if (tokens.isSymbol(index - 1, ".")) {
      return tokens.get(index - 2).kind().isName();
    }
    if (!operands.isExpressionStart(index)) {
      return isDefinition(index, token.name());
    }
    boolean listed = tokens.isSymbol(index - 1, "(") || tokens.isSymbol(index - 1, ",");
    int list = listed ? enclosing(index) : -1;
    return !isNameList(list) || isListDefinition(list, index, token.name());
  }

  /** {@code expression AS name}, or without AS. */
  private boolean isDefinition(int index, String name) {
    int end = tokens.is(index - 1, "as") ? index - 1 : index;
    int start = end;
    while (start > 0 && !isDefinitionStart(start - 1)) {
      start = tokens.isSymbol(start - 1, ")") ? tokens.opening(start - 1) : Math.max(start - 1, 0);
    }
    boolean time = operands.isTime(start, end);
    if (time) {
      operands.defines(name);
    }
    return time;
  }

  private boolean isDefinitionStart(int index) {
    Token token = tokens.get(index);
    return token.isSymbol(",")
        || token.isSymbol("(")
        || token.isSymbol("[")
        || (token.kind() == TokenKind.WORD && BEFORE_DEFINITION.contains(token.name()));
  }

  private int enclosing(int index) {
    int i = index - 1;
    while (i >= 0 && !tokens.isSymbol(i, "(") && !tokens.isSymbol(i, "[")) {
      boolean closing = tokens.isSymbol(i, ")") || tokens.isSymbol(i, "]");
      i = closing ? tokens.opening(i) - 1 : i - 1;
    }
    return i;
  }

  /** Whether the bracket may hold the names of columns: {@code AS x (a, b)}, {@code AS (a int)}. */
  private boolean isNameList(int open) {
    if (open < 0
        || !tokens.get(open + 1).isIdentifier()
        || tokens.is(open + 1, "partition", "by")) {
      return false;
    }
    return tokens.is(open - 1, "as")
        || tokens.isCommonTable(tokens.afterClosing(open))
        || (tokens.get(open - 1).isIdentifier()
            && !operands.isExpressionStart(tokens.nameStart(open - 1))
            && !tokens.is(open - 2, "join"));
  }

  /** {@code f(…) AS x (name)}. */
  private boolean isListDefinition(int open, int index, String name) {
    return index == open + 1
        && tokens.isSymbol(index + 1, ")")
        && tokens.get(open - 1).isIdentifier()
        && isDefinition(open - 1, name);
  }
}
