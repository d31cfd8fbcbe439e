package dev.larder.analysis;

import dev.larder.lexer.Token;
import dev.larder.lexer.Token.Kind;
import dev.larder.lexer.Tokens;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The columns that the SET of an UPDATE names. Each stands behind SET or a comma outside brackets,
 * or in a bracket that stands there; names behind other such commas, as in FROM, count too.
 */
final class SetColumns {
  private final Tokens tokens;
  private final Set<String> columns = new HashSet<>();
  private boolean unclear;

  private SetColumns(Tokens tokens) {
    this.tokens = tokens;
  }

  /**
   * Returns the columns that the UPDATE of the table named at {@code name} sets, and perhaps more,
   * or null where they are not certain.
   */
  static @Nullable Set<String> ofUpdate(Tokens tokens, int name) {
    int i = tokens.afterName(name);
    i += tokens.isSymbol(i, ")") ? 1 : 0;
    i += tokens.isSymbol(i, "*") ? 1 : 0;
    if (tokens.is(i, "as")) {
      i += 2;
    } else if (!tokens.is(i, "set")) {
      i++; // An alias.
    }
    return ofSet(tokens, i);
  }

  /** Returns the same for the SET at {@code index}; null where none stands there. */
  static @Nullable Set<String> ofSet(Tokens tokens, int index) {
    if (!tokens.is(index, "set")) {
      return null;
    }
    SetColumns found = new SetColumns(tokens);
    found.collect(index);
    return found.unclear ? null : found.columns;
  }

  private void collect(int set) {
    int depth = 0;
    for (int i = set; i < tokens.size() && depth >= 0; i++) {
      if (depth == 0 && (i == set || tokens.isSymbol(i, ","))) {
        element(i + 1);
      } else if (depth == 0 && tokens.is(i, "returning") && !tokens.isSymbol(i - 1, ".")) {
        return;
      }
      depth += tokens.get(i).depth();
    }
  }

  private void element(int index) {
    if (!tokens.isSymbol(index, "(")) {
      column(index);
      return;
    }
    int end = tokens.afterClosing(index) - 1;
    int depth = 0;
    for (int i = index; i < end; i++) {
      depth += tokens.get(i).depth();
      if (i == index || (depth == 1 && tokens.isSymbol(i, ","))) {
        column(i + 1);
      }
    }
  }

  private void column(int index) {
    Token token = tokens.get(index);
    // Letters beyond ASCII are folded as the server's locale says.
    boolean plain =
        token.isIdentifier()
            && token.kind() != Kind.UNICODE_NAME
            && StandardCharsets.US_ASCII.newEncoder().canEncode(token.name());
    unclear |= !plain;
    columns.add(token.name());
  }
}
