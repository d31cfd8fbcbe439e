package dev.larder.sql;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds by its tokens whether a query may read the clock through its grammar: current_date and its
 * like, constants with a word such as today, the age of one value, and casts to a date or time type
 * of what may be a text that holds such a word: of anything but constants, parameters and what
 * {@link TimeOperands} proves. {@code timetz} reads the clock for the offset of a zone in any case.
 * (Other functions are for the catalog to judge.)
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

  /** Those of them that a column of a document may be called. */
  private static final Set<String> COLUMN_NAMES = Set.of("by", "between", "escape", "set");

  private final Tokens tokens;
  private final TimeOperands operands;
  private final boolean documents;
  private final Deque<Integer> casts = new ArrayDeque<>();

  ClockRules(Tokens tokens) {
    this.tokens = tokens;
    this.operands = new TimeOperands(tokens);
    this.documents = Names.readsDocuments(tokens);
  }

  /**
   * Returns the names of columns that must be dates or times for {@link #mayReadClock} to be right;
   * true for those that need not be columns of a table. Null where there is nothing to be right in.
   */
  @Nullable Map<String, Boolean> timeColumns() {
    return operands.names();
  }

  /** Whether {@code name} is a type whose input may read the clock. */
  static boolean isType(String name) {
    return TYPES.contains(name);
  }

  /** Returns whether the query may read the clock. */
  boolean mayReadClock() {
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
    if (token.name().equals("age") && tokens.isSymbol(index + 1, "(")) {
      return !hasArguments(index + 1);
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
      return isZonedTime(token, index) || (cast && !castsConstant(head) && !castsTime(head));
    }
    if (tokens.isSymbol(index + 1, "(")) {
      return !convertsTime(token, index);
    }
    if (head < index && !tokens.get(head).name().equals("pg_catalog")) {
      return false;
    }
    return !(before.isReserved() || isOperand(before) || isSeparator(before))
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

  private boolean castsTime(int head) {
    return tokens.isSymbol(head - 1, "::")
        ? operands.proveBefore(head - 1)
        : operands.prove(casts.element() + 1, head - 1);
  }

  /** Whether {@code date (…)} is the call of a function, or converts what is no text. */
  private boolean convertsTime(Token token, int index) {
    return !token.name().endsWith("timetz")
        && (hasArguments(index + 1)
            || operands.prove(index + 2, tokens.afterClosing(index + 1) - 1));
  }

  /** Whether there is more than one argument in the brackets; not looked for in long statements. */
  private boolean hasArguments(int open) {
    if (tokens.size() > TimeOperands.MAX_TOKENS) {
      return false;
    }
    int end = tokens.afterClosing(open) - 1;
    for (int i = open + 1; i < end; i++) {
      if (tokens.isSymbol(i, "(") || tokens.isSymbol(i, "[")) {
        i = tokens.afterClosing(i) - 1;
      } else if (tokens.isSymbol(i, ",")) {
        return true;
      }
    }
    return false;
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
    boolean precise = tokens.isSymbol(index + 1, "(") && tokens.isSymbol(index + 3, ")");
    return precise ? index + 4 : index + 1;
  }

  /** Whether an expression begins behind {@code before}, so that what follows is a column. */
  private boolean isOperand(Token before) {
    return before.kind() == TokenKind.OPERATOR
        || (before.kind() == TokenKind.WORD
            && BEFORE_EXPRESSION.contains(before.name())
            && !(documents && COLUMN_NAMES.contains(before.name())));
  }

  private static boolean isSeparator(Token before) {
    return before.isSymbol("(") || before.isSymbol(",") || before.isSymbol("[");
  }
}
