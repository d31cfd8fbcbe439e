package dev.larder.sql;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;

/**
 * The tokens of one statement, comments left out. Indexes out of range give {@link Token#END}, so
 * that rules may look ahead and back freely. Immutable.
 */
final class Tokens {
  /** The longest name that the server keeps (NAMEDATALEN - 1). */
  private static final int NAME_BYTES = 63;

  /** A long text has more brackets and commas than all else. */
  private static final Token[] PUNCTUATION = punctuation();

  private static final Interner<String> NAMES = new Interner<>();

  private final List<Token> list;

  Tokens(List<Token> list) {
    this.list = list;
  }

  private static Token[] punctuation() {
    Token[] tokens = new Token[128];
    for (char c : "()[],;.:".toCharArray()) {
      tokens[c] = new Token(TokenKind.PUNCTUATION, String.valueOf(c), String.valueOf(c));
    }
    return tokens;
  }

  static Tokens of(StatementShape shape) {
    List<Token> list = new ArrayList<>();
    String sql = shape.text();
    TokenScanner scanner = new TokenScanner(sql, shape.options());
    while (scanner.next()) {
      if (scanner.kind() != TokenKind.COMMENT) {
        list.add(token(sql, scanner));
      }
    }
    return new Tokens(list);
  }

  private static Token token(String sql, TokenScanner scanner) {
    TokenKind kind = scanner.kind();
    char first = sql.charAt(scanner.start());
    if (kind == TokenKind.PUNCTUATION && scanner.is(first)) {
      return PUNCTUATION[first];
    }
    String text = sql.substring(scanner.start(), scanner.end());
    return switch (kind) {
      case WORD -> name(kind, text, fold(text));
      case QUOTED_NAME ->
          name(kind, text, text.substring(1, text.length() - 1).replace("\"\"", "\""));
      default -> new Token(kind, text, text);
    };
  }

  /** Folds as the server does in UTF-8: ASCII letters only. */
  private static String fold(String text) {
    boolean ascii = text.chars().allMatch(c -> c < 128);
    if (ascii) {
      return text.toLowerCase(Locale.ROOT);
    }
    StringBuilder folded = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      folded.append(c >= 'A' && c <= 'Z' ? (char) (c + 32) : c);
    }
    return folded.toString();
  }

  /**
   * A name that is too long and not ASCII is cut where only the server's encoding can tell, and
   * half of a character reaches the server as something else.
   */
  private static Token name(TokenKind kind, String text, String name) {
    if (name.codePoints().anyMatch(c -> c >= 0xd800 && c <= 0xdfff)) {
      return new Token(TokenKind.UNICODE_NAME, text, name);
    }
    if (name.length() * 3 <= NAME_BYTES || utf8Length(name) <= NAME_BYTES) {
      return new Token(kind, text, NAMES.intern(name));
    }
    return name.chars().allMatch(c -> c < 128)
        ? new Token(kind, text, name.substring(0, NAME_BYTES))
        : new Token(TokenKind.UNICODE_NAME, text, name);
  }

  private static int utf8Length(String name) {
    return name.getBytes(StandardCharsets.UTF_8).length;
  }

  int size() {
    return list.size();
  }

  Token get(int index) {
    return index >= 0 && index < list.size() ? list.get(index) : Token.END;
  }

  Tokens from(int start) {
    return between(start, list.size());
  }

  Tokens between(int start, int end) {
    return new Tokens(list.subList(Math.min(start, end), end));
  }

  /** Whether the tokens from {@code index} on are these unquoted words. */
  boolean is(int index, String... words) {
    for (int i = 0; i < words.length; i++) {
      if (!get(index + i).is(words[i])) {
        return false;
      }
    }
    return true;
  }

  boolean isSymbol(int index, String symbol) {
    return get(index).isSymbol(symbol);
  }

  /** Whether any token is this unquoted word and no attribute behind a dot. */
  boolean contains(String word) {
    for (int i = 0; i < list.size(); i++) {
      if (list.get(i).is(word) && !isSymbol(i - 1, ".")) {
        return true;
      }
    }
    return false;
  }

  boolean contains(TokenKind kind) {
    return contains(token -> token.kind() == kind);
  }

  boolean contains(Predicate<Token> predicate) {
    return list.stream().anyMatch(predicate);
  }

  /** Returns the index behind the bracket that closes the one at {@code open}. */
  int afterClosing(int open) {
    int depth = 0;
    for (int i = open; i < list.size(); i++) {
      Token token = list.get(i);
      if (token.isSymbol("(") || token.isSymbol("[")) {
        depth++;
      } else if ((token.isSymbol(")") || token.isSymbol("]")) && --depth == 0) {
        return i + 1;
      }
    }
    return list.size();
  }

  /** Returns the index of the bracket that the one at {@code close} closes, or -1. */
  int opening(int close) {
    int depth = 0;
    for (int i = close; i >= 0; i--) {
      Token token = get(i);
      if (token.isSymbol(")") || token.isSymbol("]")) {
        depth++;
      } else if ((token.isSymbol("(") || token.isSymbol("[")) && --depth == 0) {
        return i;
      }
    }
    return -1;
  }

  /** Returns the index of the first part of the dotted name that ends with {@code index}. */
  int nameStart(int index) {
    int i = index;
    while (isSymbol(i - 1, ".") && get(i - 2).kind().isName()) {
      i -= 2;
    }
    return i;
  }

  /** Returns the index behind the dotted name that starts at {@code index}. */
  int afterName(int index) {
    int i = index + 1;
    while (isSymbol(i, ".") && get(i + 1).kind().isName()) {
      i += 2;
    }
    return i;
  }

  /** Whether a WITH query starts at {@code index}, so that what stands before is its name. */
  boolean isCommonTable(int index) {
    return is(index, "as")
        && (isSymbol(index + 1, "(")
            || is(index + 1, "materialized")
            || is(index + 1, "not", "materialized"));
  }

  /** Returns the last two parts of the dotted name that starts at {@code index}. */
  RelationName relation(int index) {
    int end = afterName(index);
    return new RelationName(end - index > 1 ? get(end - 3).name() : null, get(end - 1).name());
  }
}
