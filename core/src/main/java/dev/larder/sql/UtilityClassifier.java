package dev.larder.sql;

import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Tells by its first words what a statement is that is neither query nor DML. */
final class UtilityClassifier {
  private static final Map<String, StatementKind> KINDS =
      Map.ofEntries(
          Map.entry("begin", StatementKind.BEGIN),
          Map.entry("start", StatementKind.BEGIN),
          Map.entry("commit", StatementKind.COMMIT),
          Map.entry("end", StatementKind.COMMIT),
          Map.entry("rollback", StatementKind.ROLLBACK),
          Map.entry("abort", StatementKind.ROLLBACK),
          Map.entry("savepoint", StatementKind.SAVEPOINT),
          Map.entry("release", StatementKind.RELEASE),
          Map.entry("prepare", StatementKind.PREPARE),
          Map.entry("execute", StatementKind.EXECUTE),
          Map.entry("deallocate", StatementKind.DEALLOCATE),
          Map.entry("set", StatementKind.SET),
          Map.entry("reset", StatementKind.RESET),
          Map.entry("show", StatementKind.SHOW),
          Map.entry("discard", StatementKind.DISCARD),
          Map.entry("truncate", StatementKind.TRUNCATE),
          Map.entry("copy", StatementKind.COPY_TO),
          Map.entry("refresh", StatementKind.REFRESH),
          Map.entry("call", StatementKind.CALL),
          Map.entry("do", StatementKind.CALL),
          Map.entry("declare", StatementKind.CURSOR),
          Map.entry("fetch", StatementKind.CURSOR),
          Map.entry("move", StatementKind.CURSOR),
          Map.entry("close", StatementKind.CURSOR),
          Map.entry("vacuum", StatementKind.UTILITY),
          Map.entry("listen", StatementKind.UTILITY),
          Map.entry("unlisten", StatementKind.UTILITY),
          Map.entry("notify", StatementKind.UTILITY),
          Map.entry("lock", StatementKind.UTILITY),
          Map.entry("checkpoint", StatementKind.UTILITY),
          Map.entry("load", StatementKind.UTILITY),
          Map.entry("analyze", StatementKind.CATALOG_ONLY),
          Map.entry("analyse", StatementKind.CATALOG_ONLY),
          Map.entry("comment", StatementKind.CATALOG_ONLY),
          Map.entry("reindex", StatementKind.CATALOG_ONLY),
          Map.entry("cluster", StatementKind.CATALOG_ONLY),
          Map.entry("create", StatementKind.DDL),
          Map.entry("alter", StatementKind.DDL),
          Map.entry("drop", StatementKind.DDL),
          Map.entry("grant", StatementKind.DDL),
          Map.entry("revoke", StatementKind.DDL),
          Map.entry("security", StatementKind.DDL),
          Map.entry("import", StatementKind.DDL),
          Map.entry("reassign", StatementKind.DDL));

  private static final Set<String> SHARED_OBJECTS =
      Set.of("role", "user", "group", "database", "tablespace", "system");

  private UtilityClassifier() {}

  /** Returns the kind of a utility statement, or null where its first word begins none. */
  static @Nullable StatementKind classify(Tokens tokens) {
    if (BorrowedCommands.command(tokens) != null || PurgeCall.is(tokens)) {
      return StatementKind.LARDER;
    }
    Token first = tokens.get(0);
    StatementKind kind = first.kind() == TokenKind.WORD ? KINDS.get(first.name()) : null;
    if (kind == null) {
      return null;
    }
    return switch (kind) {
      case COMMIT ->
          isPrepared(tokens, "commit") ? StatementKind.COMMIT_PREPARED : StatementKind.COMMIT;
      case ROLLBACK -> rollback(tokens);
      case PREPARE ->
          tokens.is(1, "transaction") ? StatementKind.PREPARE_TRANSACTION : StatementKind.PREPARE;
      case SET -> set(tokens);
      case RESET, SHOW -> isLarder(tokens, 1) ? StatementKind.LARDER : kind;
      case COPY_TO -> copy(tokens);
      case UTILITY -> runsFunctions(tokens) ? StatementKind.CATALOG_ONLY : kind;
      case DDL -> isShared(tokens) ? StatementKind.SHARED_DDL : ddl(tokens);
      default -> kind;
    };
  }

