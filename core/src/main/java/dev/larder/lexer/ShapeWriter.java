package dev.larder.lexer;

import dev.larder.lexer.Token.Kind;
import java.util.Arrays;

/**
 * Writes the tokens of a text with one space where two of them need it, and none elsewhere, however
 * they were spaced; so that reading the result again gives the same tokens. Only two words, numbers
 * or parameters that stand without a space stay so: whether {@code 1from} is one token or two is up
 * to the server's version.
 */
final class ShapeWriter {
  /** {@code ::}; symbols of two characters are told from those of one by an offset. */
  private static final char CAST = ':' + 128;

  private final String sql;
  private char[] out;
  private int length;
  private Kind previous = Kind.END;
  private char previousSymbol;

  ShapeWriter(String sql) {
    this.sql = sql;
    this.out = new char[Math.min(sql.length(), 4096) + 16];
  }

  /** Writes the space, if any, that has to stand before the token from {@code start} on. */
  void separate(Kind kind, int start, int end, boolean touching) {
    char symbol =
        kind == Kind.PUNCTUATION
            ? (end - start == 1 ? sql.charAt(start) : (char) (sql.charAt(start) + 128))
            : '\0';
    if (previous != Kind.END && needsSpace(kind, symbol, touching)) {
      ensure(1);
      out[length++] = ' ';
    }
    previous = kind;
    previousSymbol = symbol;
  }

  private boolean needsSpace(Kind kind, char symbol, boolean touching) {
    if (touching || (kind.isWordlike() && previous.isWordlike())) {
      return !touching;
    }
    return switch (symbol) {
      case ',', ')', ']', ';' -> false;
      case '(' -> !(previous.isName() || previousSymbol == '(' || previousSymbol == '[');
      case '[' -> !(endsOperand() || previousSymbol == '(' || previousSymbol == '[');
      case '.' -> !(previous.isName() || previousSymbol == ')' || previousSymbol == ']');
      case CAST -> previousSymbol == ':' || previousSymbol == CAST;
      default -> spaceAfterPrevious(kind, symbol);
    };
  }

  private boolean spaceAfterPrevious(Kind kind, char symbol) {
    return switch (previousSymbol) {
      case '(', '[' -> false;
      case '.' -> !(kind.isName() || kind == Kind.OPERATOR);
      case CAST -> kind == Kind.OPERATOR || symbol != '\0';
      default -> true;
    };
  }

  private boolean endsOperand() {
    return previous.isName()
        || previous == Kind.PARAMETER
        || previous == Kind.POSITIONAL_PARAMETER
        || previousSymbol == ')'
        || previousSymbol == ']';
  }

  /** Writes the characters of the text from {@code start} to before {@code end}. */
  void copy(int start, int end) {
    ensure(end - start);
    sql.getChars(start, end, out, length);
    length += end - start;
  }

  /** Writes an empty comment. */
  void comment() {
    ensure(4);
    "/**/".getChars(0, 4, out, length);
    length += 4;
  }

  /** Writes what stands for a literal that was taken out. */
  void placeholder(boolean number) {
    ensure(2);
    if (number) {
      out[length++] = '0';
    } else {
      out[length++] = '\'';
      out[length++] = '\'';
    }
  }

  private void ensure(int more) {
    if (length + more > out.length) {
      out = Arrays.copyOf(out, Math.max(length + more, 2 * out.length));
    }
  }

  @Override
  public String toString() {
    return new String(out, 0, length);
  }
}
