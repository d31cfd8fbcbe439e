package dev.larder.lexer;

import dev.larder.lexer.Token.Kind;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * The tokens of one statement, comments left out. Indexes out of range give {@link Token#END}, so
 * that rules may look ahead and back freely. Immutable.
 */
public final class Tokens {
  /** The longest name that the server keeps (NAMEDATALEN - 1). */
  private static final int NAME_BYTES = 63;

  /** A long text has more brackets and commas than all else. */
  private static final Token[] PUNCTUATION = punctuation();

  private final List<Token> list;

  Tokens(List<Token> list) {
    this.list = list;
  }

  private static Token[] punctuation() {
    Token[] tokens = new Token[128];
    for (char c : "()[],;.:".toCharArray()) {
      tokens[c] = new Token(Kind.PUNCTUATION, String.valueOf(c), String.valueOf(c));
    }
    return tokens;
  }

  /** Returns the tokens of {@code shape}. */
  public static Tokens of(StatementShape shape) {
    return of(shape.text(), shape.options());
  }

  /** Returns the tokens of {@code sql}. */
  public static Tokens of(String sql, LexOptions options) {
    List<Token> list = new ArrayList<>();
    TokenScanner scanner = new TokenScanner(sql, options);
    while (scanner.next()) {
      if (scanner.kind() != Kind.COMMENT) {
        list.add(token(sql, scanner, options));
      }
    }
    return new Tokens(list);
  }

  private static Token token(String sql, TokenScanner scanner, LexOptions options) {
    Kind kind = scanner.kind();
    char first = sql.charAt(scanner.start());
    if (kind == Kind.PUNCTUATION && scanner.is(first)) {
      return PUNCTUATION[first];
    }
    String text = sql.substring(scanner.start(), scanner.end());
    return switch (kind) {
      case WORD ->
          options.singleByte() && isFoldedByLocale(text)
              ? new Token(Kind.UNICODE_NAME, text, text)
              : name(kind, text, fold(text));
      case QUOTED_NAME ->
          name(kind, text, text.substring(1, text.length() - 1).replace("\"\"", "\""));
      default -> new Token(kind, text, text);
    };
  }

  /** Whether the server's locale decides how a name is folded, in a single-byte encoding. */
  private static boolean isFoldedByLocale(String text) {
    return text.chars().anyMatch(c -> c >= 128 && Character.toLowerCase(c) != c);
  }

  /**
   * Folds a name as the server does: ASCII letters only (downcase_identifier). In a database with a
   * single-byte encoding it folds more, and names without quotes are not folded here: see {@link
   * LexOptions#singleByte}. It compares names of settings so in every encoding.
   */
  public static String fold(String text) {
    int first = 0;
    while (first < text.length() && !isUpperCase(text.charAt(first))) {
      first++;
    }
    if (first == text.length()) {
      return text;
    }
    StringBuilder folded = new StringBuilder(text.length()).append(text, 0, first);
    for (int i = first; i < text.length(); i++) {
      char c = text.charAt(i);
      folded.append(isUpperCase(c) ? (char) (c + 32) : c);
    }
    return folded.toString();
  }

  /**
   * Folds letters beyond ASCII, too, one by one: texts that the server may fold to the same in
   * whatever encoding are the same. For where a name too many does no harm.
   */
  public static String foldLoosely(String text) {
    StringBuilder folded = new StringBuilder(text);
    for (int i = 0; i < text.length(); i++) {
      folded.setCharAt(i, Character.toLowerCase(text.charAt(i)));
    }
    return folded.toString();
  }

  private static boolean isUpperCase(char c) {
    return c >= 'A' && c <= 'Z';
  }

  /**
   * A name that is too long and not ASCII is cut where only the server's encoding can tell, and
   * half of a character reaches the server as something else.
   */
  private static Token name(Kind kind, String text, String name) {
    if (name.codePoints().anyMatch(c -> c >= 0xd800 && c <= 0xdfff)) {
      return new Token(Kind.UNICODE_NAME, text, name);
    }
    if (name.length() * 3 <= NAME_BYTES || utf8Length(name) <= NAME_BYTES) {
      return new Token(kind, text, name.intern());
    }
    return name.chars().allMatch(c -> c < 128)
        ? new Token(kind, text, name.substring(0, NAME_BYTES))
        : new Token(Kind.UNICODE_NAME, text, name);
  }

  private static int utf8Length(String name) {
    return name.getBytes(StandardCharsets.UTF_8).length;
  }

  /** Returns how many there are. */
  public int size() {
    return list.size();
  }

  /** Returns the token at {@code index}, or {@link Token#END}. */
  public Token get(int index) {
    return index >= 0 && index < list.size() ? list.get(index) : Token.END;
  }

  /** Returns those from {@code start} to before {@code end}. */
  public Tokens between(int start, int end) {
    return new Tokens(list.subList(start, end));
  }

  /** Whether the tokens from {@code index} on are these unquoted words. */
  public boolean is(int index, String... words) {
    for (int i = 0; i < words.length; i++) {
      if (!get(index + i).is(words[i])) {
        return false;
      }
    }
    return true;
  }

  /** Whether punctuation or an operator spelled so stands there. */
  public boolean isSymbol(int index, String symbol) {
    return get(index).isSymbol(symbol);
  }

  /** Whether any token is this unquoted word and no attribute behind a dot. */
  public boolean contains(String word) {
    return any(i -> is(i, word) && !isSymbol(i - 1, "."));
  }

  /** Whether any token is of this kind. */
  public boolean contains(Kind kind) {
    return any(i -> get(i).kind() == kind);
  }

  /** Whether {@code condition} holds for any index of a token. */
  public boolean any(IntPredicate condition) {
    return IntStream.range(0, list.size()).anyMatch(condition);
  }

  /** Returns for how many indexes of tokens {@code condition} holds. */
  public long count(IntPredicate condition) {
    return IntStream.range(0, list.size()).filter(condition).count();
  }

  /** Returns the index behind the bracket that closes the one at {@code open}. */
  public int afterClosing(int open) {
    int depth = 0;
    for (int i = open; i < list.size(); i++) {
      int step = list.get(i).depth();
      depth += step;
      if (step < 0 && depth == 0) {
        return i + 1;
      }
    }
    return list.size();
  }

  /** Returns the index of the bracket that the one at {@code close} closes, or -1. */
  public int opening(int close) {
    int depth = 0;
    for (int i = close; i >= 0; i--) {
      int step = get(i).depth();
      depth += step;
      if (step > 0 && depth == 0) {
        return i;
      }
    }
    return -1;
  }

  /** Returns the index of the first part of the dotted name that ends with {@code index}. */
  public int nameStart(int index) {
    int i = index;
    while (isSymbol(i - 1, ".") && get(i - 2).kind().isName()) {
      i -= 2;
    }
    return i;
  }

  /** Returns the index behind the dotted name that starts at {@code index}. */
  public int afterName(int index) {
    int i = index + 1;
    while (isSymbol(i, ".") && get(i + 1).kind().isName()) {
      i += 2;
    }
    return i;
  }

  /** Whether SELECT, VALUES, TABLE or WITH stands there. */
  public boolean isQuery(int index) {
    return is(index, "select") || is(index, "values") || is(index, "table") || is(index, "with");
  }

  /** Whether a WITH query starts at {@code index}, so that what stands before is its name. */
  public boolean isCommonTable(int index) {
    return is(index, "as")
        && (isSymbol(index + 1, "(")
            || is(index + 1, "materialized")
            || is(index + 1, "not", "materialized"));
  }
}
