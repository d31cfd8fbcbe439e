package dev.larder.analysis;

import dev.larder.lexer.Token;
import dev.larder.lexer.Token.Kind;
import dev.larder.lexer.Tokens;
import dev.larder.sql.StatementKind;
import dev.larder.sql.WriteEvent;
import dev.larder.sql.WriteTarget;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What the tokens of a statement say it writes. In PostgreSQL's grammar INSERT INTO, DELETE FROM,
 * MERGE INTO and UPDATE stand at the beginning, behind a bracket or behind the name that ends a
 * SEARCH or CYCLE clause, and their target comes next. INTO and FROM are reserved. So each write is
 * found, also inside WITH and EXPLAIN, and elsewhere the four words are names.
 */
final class Writes {
  private static final int MOST_SETS = 20;

  private final Tokens tokens;
  private final List<WriteTarget> targets = new ArrayList<>();
  private boolean unclear;
  private int inserts;

  Writes(Tokens tokens) {
    this.tokens = tokens;
    boolean upsert = tokens.any(i -> tokens.is(i, "do", "update"));
    for (int i = 0; i < tokens.size(); i++) {
      collect(i, upsert);
    }
  }

  /** The columns that the one DO UPDATE of the text may set, or null where they are not certain. */
  private @Nullable Set<String> setOfUpsert() {
    List<Integer> upserts =
        IntStream.range(0, tokens.size())
            .filter(i -> tokens.is(i, "do", "update"))
            .boxed()
            .toList();
    return upserts.size() == 1 ? SetColumns.ofSet(tokens, upserts.get(0) + 2) : null;
  }

  /** The targets of writes. */
  List<WriteTarget> targets() {
    return targets;
  }

  /** Whether there is a write whose target is not certain. */
  boolean isUnclear() {
    return unclear;
  }

  /** Whether INTO stands anywhere but behind INSERT and MERGE, as in SELECT … INTO. */
  boolean hasSelectInto() {
    return tokens.count(i -> tokens.is(i, "into") && !tokens.isSymbol(i - 1, ".")) > inserts;
  }

  private void collect(int index, boolean upsert) {
    Token token = tokens.get(index);
    if (token.kind() != Kind.WORD || tokens.isSymbol(index - 1, ".")) {
      return;
    }
    switch (token.name()) {
      case "insert" ->
          collect(
              index,
              "into",
              upsert ? Set.of(WriteEvent.INSERT, WriteEvent.UPDATE) : Set.of(WriteEvent.INSERT));
      case "delete" -> collect(index, "from", Set.of(WriteEvent.DELETE));
      case "merge" ->
          collect(index, "into", Set.of(WriteEvent.INSERT, WriteEvent.UPDATE, WriteEvent.DELETE));
      case "update" -> {
        if (!isLock(tokens, index)) {
          collect(index, "", Set.of(WriteEvent.UPDATE));
        }
      }
      default -> {}
    }
  }

  /** Whether an UPDATE or SHARE stands at {@code index} that belongs to a locking clause. */
  static boolean isLock(Tokens tokens, int index) {
    int start = tokens.is(index - 1, "key") ? index - 1 : index;
    return (tokens.is(index, "update") || tokens.is(index, "share"))
        && (tokens.is(start - 1, "for") || (start < index && tokens.is(start - 2, "for", "no")));
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
      targets.add(new WriteTarget(Names.relation(tokens, name), events, false, set(name, events)));
    } else {
      unclear |= prefixed;
    }
  }

  /**
   * What MERGE sets is not looked for, nor what follows many others: that may be far to the end.
   */
  private @Nullable Set<String> set(int name, Set<WriteEvent> events) {
    if (!events.contains(WriteEvent.UPDATE)
        || events.contains(WriteEvent.DELETE)
        || targets.size() > MOST_SETS) {
      return null;
    }
    return events.size() == 1 ? SetColumns.ofUpdate(tokens, name) : setOfUpsert();
  }

  /**
   * What may stand before a data-modifying statement: nothing, a bracket, or the name that ends a
   * SEARCH or CYCLE clause.
   */
  private static boolean mayStart(Token before) {
    return before.kind() == Kind.END
        || before.isSymbol("(")
        || before.isSymbol(")")
        || before.isIdentifier();
  }

  /** Adds what TRUNCATE, COPY … FROM or REFRESH names; nothing for other kinds. */
  void addUtility(StatementKind kind) {
    boolean clear =
        switch (kind) {
          case TRUNCATE -> addTruncated();
          case COPY_FROM -> add(copyTarget(), WriteEvent.INSERT, false);
          case REFRESH -> add(refreshTarget(), WriteEvent.REFRESH, false);
          default -> true;
        };
    unclear |= !clear;
  }

  private boolean add(int name, WriteEvent event, boolean cascade) {
    boolean clear = tokens.get(name).isIdentifier();
    if (clear) {
      targets.add(new WriteTarget(Names.relation(tokens, name), Set.of(event), cascade, null));
    }
    return clear;
  }

  private int copyTarget() {
    return tokens.is(1, "binary") && tokens.get(2).isIdentifier() ? 2 : 1;
  }

  private int refreshTarget() {
    if (!tokens.is(1, "materialized", "view")) {
      return tokens.size();
    }
    return tokens.is(3, "concurrently") ? 4 : 3;
  }

  private boolean addTruncated() {
    boolean cascade = tokens.is(tokens.size() - 1, "cascade");
    int i = tokens.is(1, "table") ? 2 : 1;
    while (true) {
      boolean only = tokens.is(i, "only");
      boolean bracket = only && tokens.isSymbol(i + 1, "(");
      i += bracket ? 2 : only ? 1 : 0;
      if (!add(i, WriteEvent.TRUNCATE, cascade)) {
        return false;
      }
      i = tokens.afterName(i);
      i += bracket || tokens.isSymbol(i, "*") ? 1 : 0;
      if (!tokens.isSymbol(i, ",")) {
        return isEndOfTruncate(i);
      }
      i++;
    }
  }

  private boolean isEndOfTruncate(int index) {
    boolean identity =
        tokens.is(index, "restart", "identity") || tokens.is(index, "continue", "identity");
    int i = identity ? index + 2 : index;
    boolean mode = tokens.is(i, "cascade") || tokens.is(i, "restrict");
    return (mode ? i + 1 : i) == tokens.size();
  }
}
