package dev.larder.analysis;

import dev.larder.lexer.Token;
import dev.larder.lexer.Token.Kind;
import dev.larder.lexer.Tokens;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;
import java.util.Set;

/**
 * The places of a query where a name is a column or an alias for sure, and so neither a table nor a
 * type. It reads from left to right, and knows for each bracket whether a FROM has begun in it or
 * around it. Behind FROM whatever follows a comma or an opening bracket may be a table.
 */
final class ColumnPlaces {
  /** Words that an expression follows. */
  private static final Set<String> BEFORE =
      Set.of(
          "and case distinct else having ilike like limit not offset on or select then when where"
              .split(" "));

  /** The same, but a column in a list behind the call of a function may be called so. */
  private static final Set<String> BEFORE_OUTSIDE_FROM = Set.of("between", "by");

  /** Words that may follow a column. No type is followed by one, nor a constant of a type. */
  private static final Set<String> BEHIND =
      Set.of(
          ("and as asc at between collate desc else end except fetch for from group having ilike in"
                  + " intersect is isnull like limit not notnull nulls offset or order then union"
                  + " when where window")
              .split(" "));

  /** Words that end a FROM. */
  private static final Set<String> AFTER_FROM =
      Set.of(
          "except fetch for group having intersect limit offset order union where window"
              .split(" "));

  /** Words behind the alias of a table. */
  private static final Set<String> BEHIND_ALIAS =
      Set.of("cross", "full", "inner", "join", "left", "natural", "on", "right", "using");

  /** Words before a table that may be names as well. */
  private static final Set<String> JOINS = Set.of("join", "tablesample");

  private enum From {
    /** None has begun, or it has ended. */
    NO,
    /** One around this bracket goes on, or IS DISTINCT FROM looks like one. */
    AROUND,
    /** One of this bracket goes on. */
    YES
  }

  private final Tokens tokens;
  private final BitSet places = new BitSet();
  private final Deque<From> brackets = new ArrayDeque<>();

  ColumnPlaces(Tokens tokens) {
    this.tokens = tokens;
    From from = From.NO;
    for (int i = 0; i < tokens.size(); i++) {
      int depth = tokens.get(i).depth();
      if (depth > 0) {
        brackets.push(from);
        from = from == From.NO ? From.NO : From.AROUND;
      } else if (depth < 0) {
        from = brackets.isEmpty() ? From.AROUND : brackets.pop();
      } else if (tokens.isSymbol(i - 1, ".")) {
        places.set(i, places.get(Math.max(0, i - 2)));
      } else if (tokens.is(i, "from")) {
        boolean distinct = tokens.is(i - 1, "distinct") && from != From.YES;
        from = distinct ? From.AROUND : From.YES;
      } else if (isWord(i, AFTER_FROM)) {
        from = From.NO;
      } else {
        places.set(i, tokens.get(i).isIdentifier() && isColumn(i, from));
      }
    }
  }

  /** Whether the name there, or the longer name that it is part of, is a column or an alias. */
  boolean has(int index) {
    return places.get(index);
  }

  private boolean isColumn(int index, From from) {
    int end = tokens.afterName(index);
    return switch (from) {
      case NO -> isOperand(index, end, from) || isLabel(index, end);
      case AROUND -> isOperand(index, end, from);
      case YES -> isOperand(index, end, from) || isAlias(index, end);
    };
  }

  private boolean isOperand(int index, int end, From from) {
    Token before = tokens.get(index - 1);
    boolean outside = from == From.NO;
    boolean begins =
        (before.kind() == Kind.OPERATOR && !before.isSymbol("::"))
            || isWord(index - 1, BEFORE)
            || (outside && isWord(index - 1, BEFORE_OUTSIDE_FROM))
            || (outside && (before.isSymbol("(") || before.isSymbol(",")))
            || (before.isSymbol("(") && tokens.is(index - 2, "using"));
    boolean wholeRow = tokens.isSymbol(end, ".") && tokens.isSymbol(end + 1, "*");
    return begins
        && (wholeRow
            || tokens.isSymbol(end, "::")
            || tokens.get(end).kind() == Kind.OPERATOR
            || endsItem(end)
            || isWord(end, BEHIND));
  }

  /** Whether it is what a value is called: behind the type in CAST (a AS b) the bracket ends. */
  private boolean isLabel(int index, int end) {
    boolean ends = tokens.isSymbol(end, ",") || tokens.is(end, "from") || end == tokens.size();
    return tokens.is(index - 1, "as") && !tokens.isSymbol(index - 2, ".") && ends;
  }

  /** Whether it is the alias of a table: a list of columns with types has no FROM of its own. */
  private boolean isAlias(int index, int end) {
    int before = tokens.is(index - 1, "as") ? index - 2 : index - 1;
    return tokens.get(before).isIdentifier()
        && !isWord(before, JOINS)
        && end == index + 1
        && (endsItem(end) || isWord(end, AFTER_FROM) || isWord(end, BEHIND_ALIAS));
  }

  private boolean endsItem(int index) {
    Token token = tokens.get(index);
    return token.kind() == Kind.END || token.isSymbol(",") || token.isSymbol(")");
  }

  /** Whether a word stands there that is one of these, and no name behind a dot. */
  private boolean isWord(int index, Set<String> words) {
    Token token = tokens.get(index);
    return token.kind() == Kind.WORD
        && words.contains(token.name())
        && !tokens.isSymbol(index - 1, ".");
  }
}
