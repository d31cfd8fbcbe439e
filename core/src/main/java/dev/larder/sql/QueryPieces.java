package dev.larder.sql;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Takes a query apart where it is nested, so that the parser, whose looking ahead takes a time that
 * is exponential in the nesting, is given pieces that are nested little: a subquery becomes a piece
 * of its own, with {@code SELECT 0} in its place, and so do joins and expressions within brackets.
 * What the query is made of is in its pieces; each token is in one of them.
 */
final class QueryPieces {
  /** Brackets within brackets, or CASE, that a piece may hold. */
  private static final int MAX_DEPTH_OF_PIECE = 2;

  /** Brackets within brackets, or CASE, that a query may hold. */
  private static final int MAX_DEPTH = 40;

  /** What stands between expressions within brackets, or within CASE. */
  private static final Set<String> BETWEEN =
      Set.of(
          "as",
          "asc",
          "both",
          "by",
          "desc",
          "else",
          "for",
          "from",
          "groups",
          "leading",
          "nulls",
          "on",
          "order",
          "partition",
          "placing",
          "range",
          "rows",
          "then",
          "trailing",
          "using",
          "when",
          "where");

  /** What may stand before an expression, as the first word within brackets. */
  private static final Set<String> FIRST = Set.of("all", "distinct", "variadic");

  private static final Set<String> QUERY = Set.of("select", "table", "values", "with");

  /** What shows that what begins with a bracket is a query and no expression. */
  private static final Set<String> OF_QUERIES =
      Set.of("except", "fetch", "intersect", "limit", "offset", "union");

  private static final Token SELECT = new Token(TokenKind.WORD, "select", "select");
  private static final Token FROM = new Token(TokenKind.WORD, "from", "from");
  private static final Token ZERO = new Token(TokenKind.NUMBER, "0", "0");
  private static final Token COLUMN = new Token(TokenKind.QUOTED_NAME, "\"piece\"", "piece");

  /** Stands for a function that rows come from. */
  private static final List<Token> CALL =
      List.of(
          COLUMN,
          new Token(TokenKind.PUNCTUATION, "(", "("),
          new Token(TokenKind.PUNCTUATION, ")", ")"));

  private final List<Tokens> pieces = new ArrayList<>();
  private final Deque<Group> open = new ArrayDeque<>();

  private QueryPieces() {}

  /** Returns the pieces of the query, or null where brackets do not match or are too many. */
  static @Nullable List<Tokens> of(Tokens query) {
    QueryPieces pieces = new QueryPieces();
    Group all = new Group("", 0);
    pieces.open.push(all);
    for (int i = 0; i < query.size(); i++) {
      if (!pieces.add(query, i)) {
        return null;
      }
    }
    if (pieces.open.size() != 1) {
      return null;
    }
    pieces.pieces.add(new Tokens(all.tokens));
    return pieces.pieces;
  }

  private boolean add(Tokens query, int index) {
    Token token = query.get(index);
    boolean attribute = query.isSymbol(index - 1, ".");
    Group group = open.getFirst();
    if (token.isSymbol("(") || token.isSymbol("[") || (token.is("case") && !attribute)) {
      group.add(token);
      open.push(new Group(token.name(), pieces.size()));
      return open.size() - 1 <= MAX_DEPTH;
    }
    if (token.isSymbol(")") || token.isSymbol("]") || (token.is("end") && !attribute)) {
      if (!group.isClosedBy(token)) {
        return false;
      }
      open.pop();
      return close(group, token);
    }
    group.add(token);
    return true;
  }

  private boolean close(Group group, Token closing) {
    Group around = open.getFirst();
    if (QueryParser.isSpecial(around.last(1)) && group.opening.equals("(")) {
      pieces.subList(group.firstPiece, pieces.size()).clear();
      group.replace(ZERO);
    } else if (group.depth >= MAX_DEPTH_OF_PIECE) {
      cut(group);
    }
    around.add(group, closing);
    return around.depth <= MAX_DEPTH_OF_PIECE;
  }

  private void cut(Group group) {
    Group around = open.getFirst();
    boolean distinctOn = around.last(1).is("on") && around.last(2).is("distinct");
    if (!distinctOn && group.isQuery()) {
      pieces.add(new Tokens(List.copyOf(group.tokens)));
      group.replace(SELECT, ZERO);
    } else if (group.isJoin()) {
      List<Token> join = new ArrayList<>(List.of(SELECT, ZERO, FROM));
      join.addAll(group.tokens);
      pieces.add(new Tokens(join));
      group.replace(SELECT, ZERO);
    } else {
      boolean rows = around.last(1).is("from");
      cutExpressions(group, rows ? CALL : List.of(COLUMN));
    }
  }

