package dev.larder.lexer;

import dev.larder.lexer.Token.Kind;
import java.util.Arrays;
import java.util.List;

/**
 * Lexes SQL into its shape and its literals, in one pass and without a parser, by the lexical rules
 * of PostgreSQL and, for {@code ?}, of its driver. Two texts with equal shape and equal literals
 * are the same statement to the server.
 *
 * <p>The shape's text has one space where two tokens need it and no comments, but an empty one
 * where nothing else stands before a semicolon or the end. In SELECT, VALUES, TABLE, WITH, INSERT,
 * UPDATE, DELETE, MERGE and CALL it has {@code ''} for a string constant and {@code 0} for a
 * number. These stay as they are written: every literal of any other statement; strings in which
 * date and time input may read the clock (see {@link #mayReadClock}), by escapes too; {@code
 * U&'…'}, dollar-quoted and bit strings; strings continued over a newline; numbers without a space
 * to the next word, which servers of different versions read differently; a quote or comment that
 * never ends. A text whose parameters the driver and the server count differently is its own shape.
 *
 * <p>Hints are read from comments: {@code larder:off}, {@code larder:on}, {@code larder:ttl=30s}
 * (ms, s, m, h), {@code NO QUERY CACHE} and {@code FORCE QUERY CACHE}; a malformed one is an
 * ordinary comment, off beats on, and the shortest time to live wins.
 */
public final class SqlLexer {
  private final String sql;
  private final LexOptions options;
  private final ShapeWriter shape;
  private String[] literals = {};
  private int literalCount;
  private int parameterCount;
  private QueryHints hints = QueryHints.NONE;
  private boolean extracts;
  private boolean afterWord;
  private boolean commentAsStatement;

  private SqlLexer(String sql, LexOptions options) {
    this.sql = sql;
    this.options = options;
    this.shape = new ShapeWriter(sql);
  }

  /** Lexes {@code sql}; linear in its length; never throws for what the text holds. */
  public static StatementText lex(String sql, LexOptions options) {
    SqlLexer lexer = new SqlLexer(sql, options);
    lexer.run();
    return lexer.result();
  }

  /**
   * Returns whether a string constant, written with its quotes, may read the clock as the text of
   * {@link #mayReadClock(String)} may.
   */
  public static boolean mayReadClock(Token constant) {
    return ClockWords.inConstant(constant.text(), 0, constant.text().length(), constant.kind());
  }

  /**
   * Returns whether the input of a date or time type, or of an array, range or composite of one,
   * may read the clock for {@code text}: it holds now, today, tomorrow or yesterday as a whole run
   * of letters, in any case. Linear in its length.
   */
  public static boolean mayReadClock(String text) {
    return ClockWords.in(text, 0, text.length());
  }

  private void run() {
    TokenScanner scanner = new TokenScanner(sql, options);
    boolean afterComment = false;
    boolean first = true;
    while (scanner.next()) {
      Kind kind = scanner.kind();
      if (kind == Kind.COMMENT) {
        hints = hints.and(sql, scanner.start(), scanner.end());
        afterComment = true;
        continue;
      }
      boolean semicolon = kind == Kind.PUNCTUATION && scanner.is(';');
      if (first && afterComment && semicolon) {
        commentAlone();
      }
      if (first) {
        extracts = mayHoldLiterals(sql, scanner.start(), scanner.end());
      }
      emit(scanner, kind, scanner.isGlued() && !afterComment);
      first = semicolon;
      afterComment = false;
    }
    if (first && afterComment) {
      commentAlone();
    }
  }

  /** A comment with nothing before the next semicolon: the driver sends it as a statement. */
  private void commentAlone() {
    shape.comment();
    commentAsStatement = true;
  }

  private void emit(TokenScanner token, Kind kind, boolean glued) {
    boolean touching = glued && afterWord && touches(token.start(), kind);
    shape.separate(kind, token.start(), token.end(), touching);
    if (extracts && !touching && isExtracted(token, kind)) {
      addLiteral(sql.substring(token.start(), token.end()));
      shape.placeholder(kind == Kind.NUMBER);
    } else {
      shape.copy(token.start(), token.end());
    }
    afterWord = kind.isWordlike();
    if (kind == Kind.PARAMETER) {
      parameterCount++;
    }
  }

  /** Whether a token right behind a word, number or parameter may be a part of it. */
  private boolean touches(int start, Kind kind) {
    return kind.isWordlike() || Characters.isNamePart(sql.charAt(start));
  }

  private boolean isExtracted(TokenScanner token, Kind kind) {
    return switch (kind) {
      case NUMBER -> !runsIntoWord(token.end());
      case STRING, ESCAPE_STRING -> !ClockWords.inConstant(sql, token.start(), token.end(), kind);
      default -> false;
    };
  }

  /** Whether a number touches what follows it. */
  private boolean runsIntoWord(int end) {
    if (end >= sql.length()) {
      return false;
    }
    char c = sql.charAt(end);
    char next = end + 1 < sql.length() ? sql.charAt(end + 1) : '\0';
    return Characters.isNamePart(c)
        || (c == '.' && Characters.isDigit(next))
        || (c == '?' && options.prepared() && next != '?');
  }

  private void addLiteral(String literal) {
    if (literalCount == literals.length) {
      literals = Arrays.copyOf(literals, Math.max(4, 2 * literalCount));
    }
    literals[literalCount++] = literal;
  }

  private StatementText result() {
    int count =
        options.prepared() ? ParameterCounter.count(sql, options.standardConformingStrings()) : 0;
    boolean alike = count == parameterCount;
    String text = alike ? shape.toString() : sql;
    return new StatementText(
        new StatementShape(text, options, hints, commentAsStatement),
        alike ? literals() : List.of(),
        count);
  }

  private List<String> literals() {
    return switch (literalCount) {
      case 0 -> List.of();
      case 1 -> List.of(literals[0]);
      case 2 -> List.of(literals[0], literals[1]);
      default -> List.of(Arrays.copyOf(literals, literalCount));
    };
  }

  /** Returns whether a statement that begins so has its literals taken out. */
  private static boolean mayHoldLiterals(String sql, int start, int end) {
    return switch (end - start) {
      case 1 -> sql.charAt(start) == '(';
      case 4 -> is(sql, start, "with") || is(sql, start, "call");
      case 5 -> is(sql, start, "table") || is(sql, start, "merge");
      case 6 ->
          is(sql, start, "select")
              || is(sql, start, "insert")
              || is(sql, start, "update")
              || is(sql, start, "delete")
              || is(sql, start, "values");
      default -> false;
    };
  }

  private static boolean is(String sql, int start, String word) {
    return sql.regionMatches(true, start, word, 0, word.length());
  }
}
