package dev.larder.sql;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Proves of operands that they are dates, times or numbers before they are cast, and no texts that
 * may hold a word such as today. The text shows it of a function such as {@code date_trunc}, of a
 * sum, of AT TIME ZONE and of a cast; of a column it shows the name only, and that nothing else in
 * the statement is called so. That every column of this name is a date or time is left for the
 * catalog to find. Whatever is not recognized is not proven.
 */
final class TimeOperands {
  /** Functions that never return a text. */
  private static final Set<String> TIMES =
      Set.of(
          "date_add",
          "date_bin",
          "date_subtract",
          "date_trunc",
          "generate_series",
          "make_date",
          "make_timestamp",
          "make_timestamptz",
          "timezone",
          "to_date",
          "to_timestamp");

  /** Functions that return what they are given. */
  private static final Set<String> SAME =
      Set.of(
          "any_value",
          "coalesce",
          "first_value",
          "greatest",
          "lag",
          "last_value",
          "lead",
          "least",
          "max",
          "min",
          "nullif");

  /** Names that columns of functions and of VALUES have without being called so. */
  private static final Set<String> UNWRITTEN =
      Set.of(
          "?column?",
          "alias",
          "description",
          "key",
          "lexeme",
          "ordinality",
          "positions",
          "segment_number",
          "timeline_id",
          "token",
          "tokid",
          "value",
          "weights");

  /** What stands before an expression, besides operators and brackets. */
  private static final Set<String> BEFORE_EXPRESSION =
      Set.of(
          "and",
          "between",
          "by",
          "case",
          "distinct",
          "else",
          "escape",
          "from",
          "having",
          "ilike",
          "like",
          "not",
          "on",
          "or",
          "select",
          "then",
          "when",
          "where");

  /** Nothing is proven of longer statements: the time and the stack that it takes are bounded. */
  static final int MAX_TOKENS = 1_000;

  private final Tokens tokens;

  /** The names relied upon, and whether the statement itself defines them. */
  private final Map<String, Boolean> names = new HashMap<>();

  private final Deque<String> unchecked = new ArrayDeque<>();

  private boolean proven;

  TimeOperands(Tokens tokens) {
    this.tokens = tokens;
  }

  /**
   * Returns the names of columns that must be dates or times for the proofs to hold; true for those
   * that the statement defines, which need not be in a table as well. Null where nothing was
   * proven.
   */
  @Nullable Map<String, Boolean> names() {
    return proven ? names : null;
  }

  /** Returns whether the operand that ends before {@code end}, as that of {@code ::}, is proven. */
  boolean proveBefore(int end) {
    int start = tokens.size() > MAX_TOKENS ? -1 : start(end);
    return start >= 0 && prove(start, end);
  }

  /** Returns whether the expression from {@code from} to before {@code to} is proven. */
  boolean prove(int from, int to) {
    proven = true;
    if (tokens.size() > MAX_TOKENS || !isTime(from, to)) {
      return false;
    }
    while (!unchecked.isEmpty()) {
      if (!new TimeNames(tokens, this).areTimes(unchecked.pop())) {
        return false;
      }
    }
    return true;
  }

  /** Returns where the operand of a cast begins, or -1 where that is not clear. */
  private int start(int end) {
    Token last = tokens.get(end - 1);
    if (last.isSymbol(")")) {
      int open = tokens.opening(end - 1);
      Token before = tokens.get(open - 1);
      return before.isIdentifier() || before.is("cast") ? tokens.nameStart(open - 1) : open;
    }
    if (!last.isIdentifier()) {
      return -1;
    }
    int start = tokens.nameStart(end - 1);
    boolean type = tokens.isSymbol(start - 1, "::");
    return type ? start(start - 1) : isExpressionStart(start) ? start : -1;
  }

