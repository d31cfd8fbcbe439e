package dev.larder.lexer;

import dev.larder.lexer.Token.Kind;

/**
 * Walks over the tokens of a text by the rules of PostgreSQL's scanner (scan.l), without
 * allocating: after {@link #next} the token is in the fields. One pass; never throws for what the
 * text holds. Not thread-safe.
 */
final class TokenScanner {
  private final String sql;
  private final int length;
  private final boolean prepared;
  private final boolean backslashEscapes;

  private Kind kind = Kind.END;
  private int start;
  private int end;
  private boolean glued;

  /** The run of operator characters seen last: its end, and the last of two kinds in it. */
  private int runEnd;

  private int lastSpecial = -1;
  private int lastUnsigned = -1;

  TokenScanner(String sql, LexOptions options) {
    this.sql = sql;
    this.length = sql.length();
    this.prepared = options.prepared();
    this.backslashEscapes = !options.standardConformingStrings();
  }

  Kind kind() {
    return kind;
  }

  int start() {
    return start;
  }

  int end() {
    return end;
  }

  /** Whether the token follows the one before it without a space. */
  boolean isGlued() {
    return glued;
  }

  /** Whether the token is this one character. */
  boolean is(char c) {
    return end - start == 1 && sql.charAt(start) == c;
  }

  /** Moves to the next token; false at the end of the text. */
  boolean next() {
    int i = end;
    while (i < length && Characters.isSpace(sql.charAt(i))) {
      i++;
    }
    glued = i == end;
    start = i;
    if (i >= length) {
      kind = Kind.END;
      end = i;
      return false;
    }
    scan(sql.charAt(i));
    return true;
  }

  private void scan(char c) {
    if (Characters.isNameStart(c)) {
      scanWord(c);
    } else if (Characters.isDigit(c) || (c == '.' && Characters.isDigit(at(start + 1)))) {
      token(Kind.NUMBER, Characters.endOfNumber(sql, start));
    } else {
      scanSymbol(c);
    }
  }

  private void scanSymbol(char c) {
    switch (c) {
      case '\'' -> scanQuoted(backslashEscapes ? Kind.ESCAPE_STRING : Kind.STRING, start, '\'');
      case '"' -> scanQuoted(Kind.QUOTED_NAME, start, '"');
      case '$' -> scanDollar();
      case '(', ')', '[', ']', ',', ';' -> token(Kind.PUNCTUATION, start + 1);
      case '.' -> token(Kind.PUNCTUATION, start + (at(start + 1) == '.' ? 2 : 1));
      case ':' ->
          token(Kind.PUNCTUATION, start + (at(start + 1) == ':' || at(start + 1) == '=' ? 2 : 1));
      default -> scanOperator(c);
    }
  }

  private void scanWord(char c) {
    char next = at(start + 1);
    if (next == '\'') {
      switch (c) {
        case 'e', 'E' -> scanQuoted(Kind.ESCAPE_STRING, start + 1, '\'');
        case 'b', 'B', 'x', 'X' -> scanQuoted(Kind.BIT_STRING, start + 1, '\'');
        case 'n', 'N' ->
            scanQuoted(backslashEscapes ? Kind.ESCAPE_STRING : Kind.STRING, start + 1, '\'');
        default -> token(Kind.WORD, start + 1);
      }
      return;
    }
    if (next == '&' && (c == 'u' || c == 'U') && at(start + 2) == '\'') {
      scanQuoted(Kind.UNICODE_STRING, start + 2, '\'');
    } else if (next == '&' && (c == 'u' || c == 'U') && at(start + 2) == '"') {
      scanQuoted(Kind.UNICODE_NAME, start + 2, '"');
    } else {
      token(Kind.WORD, endOfWord());
    }
  }

  private int endOfWord() {
    String text = sql;
    int end = text.length();
    int i = start + 1;
    while (i < end && Characters.isNamePart(text.charAt(i))) {
      i++;
    }
    return i;
  }

  private void scanQuoted(Kind quoted, int open, char quote) {
    boolean escapes = quoted == Kind.ESCAPE_STRING;
    int close = closingQuote(open, quote, escapes);
    while (quote == '\'' && close < length) {
      int next = Characters.continuation(sql, close + 1);
      if (next < 0) {
        break;
      }
      close = closingQuote(next, quote, escapes);
    }
    token(close < length ? quoted : Kind.OTHER, Math.min(close + 1, length));
  }

  /** Returns where the quote that is opened at {@code open} closes, or the text's length. */
  private int closingQuote(int open, char quote, boolean escapes) {
    int i = open + 1;
    while (i < length) {
      char c = sql.charAt(i);
      if (c == quote) {
        if (at(i + 1) != quote) {
          return i;
        }
        i++;
      } else if (escapes && c == '\\') {
        i++;
      }
      i++;
    }
    return length;
  }

  private void scanDollar() {
    int i = start + 1;
    if (Characters.isDigit(at(i))) {
      while (Characters.isDigit(at(i))) {
        i++;
      }
      token(Kind.POSITIONAL_PARAMETER, i);
      return;
    }
    while (i < length && sql.charAt(i) != '$' && Characters.isNamePart(sql.charAt(i))) {
      i++;
    }
    if (at(i) != '$') {
      token(Kind.OTHER, start + 1);
      return;
    }
    String tag = sql.substring(start, i + 1);
    int close = sql.indexOf(tag, i + 1);
    token(close < 0 ? Kind.OTHER : Kind.DOLLAR_STRING, close < 0 ? length : close + tag.length());
  }

  private void scanOperator(char c) {
    if (c == '-' && at(start + 1) == '-') {
      token(Kind.COMMENT, Characters.endOfLine(sql, start));
    } else if (c == '/' && at(start + 1) == '*') {
      int close = Characters.endOfBlockComment(sql, start);
      token(close < 0 ? Kind.OTHER : Kind.COMMENT, close < 0 ? length : close);
    } else if (c == '?' && prepared && at(start + 1) != '?') {
      token(Kind.PARAMETER, start + 1);
    } else if (Characters.isOperator(c)) {
      token(Kind.OPERATOR, endOfOperator());
    } else {
      token(Kind.OTHER, start + 1);
    }
  }

  /**
   * An operator is the longest run of operator characters that holds no start of a comment, less
   * its trailing + and - unless it holds one of the characters that no operator of the SQL standard
   * has. The driver sends {@code ??} as {@code ?}. A run is walked once, however many operators it
   * falls into.
   */
  private int endOfOperator() {
    if (start >= runEnd) {
      walkOperatorRun();
    }
    return lastSpecial >= start ? runEnd : Math.max(start, lastUnsigned) + 1;
  }

  private void walkOperatorRun() {
    int i = start;
    while (i < length) {
      char c = sql.charAt(i);
      char next = at(i + 1);
      if (!Characters.isOperator(c)
          || (c == '-' && next == '-')
          || (c == '/' && next == '*')
          || (c == '?' && prepared && next != '?')) {
        break;
      }
      i += c == '?' && next == '?' ? 2 : 1;
      lastSpecial = Characters.isSpecialOperator(c) ? i - 1 : lastSpecial;
      lastUnsigned = c == '+' || c == '-' ? lastUnsigned : i - 1;
    }
    runEnd = i;
  }

  private void token(Kind kind, int end) {
    this.kind = kind;
    this.end = end;
  }

  private char at(int index) {
    return index < length ? sql.charAt(index) : '\0';
  }
}
