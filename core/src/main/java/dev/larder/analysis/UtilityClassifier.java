package dev.larder.analysis;

import dev.larder.lexer.Token;
import dev.larder.lexer.Token.Kind;
import dev.larder.lexer.Tokens;
import dev.larder.sql.StatementKind;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Tells by its first words what a statement is that is neither query nor DML. */
final class UtilityClassifier {
  private static final Set<String> SHARED_OBJECTS =
      Set.of("role", "user", "group", "database", "tablespace", "system");

  private UtilityClassifier() {}

  /** Returns the kind of a utility statement, or null where its first word begins none. */
  static @Nullable StatementKind classify(Tokens tokens) {
    if (SessionCommands.own(tokens) != null) {
      return StatementKind.LARDER;
    }
    Token first = tokens.get(0);
    String word = first.kind() == Kind.WORD ? first.name() : "";
    StatementKind kind = ofSession(word, tokens);
    return kind == null ? ofData(word, tokens) : kind;
  }

  private static @Nullable StatementKind ofSession(String word, Tokens tokens) {
    boolean prepared = tokens.is(1, "prepared");
    return switch (word) {
      case "begin", "start" -> StatementKind.BEGIN;
      case "commit" -> prepared ? StatementKind.COMMIT_PREPARED : StatementKind.COMMIT;
      case "end" -> StatementKind.COMMIT;
      case "rollback" -> prepared ? StatementKind.ROLLBACK_PREPARED : rollback(tokens);
      case "abort" -> rollback(tokens);
      case "savepoint" -> StatementKind.SAVEPOINT;
      case "release" -> StatementKind.RELEASE;
      case "prepare" ->
          tokens.is(1, "transaction") && tokens.get(2).kind().isText()
              ? StatementKind.PREPARE_TRANSACTION
              : StatementKind.PREPARE;
      case "execute" -> StatementKind.EXECUTE;
      case "deallocate" -> StatementKind.DEALLOCATE;
      case "set" -> set(tokens);
      case "reset" -> isLarder(tokens, 1) ? StatementKind.LARDER : StatementKind.RESET;
      case "show" -> isLarder(tokens, 1) ? StatementKind.LARDER : StatementKind.SHOW;
      case "discard" -> StatementKind.DISCARD;
      default -> null;
    };
  }

  private static @Nullable StatementKind ofData(String word, Tokens tokens) {
    return switch (word) {
      case "truncate" -> StatementKind.TRUNCATE;
      case "copy" -> copy(tokens);
      case "refresh" -> StatementKind.REFRESH;
      case "call", "do" -> StatementKind.CALL;
      case "declare", "fetch", "move", "close" -> StatementKind.CURSOR;
      case "listen", "unlisten", "notify", "lock", "checkpoint", "load" -> StatementKind.UTILITY;
      // A plain VACUUM, too, evaluates the expressions of a BRIN index.
      case "analyze", "analyse", "comment", "reindex", "cluster", "vacuum" ->
          StatementKind.MAINTENANCE;
      case "create", "alter", "drop", "grant", "revoke", "security", "import", "reassign" ->
          isShared(tokens) ? StatementKind.SHARED_DDL : ddl(tokens);
      default -> null;
    };
  }

  private static StatementKind rollback(Tokens tokens) {
    return tokens.is(afterTransactionWord(tokens), "to")
        ? StatementKind.ROLLBACK_TO
        : StatementKind.ROLLBACK;
  }

  /** Returns the index behind the first word and an optional WORK or TRANSACTION. */
  static int afterTransactionWord(Tokens tokens) {
    return tokens.is(1, "work") || tokens.is(1, "transaction") ? 2 : 1;
  }

  private static StatementKind set(Tokens tokens) {
    int name = SessionCommands.afterScope(tokens);
    if (SessionCommands.isSetting(tokens, name)) {
      return isLarder(tokens, name) ? StatementKind.LARDER : StatementKind.SET;
    }
    if (tokens.is(name, "transaction") || tokens.is(name, "session", "characteristics")) {
      return StatementKind.SET_TRANSACTION;
    }
    return tokens.is(name, "constraints") ? StatementKind.SET_CONSTRAINTS : StatementKind.SET;
  }

  private static boolean isLarder(Tokens tokens, int index) {
    return tokens.get(index).kind().isName()
        && Tokens.fold(tokens.get(index).name()).equals("larder")
        && tokens.isSymbol(index + 1, ".");
  }

  /** COPY … FROM writes; what stands in brackets before it is columns or a query. */
  private static StatementKind copy(Tokens tokens) {
    for (int i = 1; i < tokens.size(); i++) {
      if (tokens.isSymbol(i, "(")) {
        i = tokens.afterClosing(i) - 1;
      } else if (tokens.is(i, "to") && !tokens.isSymbol(i - 1, ".")) {
        return StatementKind.COPY_TO;
      } else if (tokens.is(i, "from") && !tokens.isSymbol(i - 1, ".")) {
        return StatementKind.COPY_FROM;
      }
    }
    return StatementKind.UNKNOWN;
  }

  /** GRANT and REVOKE without ON are about memberships of roles. */
  private static boolean isShared(Tokens tokens) {
    if (tokens.is(0, "grant") || tokens.is(0, "revoke")) {
      return !tokens.any(i -> tokens.is(i, "on"));
    }
    Token object = tokens.get(1);
    return object.kind() == Kind.WORD && SHARED_OBJECTS.contains(object.name());
  }

  private static StatementKind ddl(Tokens tokens) {
    if (!tokens.is(0, "create")) {
      return StatementKind.DDL;
    }
    int i = tokens.is(1, "or", "replace") ? 3 : 1;
    if (isTemporaryWord(tokens, i) || namesTemporarySchema(tokens)) {
      return StatementKind.CREATE_TEMPORARY;
    }
    boolean index = tokens.is(1, "index") || tokens.is(1, "unique", "index");
    return index ? StatementKind.CREATE_INDEX : StatementKind.DDL;
  }

  /** Whether TEMP or TEMPORARY stands at {@code index}, LOCAL or GLOBAL may before it. */
  static boolean isTemporaryWord(Tokens tokens, int index) {
    int i = tokens.is(index, "local") || tokens.is(index, "global") ? index + 1 : index;
    return tokens.is(i, "temp") || tokens.is(i, "temporary");
  }

  /** Whether a name is that of a schema for temporary objects. */
  static boolean namesTemporarySchema(Tokens tokens) {
    return tokens.any(
        i -> tokens.get(i).kind().isName() && tokens.get(i).name().startsWith("pg_temp"));
  }
}
