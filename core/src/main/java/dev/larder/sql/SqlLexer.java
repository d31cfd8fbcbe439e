package dev.larder.sql;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Lexes SQL into its shape and its literals, in one pass and without a parser, by the lexical rules
 * of PostgreSQL and, for {@code ?}, of its driver. Two texts with equal shape and equal literals
 * are the same statement to the server.
 *
 * <p>The shape's text has one space where two tokens need it and no comments. In SELECT, VALUES,
 * TABLE, WITH, INSERT, UPDATE, DELETE, MERGE and CALL it has {@code ''} for a string constant and
 * {@code 0} for a number. These stay as they are written: every literal of any other statement;
 * strings in which date and time input may read the clock (see {@link #mayReadClock}), by escapes
 * too; {@code U&'…'}, dollar-quoted and bit strings; strings continued over a newline; every string
 * of a text that names a {@code reg*} type; numbers without a space to the next word, which servers
 * of different versions read differently; a quote or comment that never ends. A text whose
 * parameters the driver and the server count differently is its own shape.
 *
 * <p>Hints are read from comments: {@code larder:off}, {@code larder:on}, {@code larder:ttl=30s}
 * (ms, s, m, h), {@code NO QUERY CACHE} and {@code FORCE QUERY CACHE}; a malformed one is an
 * ordinary comment, off beats on, and the shortest time to live wins.
 */
public final class SqlLexer {
  private final String sql;
  private final LexOptions options;
  private final boolean keepStrings;
  private final ShapeWriter shape;
  private String[] literals = {};
  private int literalCount;
  private int parameterCount;
  private @Nullable HintReader hints;
  private boolean extracts;
  private boolean afterWord;

  private SqlLexer(String sql, LexOptions options, boolean keepStrings) {
    this.sql = sql;
    this.options = options;
    this.keepStrings = keepStrings;
    this.shape = new ShapeWriter(sql);
  }

  /** Lexes {@code sql}; linear in its length; never throws for what the text holds. */
  public static StatementText lex(String sql, LexOptions options) {
    SqlLexer lexer = new SqlLexer(sql, options, false);
    if (!lexer.run()) {
      lexer = new SqlLexer(sql, options, true);
      lexer.run();
    }
    return lexer.result();
  }

  /**
   * Returns whether the input of a date or time type, or of an array, range or composite of one,
   * may read the clock for {@code text}: it holds now, today, tomorrow or yesterday as a whole run
   * of letters, in any case. Linear in its length.
   */
  public static boolean mayReadClock(String text) {
    return ClockWords.in(text, 0, text.length());
  }

  /** Returns false where the text names a reg* type, so that its strings have to stay. */
  private boolean run() {
    TokenScanner scanner = new TokenScanner(sql, options);
    boolean afterComment = false;
    boolean first = true;
    while (scanner.next()) {
      TokenKind kind = scanner.kind();
      if (kind == TokenKind.COMMENT) {
        readHint(scanner.start(), scanner.end());
        afterComment = true;
        continue;
      }
      if (!keepStrings && kind.isName() && RegTypes.isName(sql, scanner.start(), scanner.end())) {
        return false;
      }
      if (first) {
        extracts = Keywords.mayHoldLiterals(sql, scanner.start(), scanner.end());
      }
      emit(scanner, kind, scanner.isGlued() && !afterComment);
      first = kind == TokenKind.PUNCTUATION && scanner.is(';');
      afterComment = false;
    }
    return true;
  }

  private void emit(TokenScanner token, TokenKind kind, boolean glued) {
    boolean touching = glued && afterWord && touches(token.start(), kind);
    shape.separate(kind, token.start(), token.end(), touching);
    if (extracts && !touching && isExtracted(token, kind)) {
      addLiteral(sql.substring(token.start(), token.end()));
      shape.placeholder(kind == TokenKind.NUMBER);
    } else {
      shape.copy(token.start(), token.end());
    }
    afterWord = kind.isWordlike();
    if (kind == TokenKind.PARAMETER) {
      parameterCount++;
    }
  }

  /** Whether a token right behind a word, number or parameter may be a part of it. */
  private boolean touches(int start, TokenKind kind) {
    return kind.isWordlike() || Characters.isNamePart(sql.charAt(start));
  }

  private boolean isExtracted(TokenScanner token, TokenKind kind) {
    return switch (kind) {
      case NUMBER -> !runsIntoWord(token.end());
      case STRING ->
          !keepStrings && !token.isContinued() && !ClockWords.in(sql, token.start(), token.end());
      case ESCAPE_STRING ->
          !keepStrings
              && !token.isContinued()
              && !ClockWords.inConstant(sql, token.start(), token.end(), kind);
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

  private void readHint(int start, int end) {
    if (HintReader.mayBeHint(sql, start, end)) {
      if (hints == null) {
        hints = new HintReader();
      }
      hints.read(sql.substring(start, end));
    }
  }

  private StatementText result() {
    QueryHints queryHints = hints == null ? QueryHints.NONE : hints.hints();
    int count =
        options.prepared() ? ParameterCounter.count(sql, options.standardConformingStrings()) : 0;
    if (count != parameterCount) {
      return new StatementText(new StatementShape(sql, options, queryHints), List.of(), count);
    }
    return new StatementText(
        new StatementShape(shape.toString(), options, queryHints), literals(), count);
  }

  private List<String> literals() {
    return switch (literalCount) {
      case 0 -> List.of();
      case 1 -> List.of(literals[0]);
      case 2 -> List.of(literals[0], literals[1]);
      default -> List.of(Arrays.copyOf(literals, literalCount));
    };
  }
}
