package dev.larder.analysis;

import dev.larder.lexer.Token;
import dev.larder.lexer.Token.Kind;
import dev.larder.lexer.Tokens;
import dev.larder.sql.SettingCall;
import dev.larder.sql.SettingCall.Argument;
import dev.larder.sql.SettingCall.Source;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads {@code SELECT set_config(…)}: a list of such calls, with constants and parameters, and
 * nothing else. Confined to one thread.
 */
final class SettingCalls {
  private final Tokens tokens;
  private int next;
  private int literals;
  private int parameters;

  private SettingCalls(Tokens tokens) {
    this.tokens = tokens;
  }

  /** Returns the calls that all of {@code tokens} are, the whole text; else none. */
  static List<SettingCall> of(Tokens tokens) {
    List<SettingCall> calls = new SettingCalls(tokens).all();
    return calls == null ? List.of() : calls;
  }

  private @Nullable List<SettingCall> all() {
    List<SettingCall> calls = new ArrayList<>();
    if (!word("select")) {
      return null;
    }
    do {
      SettingCall call = call();
      if (call == null || !endsItem()) {
        return null;
      }
      calls.add(call);
    } while (symbol(","));
    return next == tokens.size() ? calls : null;
  }

  private @Nullable SettingCall call() {
    if (name("pg_catalog") && !symbol(".")) {
      return null;
    }
    if (!name("set_config") || !symbol("(")) {
      return null;
    }
    Argument name = text();
    Argument value = name == null || !symbol(",") ? null : text();
    Argument local = value == null || !symbol(",") ? null : condition();
    return name == null || value == null || local == null || !symbol(")")
        ? null
        : new SettingCall(name, value, local);
  }

  /** Passes the name of the column, if there is one. */
  private boolean endsItem() {
    boolean as = word("as");
    Token token = tokens.get(next);
    boolean named = token.kind() == Kind.QUOTED_NAME || (as ? isWord(token) : token.isIdentifier());
    next += named ? 1 : 0;
    return named || !as;
  }

  private static boolean isWord(Token token) {
    return token.kind() == Kind.WORD;
  }

  private @Nullable Argument text() {
    Token token = tokens.get(next);
    boolean taken =
        (token.kind() == Kind.STRING || token.kind() == Kind.ESCAPE_STRING)
            && token.text().equals("''");
    if (!taken && token.kind() != Kind.PARAMETER) {
      return null;
    }
    next++;
    Argument argument =
        taken
            ? new Argument(Source.LITERAL, literals++)
            : new Argument(Source.PARAMETER, parameters++);
    return !symbol("::") || word("text") || word("varchar") ? argument : null;
  }

  private @Nullable Argument condition() {
    if (word("true")) {
      return new Argument(Source.TRUE, 0);
    } else if (word("false")) {
      return new Argument(Source.FALSE, 0);
    } else if (tokens.get(next).kind() != Kind.PARAMETER) {
      return null;
    }
    next++;
    Argument argument = new Argument(Source.PARAMETER, parameters++);
    return !symbol("::") || word("boolean") || word("bool") ? argument : null;
  }

  private boolean name(String name) {
    Token token = tokens.get(next);
    boolean found = token.kind().isName() && token.name().equals(name);
    next += found ? 1 : 0;
    return found;
  }

  private boolean word(String word) {
    boolean found = tokens.is(next, word);
    next += found ? 1 : 0;
    return found;
  }

  private boolean symbol(String symbol) {
    boolean found = tokens.isSymbol(next, symbol);
    next += found ? 1 : 0;
    return found;
  }
}