  private void cutExpressions(Group group, List<Token> replacement) {
    List<Token> rest = new ArrayList<>();
    List<Token> expression = new ArrayList<>(List.of(SELECT));
    int depth = 0;
    boolean brackets = false;
    for (int i = 0; i <= group.tokens.size(); i++) {
      Token token = i < group.tokens.size() ? group.tokens.get(i) : Token.END;
      if (i < group.tokens.size() && (depth > 0 || !group.isBetween(i))) {
        expression.add(token);
        depth += Group.depthOf(token, group.tokens, i);
        brackets |= depth > 0;
        continue;
      }
      boolean type = !rest.isEmpty() && rest.get(rest.size() - 1).is("as");
      if (brackets && !type) {
        pieces.add(new Tokens(expression));
        rest.addAll(replacement);
      } else {
        rest.addAll(expression.subList(1, expression.size()));
      }
      if (i < group.tokens.size()) {
        rest.add(token);
      }
      expression = new ArrayList<>(List.of(SELECT));
      brackets = false;
    }
    group.replace(rest.toArray(Token[]::new));
  }

  /** What stands between two brackets that are not closed yet, or between CASE and END. */
  private static final class Group {
    private final String opening;

    /** How many pieces there were before it. */
    private final int firstPiece;

    private final List<Token> tokens = new ArrayList<>();

    /** How deep the brackets in it are nested. */
    private int depth;

    Group(String opening, int firstPiece) {
      this.opening = opening;
      this.firstPiece = firstPiece;
    }

    void add(Token token) {
      tokens.add(token);
    }

    void add(Group inner, Token closing) {
      tokens.addAll(inner.tokens);
      tokens.add(closing);
      depth = Math.max(depth, inner.depth + 1);
    }

    /** Returns the last token but {@code offset}. */
    Token last(int offset) {
      int index = tokens.size() - 1 - offset;
      return index < 0 ? Token.END : tokens.get(index);
    }

    boolean isClosedBy(Token closing) {
      return switch (opening) {
        case "(" -> closing.isSymbol(")");
        case "[" -> closing.isSymbol("]");
        case "case" -> closing.is("end");
        default -> false;
      };
    }

    void replace(Token... replacement) {
      tokens.clear();
      tokens.addAll(List.of(replacement));
      depth = 0;
      int level = 0;
      for (int i = 0; i < tokens.size(); i++) {
        level += depthOf(tokens.get(i), tokens, i);
        depth = Math.max(depth, level);
      }
    }

    static int depthOf(Token token, List<Token> tokens, int index) {
      boolean attribute = index > 0 && tokens.get(index - 1).isSymbol(".");
      if (token.isSymbol("(") || token.isSymbol("[") || (token.is("case") && !attribute)) {
        return 1;
      }
      boolean closes = token.isSymbol(")") || token.isSymbol("]");
      return closes || (token.is("end") && !attribute) ? -1 : 0;
    }

    boolean isQuery() {
      if (!opening.equals("(")) {
        return false;
      }
      int first = 0;
      while (first < tokens.size() && tokens.get(first).isSymbol("(")) {
        first++;
      }
      Token token = first < tokens.size() ? tokens.get(first) : Token.END;
      boolean query = token.kind() == TokenKind.WORD && QUERY.contains(token.name());
      return query && (first == 0 || holdsAtTop(OF_QUERIES) || isInBrackets());
    }

    boolean isJoin() {
      return opening.equals("(") && holdsAtTop(Set.of("join"));
    }

    private boolean holdsAtTop(Set<String> words) {
      int level = 0;
      for (int i = 0; i < tokens.size(); i++) {
        Token token = tokens.get(i);
        level += depthOf(token, tokens, i);
        if (level == 0 && token.kind() == TokenKind.WORD && words.contains(token.name())) {
          return true;
        }
      }
      return false;
    }

    /** Whether the bracket that it begins with is closed by its last token. */
    private boolean isInBrackets() {
      return new Tokens(tokens).afterClosing(0) == tokens.size();
    }

    /** Whether the token outside of inner brackets is no part of an expression. */
    boolean isBetween(int index) {
      Token token = tokens.get(index);
      if (token.kind() != TokenKind.WORD) {
        return token.isSymbol(",")
            || token.isSymbol(":")
            || token.isSymbol("=>")
            || token.isSymbol(":=");
      }
      boolean distinctFrom = token.is("from") && index > 1 && tokens.get(index - 1).is("distinct");
      return (BETWEEN.contains(token.name()) && !distinctFrom)
          || (index == 0 && FIRST.contains(token.name()));
    }
  }
}