  private static boolean isPrepared(Tokens tokens, String verb) {
    return tokens.is(0, verb, "prepared");
  }

  private static StatementKind rollback(Tokens tokens) {
    if (isPrepared(tokens, "rollback")) {
      return StatementKind.ROLLBACK_PREPARED;
    }
    return tokens.is(afterTransactionWord(tokens), "to")
        ? StatementKind.ROLLBACK_TO
        : StatementKind.ROLLBACK;
  }

  /** Returns the index behind the first word and an optional WORK or TRANSACTION. */
  static int afterTransactionWord(Tokens tokens) {
    return tokens.is(1, "work") || tokens.is(1, "transaction") ? 2 : 1;
  }

  private static StatementKind set(Tokens tokens) {
    int name = Settings.afterScope(tokens);
    if (tokens.is(name, "transaction") || tokens.is(name, "session", "characteristics")) {
      return StatementKind.SET_TRANSACTION;
    }
    if (tokens.is(name, "constraints")) {
      return StatementKind.SET_CONSTRAINTS;
    }
    return isLarder(tokens, name) ? StatementKind.LARDER : StatementKind.SET;
  }

  private static boolean isLarder(Tokens tokens, int index) {
    return tokens.get(index).kind().isName()
        && tokens.get(index).name().equalsIgnoreCase("larder")
        && tokens.isSymbol(index + 1, ".");
  }

  /** VACUUM with ANALYZE, or FULL, evaluates the expressions of indexes. */
  private static boolean runsFunctions(Tokens tokens) {
    return tokens.is(0, "vacuum")
        && (tokens.contains("analyze") || tokens.contains("analyse") || tokens.contains("full"));
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
      for (int i = 1; i < tokens.size(); i++) {
        if (tokens.is(i, "on")) {
          return false;
        }
      }
      return true;
    }
    Token object = tokens.get(1);
    return object.kind() == TokenKind.WORD && SHARED_OBJECTS.contains(object.name());
  }

  private static StatementKind ddl(Tokens tokens) {
    if (!tokens.is(0, "create")) {
      return StatementKind.DDL;
    }
    int i = tokens.is(1, "or", "replace") ? 3 : 1;
    if (isTemporary(tokens, i)) {
      return StatementKind.CREATE_TEMPORARY;
    }
    boolean index = tokens.is(1, "index") || tokens.is(1, "unique", "index");
    return index ? StatementKind.CATALOG_ONLY : StatementKind.DDL;
  }

  /**
   * Whether the words from {@code index} on are TEMP or TEMPORARY, or a schema pg_temp is named.
   */
  private static boolean isTemporary(Tokens tokens, int index) {
    return isTemporaryWord(tokens, index) || namesTemporarySchema(tokens, index);
  }

  /** Whether TEMP or TEMPORARY stands at {@code index}, LOCAL or GLOBAL may before it. */
  static boolean isTemporaryWord(Tokens tokens, int index) {
    int i = tokens.is(index, "local") || tokens.is(index, "global") ? index + 1 : index;
    return tokens.is(i, "temp") || tokens.is(i, "temporary");
  }

  /** Whether a name from {@code index} on is that of a schema for temporary objects. */
  static boolean namesTemporarySchema(Tokens tokens, int index) {
    for (int k = index; k < tokens.size(); k++) {
      if (tokens.get(k).kind().isName() && tokens.get(k).name().startsWith("pg_temp")) {
        return true;
      }
    }
    return false;
  }
}
