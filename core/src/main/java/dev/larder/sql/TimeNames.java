package dev.larder.sql;

import java.util.Set;
import java.util.function.IntPredicate;

/**
 * Looks at every place of a statement where a name stands: what calls itself so there is a
 * reference to a column, or is proven a date or a time by {@link TimeOperands}. A place that may
 * define the name in any other way, as an alias, a column of a list or of a document, a common
 * table or a field of a row, is not.
 */
final class TimeNames {
  private static final Set<String> BEFORE_DEFINITION =
      Set.of("select", "distinct", "from", "join", "lateral");

  /** Types besides those of dates and times of which no cast makes a text that keeps its name. */
  private static final Set<String> NO_TEXTS =
      Set.of(
          ("bigint bool boolean bytea dec decimal double float float4 float8 int int2 int4 int8"
                  + " integer interval json jsonb numeric oid real smallint uuid")
              .split(" "));

  private final Tokens tokens;
  private final TimeOperands operands;

  TimeNames(Tokens tokens, TimeOperands operands) {
    this.tokens = tokens;
    this.operands = operands;
  }

  /** Returns whether all that is called {@code name} are references and dates or times. */
  boolean areTimes(String name) {
    if (becomesText(name)) {
      return false;
    }
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

  /**
   * Whether a column of a subquery may be called {@code name} without its being written, and be a
   * text: a cast is called like its operand, CASE like its ELSE, a subquery like its column.
   */
  private boolean becomesText(String name) {
    int selects = 0;
    boolean found = false;
    for (int i = 0; i < tokens.size(); i++) {
      selects += tokens.is(i, "select") ? 1 : 0;
      found = found || (isCastToText(i) && mayName(operandStart(i), operandEnd(i), name));
    }
    return found && selects > 1;
  }

  private boolean isCastToText(int index) {
    int type = -1;
    if (tokens.isSymbol(index, "::")) {
      type = index + 1;
    } else if (tokens.is(index, "cast") && tokens.isSymbol(index + 1, "(")) {
      type = operandEnd(index) + 1;
    }
    if (type < 0) {
      return false;
    }
    Token last = tokens.get(tokens.afterName(type) - 1);
    boolean known = last.kind() == TokenKind.WORD && NO_TEXTS.contains(last.name());
    return !known && !ClockRules.isType(last.name());
  }

  /** Returns where the operand of {@code ::} or CAST begins, or something before that. */
  private int operandStart(int cast) {
    if (tokens.is(cast, "cast")) {
      return cast + 2;
    }
    return back(cast, this::isBoundary);
  }

  /** Returns what is next behind the last boundary before {@code end}, brackets left out. */
  private int back(int end, IntPredicate boundary) {
    int start = end;
    while (start > 0 && !boundary.test(start - 1)) {
      boolean closing = tokens.isSymbol(start - 1, ")") || tokens.isSymbol(start - 1, "]");
      start = closing ? Math.max(tokens.opening(start - 1), 0) : start - 1;
    }
    return start;
  }

  private int operandEnd(int cast) {
    if (!tokens.is(cast, "cast")) {
      return cast;
    }
    int as = tokens.afterClosing(cast + 1) - 1;
    while (as > cast && !tokens.is(as, "as")) {
      as--;
    }
    return as;
  }

  private boolean isBoundary(int index) {
    Token token = tokens.get(index);
    return token.isSymbol(",")
        || token.isSymbol("(")
        || token.isSymbol("[")
        || token.kind() == TokenKind.OPERATOR
        || (token.isReserved() && !token.is("end") && !tokens.is(index, "with", "time"));
  }

  /** Whether an expression may be called {@code name}; what a function returns is not. */
  private boolean mayName(int from, int to, String name) {
    for (int i = from; i < to; i++) {
      Token token = tokens.get(i);
      if (token.is("end") || (token.kind().isName() && token.name().equals(name))) {
        return true;
      }
      if (token.isIdentifier() && tokens.isSymbol(i + 1, "(")) {
        i = tokens.afterClosing(i + 1) - 1;
      }
    }
    return false;
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
    return back(index, i -> tokens.isSymbol(i, "(") || tokens.isSymbol(i, "[")) - 1;
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
