package dev.larder.sql;

/**
 * One token of a shape.
 *
 * @param kind never a comment
 * @param text as written
 * @param name what a name is called: folded, without its quotes, cut to the server's 63 bytes; for
 *     any other token its text
 */
record Token(TokenKind kind, String text, String name) {
  /** Stands for everything behind the last token. */
  static final Token END = new Token(TokenKind.END, "", "");

  /** Whether this is the unquoted {@code word}, given in lower case. */
  boolean is(String word) {
    return kind == TokenKind.WORD && name.equals(word);
  }

  /** Whether this is punctuation or an operator spelled so. */
  boolean isSymbol(String symbol) {
    return (kind == TokenKind.PUNCTUATION || kind == TokenKind.OPERATOR) && text.equals(symbol);
  }

  /** Whether this is a keyword that no name can be without quotes. */
  boolean isReserved() {
    return kind == TokenKind.WORD && Keywords.isReserved(name);
  }

  /** Whether this may be the name of a relation, column, type or routine. */
  boolean isIdentifier() {
    return kind.isName() && !isReserved();
  }

  /** Whether this is a constant or a parameter. */
  boolean isValue() {
    return kind.isText()
        || kind == TokenKind.NUMBER
        || kind == TokenKind.BIT_STRING
        || isParameter();
  }

  /** Whether this is a parameter. */
  boolean isParameter() {
    return kind == TokenKind.PARAMETER || kind == TokenKind.POSITIONAL_PARAMETER;
  }
}
