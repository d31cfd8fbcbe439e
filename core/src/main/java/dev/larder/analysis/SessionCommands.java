package dev.larder.analysis;

import dev.larder.lexer.Token;
import dev.larder.lexer.Token.Kind;
import dev.larder.lexer.Tokens;
import dev.larder.sql.SessionCommand;
import dev.larder.sql.StatementKind;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads what session and transaction statements name: see {@link SessionCommand}. */
final class SessionCommands {
  private static final String VARIABLES = "qcache";

  /** A number that the server shows as it was written. */
  private static final Pattern PLAIN_NUMBER = Pattern.compile("0|[1-9][0-9]{0,8}");

  private SessionCommands() {}

  /** Returns the details of a statement of {@code kind}, or null where it has none. */
  static @Nullable SessionCommand command(StatementKind kind, Tokens tokens) {
    return switch (kind) {
      case BEGIN -> new SessionCommand("begin", words(tokens, beginModes(tokens)), false);
      case COMMIT, ROLLBACK -> chain(tokens);
      case SAVEPOINT -> named(tokens.get(1));
      case RELEASE -> named(tokens.get(tokens.is(1, "savepoint") ? 2 : 1));
      case ROLLBACK_TO -> rollbackTo(tokens);
      case PREPARE_TRANSACTION, COMMIT_PREPARED, ROLLBACK_PREPARED -> prepared(tokens.get(2));
      case SET -> ifClear(setOrName(tokens), tokens, afterScope(tokens));
      case LARDER -> larder(tokens);
      case SET_TRANSACTION -> transaction(tokens);
      case CREATE_TEMPORARY -> temporaryTable(tokens);
      case DDL -> tokens.is(0, "drop") ? dropTable(tokens) : TableCommands.of(tokens);
      case CREATE_INDEX -> createIndex(tokens);
      case CALL -> call(tokens);
      case CURSOR ->
          tokens.is(0, "fetch") || tokens.is(0, "move") ? new SessionCommand("fetch") : null;
      case RESET, SHOW, DISCARD -> ifClear(new SessionCommand(settingName(tokens, 1)), tokens, 1);
      default -> null;
    };
  }

  /** Returns the table's name, or null where it takes over anything from another. */
  private static @Nullable SessionCommand temporaryTable(Tokens tokens) {
    int i = tokens.is(1, "local") || tokens.is(1, "global") ? 2 : 1;
    boolean temporary = tokens.is(i, "temp") || tokens.is(i, "temporary");
    if (!temporary || !tokens.is(i + 1, "table") || takesOver(tokens)) {
      return null;
    }
    i = tokens.is(i + 2, "if", "not", "exists") ? i + 5 : i + 2;
    return tokens.isSymbol(i + 1, ".") ? null : named(tokens.get(i));
  }

  private static boolean takesOver(Tokens tokens) {
    return Stream.of("including", "inherits", "partition", "of").anyMatch(tokens::contains);
  }

  private static @Nullable SessionCommand dropTable(Tokens tokens) {
    boolean plain = !tokens.contains("cascade") && !tokens.contains(Kind.UNICODE_NAME);
    return tokens.is(0, "drop", "table") && plain ? new SessionCommand("drop table") : null;
  }

  /** Returns an empty name where the server chooses one, and null where it is not clear. */
  private static @Nullable SessionCommand createIndex(Tokens tokens) {
    int i = tokens.is(1, "unique") ? 3 : 2;
    i = tokens.is(i, "concurrently") ? i + 1 : i;
    i = tokens.is(i, "if", "not", "exists") ? i + 3 : i;
    return tokens.is(i, "on") ? new SessionCommand("") : named(tokens.get(i));
  }

  /** Returns the name of the procedure, or null where only the server can read what is named. */
  private static @Nullable SessionCommand call(Tokens tokens) {
    return tokens.is(0, "call") && !tokens.contains(Kind.UNICODE_NAME)
        ? named(tokens.get(tokens.afterName(1) - 1))
        : null;
  }

  /** Returns the command, or null where only the server can read the name, or refuses it. */
  private static @Nullable SessionCommand ifClear(
      SessionCommand command, Tokens tokens, int index) {
    int end = tokens.afterName(index);
    boolean parts = end > index + 1;
    boolean unclear =
        tokens.any(
            i ->
                i >= index
                    && i < end
                    && (tokens.get(i).kind() == Kind.UNICODE_NAME
                        || (parts && Keywords.areRefused(tokens.get(i)))));
    return unclear ? null : command;
  }

