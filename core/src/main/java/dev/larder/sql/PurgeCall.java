package dev.larder.sql;

/**
 * The call {@code SELECT larder.purge('orders')}, by itself and with one constant or parameter. The
 * schema {@code larder} is Larder's for this one name.
 */
final class PurgeCall {
  private PurgeCall() {}

  static boolean is(Tokens tokens) {
    return tokens.is(0, "select", "larder")
        && tokens.isSymbol(2, ".")
        && tokens.is(3, "purge")
        && tokens.isSymbol(4, "(")
        && isArgument(tokens.get(5))
        && tokens.isSymbol(6, ")")
        && tokens.size() == 7;
  }

  private static boolean isArgument(Token token) {
    return token.kind() == TokenKind.STRING || token.kind() == TokenKind.PARAMETER;
  }

  /** The name of the table is a literal of the text, or a parameter. */
  static SessionCommand command() {
    return new SessionCommand("larder.purge", null, false);
  }
}