  /** Returns whether the expression is proven, if the names that it adds to {@link #names} are. */
  boolean isTime(int from, int to) {
    if (from < 0 || from >= to) {
      return false;
    }
    if (tokens.isSymbol(from, "(") && tokens.afterClosing(from) == to) {
      return isTime(from + 1, to - 1);
    }
    List<Integer> cuts = new ArrayList<>();
    boolean product = false;
    int cast = -1;
    boolean zone = false;
    for (int i = from; i < to; i = after(i)) {
      Token token = tokens.get(i);
      if (token.isSymbol("+") || token.isSymbol("-")) {
        cuts.add(i);
      } else if (token.isSymbol("*") || token.isSymbol("/")) {
        product = true;
      } else if (token.isSymbol("::")) {
        cast = i;
      } else if (!isPlain(token, i, from)) {
        return false;
      }
      zone |= i > from && tokens.is(i, "at", "time", "zone");
    }
    if (!cuts.isEmpty()) {
      return isSum(from, to, cuts);
    }
    return !product
        && (zone || (cast >= 0 ? isTimeType(cast + 1) : isCall(from, to) || isName(from, to)));
  }

  /**
   * Whether a token outside of brackets is part of an operand, and neither grammar nor operator.
   */
  private boolean isPlain(Token token, int index, int from) {
    return token.isValue()
        || token.isSymbol(".")
        || token.isSymbol("(")
        || (token.isIdentifier() && !token.name().equals("operator"))
        || (index == from && token.is("cast"));
  }

  private int after(int index) {
    boolean bracket = tokens.isSymbol(index, "(") || tokens.isSymbol(index, "[");
    return bracket ? tokens.afterClosing(index) : index + 1;
  }

  /** A sum or difference with a date or time in it is a date, a time or a number. */
  private boolean isSum(int from, int to, List<Integer> cuts) {
    boolean time = false;
    int start = from;
    for (int i = 0; i <= cuts.size(); i++) {
      int end = i < cuts.size() ? cuts.get(i) : to;
      if (start >= end) {
        return false;
      }
      time = time || isTime(start, end);
      start = end + 1;
    }
    return time;
  }

  private boolean isTimeType(int index) {
    return ClockRules.isType(tokens.get(tokens.afterName(index) - 1).name());
  }

  private boolean isCall(int from, int to) {
    int open = tokens.is(from, "cast") ? from + 1 : tokens.afterName(from);
    if (!tokens.isSymbol(open, "(") || tokens.afterClosing(open) != to) {
      return isConstant(from, to);
    }
    if (tokens.is(from, "cast")) {
      int as = to - 1;
      while (as > open && !tokens.is(as, "as")) {
        as--;
      }
      return as > open && isTimeType(as + 1);
    }
    if (open - from > 1 && !tokens.get(from).name().equals("pg_catalog")) {
      return false;
    }
    String name = tokens.get(open - 1).name();
    return TIMES.contains(name)
        || ClockRules.isType(name)
        || (SAME.contains(name) && isTime(open + 1, endOfArgument(open + 1, to - 1)));
  }

  /** DATE '…', TIMESTAMP WITH TIME ZONE '…', INTERVAL '…'. */
  private boolean isConstant(int from, int to) {
    String type = tokens.get(from).name();
    return to - from > 1
        && tokens.get(to - 1).kind().isText()
        && (type.equals("interval") || ClockRules.isType(type));
  }

  private int endOfArgument(int from, int to) {
    int i = from;
    while (i < to && !tokens.isSymbol(i, ",")) {
      i = after(i);
    }
    return i;
  }

  private boolean isName(int from, int to) {
    Token last = tokens.get(to - 1);
    if (tokens.afterName(from) != to || !last.isIdentifier() || !isExpressionStart(from)) {
      return false;
    }
    String name = last.name();
    if (UNWRITTEN.contains(name) || name.startsWith("column")) {
      return false;
    }
    if (names.putIfAbsent(name, false) == null) {
      unchecked.push(name);
    }
    return true;
  }

  /** Notes that the statement itself defines {@code name}. */
  void defines(String name) {
    names.put(name, true);
  }

  /** Returns whether an expression may begin at {@code index}, and no alias. */
  boolean isExpressionStart(int index) {
    Token before = tokens.get(index - 1);
    return before.kind() == TokenKind.OPERATOR
        || before.isSymbol("(")
        || before.isSymbol(",")
        || before.isSymbol("[")
        || (before.kind() == TokenKind.WORD && BEFORE_EXPRESSION.contains(before.name()));
  }
}
