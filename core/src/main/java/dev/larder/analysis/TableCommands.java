package dev.larder.analysis;

import dev.larder.lexer.Token;
import dev.larder.lexer.Token.Kind;
import dev.larder.lexer.Tokens;
import dev.larder.sql.SessionCommand;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads DDL that concerns one table, or a schema without anything in it. */
final class TableCommands {
  /** With one of these a new table is made of another, or changes another. */
  private static final Set<String> OF_ANOTHER =
      Set.of("as", "execute", "foreign", "inherits", "like", "of", "partition", "references");

  /** The words of ALTER TABLE that change nothing but columns of the table. */
  private static final Set<String> OF_COLUMNS = Set.of("add", "alter", "drop");

  /** With one of these it does more, or is not looked at closely. */
  private static final Set<String> OF_MORE =
      Set.of(
          ("always as attach cascade check cluster constraint detach exclude execute expression"
                  + " foreign generated identity inherit of partition primary references restart"
                  + " trigger type unique using")
              .split(" "));

  private TableCommands() {}

  /** Returns what is done and the name in {@code value}; null where it may concern more. */
  static @Nullable SessionCommand of(Tokens tokens) {
    if (tokens.contains(Kind.UNICODE_NAME)) {
      return null;
    }
    if (tokens.is(0, "create", "schema")) {
      return createSchema(tokens);
    }
    if (tokens.is(0, "alter", "table")) {
      return alterTable(tokens);
    }
    return tokens.is(0, "create") ? createTable(tokens) : rights(tokens);
  }

  private static @Nullable SessionCommand createTable(Tokens tokens) {
    int table = tokens.is(1, "unlogged") ? 2 : 1;
    if (!tokens.is(table, "table") || hasAny(tokens, OF_ANOTHER)) {
      return null;
    }
    int name = tokens.is(table + 1, "if", "not", "exists") ? table + 4 : table + 1;
    boolean columns = tokens.isSymbol(tokens.afterName(name), "(");
    return columns ? command("create table", tokens, name) : null;
  }

  private static @Nullable SessionCommand createSchema(Tokens tokens) {
    int name = tokens.is(2, "if", "not", "exists") ? 5 : 2;
    boolean empty = tokens.afterName(name) == tokens.size() && !tokens.is(name, "authorization");
    return empty ? command("create schema", tokens, name) : null;
  }

  private static @Nullable SessionCommand alterTable(Tokens tokens) {
    int only = tokens.is(2, "if", "exists") ? 4 : 2;
    int name = tokens.is(only, "only") ? only + 1 : only;
    int action = tokens.afterName(name);
    return hasAny(tokens, OF_MORE) || !isOneOf(tokens.get(action), OF_COLUMNS)
        ? null
        : command("alter table", tokens, name);
  }

  private static @Nullable SessionCommand rights(Tokens tokens) {
    int on = 1;
    while (on < tokens.size() && !tokens.is(on, "on")) {
      on++;
    }
    int name = tokens.is(on + 1, "table") ? on + 2 : on + 1;
    int after = tokens.afterName(name);
    boolean rights = tokens.is(0, "grant") || tokens.is(0, "revoke");
    return rights && (tokens.is(after, "to") || tokens.is(after, "from"))
        ? command("rights", tokens, name)
        : null;
  }

  /** Returns null where the name has more than two parts, or one that could be read as two. */
  private static @Nullable SessionCommand command(String what, Tokens tokens, int name) {
    int end = tokens.afterName(name);
    Token first = tokens.get(name);
    Token last = tokens.get(end - 1);
    if (!isClear(first) || !isClear(last) || (end != name + 1 && end != name + 3)) {
      return null;
    }
    String value = end == name + 1 ? first.name() : first.name() + '.' + last.name();
    return new SessionCommand(what, value, false);
  }

  private static boolean isClear(Token token) {
    return token.kind().isName() && token.name().indexOf('.') < 0;
  }

  private static boolean hasAny(Tokens tokens, Set<String> words) {
    return words.stream().anyMatch(tokens::contains);
  }

  private static boolean isOneOf(Token token, Set<String> words) {
    return token.kind() == Kind.WORD && words.contains(token.name());
  }
}