  /** Returns the index behind SET and an optional SESSION or LOCAL that is its scope. */
  static int afterScope(Tokens tokens) {
    boolean scope =
        tokens.is(1, "local")
            || (tokens.is(1, "session")
                && !tokens.is(2, "authorization")
                && !tokens.is(2, "characteristics", "as"));
    return scope && !isSetting(tokens, 1) ? 2 : 1;
  }

  /**
   * Whether the word at {@code index} of a SET is the name of a setting by what follows, whatever
   * the grammar has the word for elsewhere: {@code schema.x}, {@code session.x}.
   */
  static boolean isSetting(Tokens tokens, int index) {
    return tokens.isSymbol(index + 1, ".")
        || tokens.isSymbol(index + 1, "=")
        || tokens.is(index + 1, "to")
        || tokens.is(index + 1, "from", "current");
  }

  private static int beginModes(Tokens tokens) {
    return tokens.is(0, "start") ? 2 : UtilityClassifier.afterTransactionWord(tokens);
  }

  /** Returns the words from {@code index} on in lower case without commas, or null for none. */
  private static @Nullable String words(Tokens tokens, int index) {
    List<String> words = new ArrayList<>();
    for (int i = index; i < tokens.size(); i++) {
      if (!tokens.isSymbol(i, ",")) {
        words.add(tokens.get(i).name());
      }
    }
    return words.isEmpty() ? null : String.join(" ", words);
  }

  private static @Nullable SessionCommand chain(Tokens tokens) {
    return tokens.is(UtilityClassifier.afterTransactionWord(tokens), "and", "chain")
        ? new SessionCommand("chain")
        : null;
  }

  private static @Nullable SessionCommand named(Token token) {
    boolean clear = token.kind().isName() && token.kind() != Kind.UNICODE_NAME;
    return clear ? new SessionCommand(token.name()) : null;
  }

  private static @Nullable SessionCommand rollbackTo(Tokens tokens) {
    int i = UtilityClassifier.afterTransactionWord(tokens) + 1;
    return named(tokens.get(tokens.is(i, "savepoint") && i + 1 < tokens.size() ? i + 1 : i));
  }

  private static @Nullable SessionCommand prepared(Token token) {
    String identifier = value(token);
    return identifier == null ? null : new SessionCommand(identifier);
  }

  private static SessionCommand transaction(Tokens tokens) {
    int i = afterScope(tokens);
    if (tokens.is(i, "session", "characteristics")) {
      boolean local = i == 2 && tokens.is(1, "local");
      return new SessionCommand("session characteristics", words(tokens, i + 4), local);
    }
    return tokens.is(i + 1, "snapshot")
        ? new SessionCommand("transaction snapshot", value(tokens.get(i + 2)), false)
        : new SessionCommand("transaction", words(tokens, i + 1), false);
  }

  private static SessionCommand larder(Tokens tokens) {
    SessionCommand own = own(tokens);
    return own == null ? setOrName(tokens) : own;
  }

  /**
   * Returns what a statement names that Larder answers itself, beside SHOW, SET and RESET of {@code
   * larder.…}; null for others. These are {@code SELECT larder.purge('orders')}, and the commands
   * of the query caches of pgpool-II and MySQL: {@code SHOW pool_cache}, {@code SHOW STATUS LIKE
   * 'Qcache%'}, {@code RESET QUERY CACHE} and {@code FLUSH QUERY CACHE}. PostgreSQL refuses these
   * four, and the schema {@code larder} is Larder's for that one name.
   */
  static @Nullable SessionCommand own(Tokens tokens) {
    if (isPurge(tokens)) {
      return new SessionCommand("larder.purge");
    } else if (tokens.is(0, "show", "pool_cache") && tokens.size() == 2) {
      return new SessionCommand("pool_cache");
    }
    boolean empties = tokens.is(0, "reset") || tokens.is(0, "flush");
    if (empties && tokens.is(1, "query", "cache") && tokens.size() == 3) {
      return new SessionCommand("query cache");
    }
    return status(tokens);
  }

  /** Whether a purge stands by itself; the table is a literal of the text or a parameter. */
  private static boolean isPurge(Tokens tokens) {
    Kind table = tokens.get(5).kind();
    return tokens.is(0, "select", "larder")
        && tokens.isSymbol(2, ".")
        && tokens.is(3, "purge")
        && tokens.isSymbol(4, "(")
        && (table == Kind.STRING || table == Kind.PARAMETER)
        && tokens.isSymbol(6, ")")
        && tokens.size() == 7;
  }

