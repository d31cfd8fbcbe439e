package dev.larder.sql;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;

/**
 * Finds by its tokens whether a query may read the clock through its grammar: current_date and its
 * like, constants with a word such as today, and casts to a date or time type of anything but a
 * constant or parameter, whose text may hold such a word. {@code timetz} reads the clock for the
 * offset of a zone in any case. (Functions are for the catalog to judge.)
 */
final class ClockRules {
  private static final Set<String> VALUE_FUNCTIONS =
      Set.of("current_date", "current_time", "current_timestamp", "localtime", "localtimestamp");
  private static final Set<String> TYPES =
      Set.of(
          ("date time timetz timestamp timestamptz daterange tsrange tstzrange datemultirange"
                  + " tsmultirange tstzmultirange _date _time _timetz _timestamp _timestamptz"
                  + " _daterange _tsrange _tstzrange _datemultirange _tsmultirange _tstzmultirange")
              .split(" "));

  /** Words that are not reserved, behind which a type's name is that of a column or table. */
  private static final Set<String> BEFORE_EXPRESSION =
      Set.of("by", "between", "like", "ilike", "join", "escape", "set");

  private final Tokens tokens;
  private final Deque<Integer> casts = new ArrayDeque<>();

  private ClockRules(Tokens tokens) {
    this.tokens = tokens;
  }

  static boolean mayReadClock(Tokens tokens) {
    return new ClockRules(tokens).mayReadClock();
  }

  /** Whether {@code name} is a type whose input may read the clock. */
  static boolean isType(String name) {
    return TYPES.contains(name);
  }

  private boolean mayReadClock() {
    for (int i = 0; i < tokens.size(); i++) {
      Token token = tokens.get(i);
      if (token.isSymbol("(")) {
        casts.push(tokens.is(i - 1, "cast") || tokens.is(i - 1, "treat") ? i : -1);
      } else if (token.isSymbol(")") && !casts.isEmpty()) {
        casts.pop();
      } else if (token.kind().isText()
          && ClockWords.inConstant(token.text(), 0, token.text().length(), token.kind())) {
        return true;
      } else if (token.kind().isName() && nameReadsClock(token, i)) {
        return true;
      }
    }
    return false;
  }

  private boolean nameReadsClock(Token token, int index) {
    boolean attribute = tokens.isSymbol(index - 1, ".");
    if (token.kind() == TokenKind.WORD && !attribute && VALUE_FUNCTIONS.contains(token.name())) {
      return true;
    }
    return TYPES.contains(token.name())
        && !tokens.is(index, "time", "zone")
        && typeReadsClock(token, index);
  }

  private boolean typeReadsClock(Token token, int index) {
    int head = tokens.isSymbol(index - 1, ".") ? index - 2 : index;
    Token before = tokens.get(head - 1);
    boolean cast = before.isSymbol("::") || isCastType(head);
    if (cast || isConstantPrefix(index)) {
      return isZonedTime(token, index) || (cast && !castsConstant(head));
    }
    if (head < index && !tokens.get(head).name().equals("pg_catalog")) {
      return tokens.isSymbol(index + 1, "(");
    }
    return tokens.isSymbol(index + 1, "(")
        || !(before.isReserved() || isOperand(before) || isSeparator(before))
        || before.is("returning");
  }

  /** Whether the type at {@code head} is the one of CAST (… AS type). */
  private boolean isCastType(int head) {
    return tokens.is(head - 1, "as") && !casts.isEmpty() && casts.element() >= 0;
  }

  private boolean castsConstant(int head) {
    Token operand = tokens.get(head - 2);
    if (!operand.isValue()) {
      return false;
    }
    return tokens.isSymbol(head - 1, "::") || casts.element() == head - 3;
  }

  /** Whether the type is followed by a constant: DATE '…', TIMESTAMP (3) WITH TIME ZONE '…'. */
  private boolean isConstantPrefix(int index) {
    return tokens.get(afterType(index)).kind().isText();
  }

  private boolean isZonedTime(Token token, int index) {
    return token.name().endsWith("timetz")
        || (token.name().equals("time") && tokens.is(afterPrecision(index), "with"));
  }

  private int afterType(int index) {
    int i = afterPrecision(index);
    boolean zoned =
        (tokens.is(i, "with") || tokens.is(i, "without")) && tokens.is(i + 1, "time", "zone");
    return zoned ? i + 3 : i;
  }

  private int afterPrecision(int index) {
    return tokens.isSymbol(index + 1, "(") ? tokens.afterClosing(index + 1) : index + 1;
  }

  /** Whether an expression begins behind {@code before}, so that what follows is a column. */
  private static boolean isOperand(Token before) {
    return before.kind() == TokenKind.OPERATOR
        || (before.kind() == TokenKind.WORD && BEFORE_EXPRESSION.contains(before.name()));
  }

  private static boolean isSeparator(Token before) {
    return before.isSymbol("(") || before.isSymbol(",") || before.isSymbol("[");
  }
}
