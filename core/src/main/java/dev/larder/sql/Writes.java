package dev.larder.sql;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * What the tokens of a statement say it writes. In PostgreSQL's grammar INSERT INTO, DELETE FROM,
 * MERGE INTO and UPDATE stand at the beginning, behind a bracket or behind the name that ends a
 * SEARCH or CYCLE clause, and their target comes next. INTO and FROM are reserved. So each write is
 * found, also inside WITH and EXPLAIN, and elsewhere the four words are names.
 */
final class Writes {
  private static final Set<WriteEvent> INSERT = EnumSet.of(WriteEvent.INSERT);

  private final Tokens tokens;
  private final List<WriteTarget> targets = new ArrayList<>();
  private boolean unclear;
  private int inserts;

  Writes(Tokens tokens) {
    this.tokens = tokens;
    boolean upsert = false;
    for (int i = 0; i < tokens.size(); i++) {
      upsert |= tokens.is(i, "do", "update");
    }
    for (int i = 0; i < tokens.size(); i++) {
      collect(i, upsert);
    }
  }

  /** The relations named as targets of data-modifying statements. */
  List<WriteTarget> targets() {
    return targets;
  }

  /** Whether there is a data-modifying statement whose target is not certain. */
  boolean isUnclear() {
    return unclear;
  }

  /** Whether INTO stands anywhere but behind INSERT and MERGE, as in SELECT … INTO. */
  boolean hasSelectInto() {
    int into = 0;
    for (int i = 0; i < tokens.size(); i++) {
      if (tokens.get(i).is("into") && !tokens.isSymbol(i - 1, ".")) {
        into++;
      }
    }
    return into > inserts;
  }

  private void collect(int index, boolean upsert) {
    Token token = tokens.get(index);
    if (token.kind() != TokenKind.WORD || tokens.isSymbol(index - 1, ".")) {
      return;
    }
    switch (token.name()) {
      case "insert" ->
          collect(index, "into", upsert ? of(WriteEvent.INSERT, WriteEvent.UPDATE) : INSERT);
      case "delete" -> collect(index, "from", of(WriteEvent.DELETE));
      case "merge" ->
          collect(index, "into", of(WriteEvent.INSERT, WriteEvent.UPDATE, WriteEvent.DELETE));
      case "update" -> {
        if (!isLock(tokens, index)) {
          collect(index, "", of(WriteEvent.UPDATE));
        }
      }
      default -> {}
    }
  }

  private static Set<WriteEvent> of(WriteEvent first, WriteEvent... rest) {
    return EnumSet.of(first, rest);
  }

  /** Whether the UPDATE or SHARE at {@code index} belongs to a locking clause. */
  static boolean isLock(Tokens tokens, int index) {
    return tokens.is(index - 1, "for")
        || (tokens.is(index - 1, "key")
            && (tokens.is(index - 2, "for") || tokens.is(index - 3, "for", "no")));
  }

  private void collect(int index, String preposition, Set<WriteEvent> events) {
    boolean prefixed = !preposition.isEmpty();
    if (!mayStart(tokens.get(index - 1)) || (prefixed && !tokens.is(index + 1, preposition))) {
      return;
    }
    int name = index + (prefixed ? 2 : 1);
    inserts += preposition.equals("into") ? 1 : 0;
    if (tokens.is(name, "only")) {
      name += tokens.isSymbol(name + 1, "(") ? 2 : 1;
    }
    if (tokens.get(name).isIdentifier()) {
      targets.add(new WriteTarget(tokens.relation(name), events, false));
    } else {
      unclear |= prefixed;
    }
  }

  /**
   * What may stand before a data-modifying statement: nothing, a bracket, or the name that ends a
   * SEARCH or CYCLE clause.
   */
  private static boolean mayStart(Token before) {
    return before.kind() == TokenKind.END
        || before.isSymbol("(")
        || before.isSymbol(")")
        || before.isIdentifier();
  }
}