  private static @Nullable SessionCommand status(Tokens tokens) {
    int status = tokens.is(1, "global") || tokens.is(1, "session") ? 2 : 1;
    if (!tokens.is(0, "show")
        || !tokens.is(status, "status", "like")
        || tokens.size() != status + 3) {
      return null;
    }
    Token last = tokens.get(status + 2);
    String pattern = last.kind() == Kind.STRING ? value(last) : null;
    return pattern != null && pattern.regionMatches(true, 0, VARIABLES, 0, VARIABLES.length())
        ? new SessionCommand("status", pattern, false)
        : null;
  }

  private static SessionCommand setOrName(Tokens tokens) {
    if (!tokens.is(0, "set")) {
      return new SessionCommand(settingName(tokens, 1));
    }
    int name = afterScope(tokens);
    int value = afterSetting(tokens, name);
    if (tokens.is(value, "to") || tokens.isSymbol(value, "=")) {
      value++;
    }
    boolean zoneOfServer = tokens.is(name, "time", "zone", "local");
    String setting = settingName(tokens, name);
    boolean local = name == 2 && tokens.is(1, "local");
    String list = setting.equals("search_path") ? names(tokens, value) : null;
    return list == null
        ? new SessionCommand(setting, zoneOfServer ? null : singleValue(tokens, value), local)
        : new SessionCommand(setting, list, local, SessionCommand.Form.NAMES);
  }

  private static int afterSetting(Tokens tokens, int index) {
    boolean twoWords =
        tokens.is(index, "time", "zone")
            || tokens.is(index, "session", "authorization")
            || tokens.is(index, "xml", "option");
    return twoWords ? index + 2 : tokens.afterName(index);
  }

  /** Returns the setting's name; those that have a grammar of their own by their usual one. */
  private static String settingName(Tokens tokens, int index) {
    if (tokens.is(index, "time", "zone")) {
      return "timezone";
    } else if (tokens.is(index, "session", "authorization")) {
      return "session authorization";
    } else if (tokens.is(index, "transaction", "isolation", "level")) {
      return "transaction_isolation";
    } else if (tokens.is(index, "xml", "option")) {
      return "xmloption";
    } else if (tokens.is(index, "names") && !isSetting(tokens, index)) {
      return "client_encoding";
    } else if (tokens.is(index, "schema") && !isSetting(tokens, index)) {
      return "search_path";
    }
    StringBuilder name = new StringBuilder();
    int end = tokens.afterName(index);
    for (int i = index; i < end; i++) {
      name.append(Tokens.fold(tokens.get(i).name())); // Quoted, too: SET "TimeZone".
    }
    return name.toString();
  }

  /** Returns several names, each in quotes and separated by commas, or null for anything else. */
  private static @Nullable String names(Tokens tokens, int index) {
    StringJoiner names = new StringJoiner(", ");
    for (int i = index; i < tokens.size(); i += 2) {
      Token token = tokens.get(i);
      String name = token.kind() == Kind.NUMBER ? null : value(token);
      boolean last = i + 1 == tokens.size();
      if (name == null || !(last ? i > index : tokens.isSymbol(i + 1, ","))) {
        return null;
      }
      names.add('"' + name.replace("\"", "\"\"") + '"');
    }
    return tokens.isSymbol(tokens.size() - 1, ",") ? null : names.toString();
  }

  private static @Nullable String singleValue(Tokens tokens, int index) {
    boolean negative = tokens.isSymbol(index, "-");
    Token value = tokens.get(negative ? index + 1 : index);
    boolean number = value.kind() == Kind.NUMBER;
    if (tokens.size() != index + (negative ? 2 : 1)
        || (negative && !number)
        || (number && !PLAIN_NUMBER.matcher(value.text()).matches())) {
      return null;
    }
    return negative ? '-' + value.text() : value(value);
  }

  /** Returns what a plain constant or word says, or null for DEFAULT and all else. */
  static @Nullable String value(Token token) {
    return switch (token.kind()) {
      case WORD -> token.is("default") ? null : token.name();
      case QUOTED_NAME -> token.name();
      case NUMBER -> token.text();
      case STRING -> unquoted(token.text());
      case ESCAPE_STRING -> token.text().indexOf('\\') < 0 ? unquoted(token.text()) : null;
      default -> null;
    };
  }

  private static @Nullable String unquoted(String constant) {
    boolean continued = constant.indexOf('\n') >= 0 || constant.indexOf('\r') >= 0;
    return continued
        ? null
        : constant.substring(constant.indexOf('\'') + 1, constant.length() - 1).replace("''", "'");
  }
}
