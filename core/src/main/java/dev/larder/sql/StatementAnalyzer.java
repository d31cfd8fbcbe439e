package dev.larder.sql;

import dev.larder.bypass.BypassReason;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Says what one statement is and does, by its tokens. */
final class StatementAnalyzer {
  private final Tokens tokens;
  private final boolean alone;
  private final @Nullable BypassReason unparsed;
  private final Names names;
  private final Writes writes;
  private final Scopes scopes;

  private StatementAnalyzer(Tokens tokens, boolean alone, @Nullable BypassReason unparsed) {
    this.tokens = tokens;
    this.alone = alone;
    this.unparsed = unparsed;
    this.names = new Names(tokens);
    this.writes = new Writes(tokens);
    this.scopes = new Scopes(tokens);
  }

  /**
   * Returns the facts of the one statement in {@code tokens}; there is at least one token.
   *
   * @param alone whether it is all of its text; only then a query may be cached
   * @param unparsed why no query may be cached for now, or null
   */
  static StatementFacts analyze(Tokens tokens, boolean alone, @Nullable BypassReason unparsed) {
    return new StatementAnalyzer(tokens, alone, unparsed).analyze();
  }

  /** Returns facts that say nothing but that the effects are unknown. */
  static StatementFacts unknown(Tokens tokens) {
    return new StatementAnalyzer(tokens, false, BypassReason.UNPARSED).unknown();
  }

  private StatementFacts analyze() {
    if (tokens.contains(token -> token.text().equals("\u000b"))) {
      return unknown(); // White space from PostgreSQL 16 on, and an error before.
    }
    if (tokens.is(0, "explain")) {
      return explain();
    }
    StatementKind utility = UtilityClassifier.classify(tokens);
    if (utility != null) {
      return utility(utility);
    }
    if (isQueryStart()) {
      return query();
    }
    boolean modifies =
        tokens.is(0, "insert")
            || tokens.is(0, "update")
            || tokens.is(0, "delete")
            || tokens.is(0, "merge");
    return modifies && !writes.targets().isEmpty()
        ? modification(BypassReason.NOT_A_QUERY)
        : unknown();
  }

  private boolean isQueryStart() {
    return tokens.is(0, "select")
        || tokens.is(0, "with")
        || tokens.is(0, "values")
        || tokens.is(0, "table")
        || tokens.isSymbol(0, "(");
  }

  private StatementFacts query() {
    if (!isBalanced()) {
      return unknown();
    }
    if (writes.hasSelectInto()) {
      return selectInto();
    }
    if (!writes.targets().isEmpty() || writes.isUnclear()) {
      return modification(BypassReason.WRITES);
    }
    return facts(StatementKind.QUERY, bypassOfQuery(), List.of(), isUnclearName(), null);
  }

  private @Nullable BypassReason bypassOfQuery() {
    if (locksRows()) {
      return BypassReason.ROW_LOCK;
    } else if (tokens.contains("tablesample")) {
      return BypassReason.TABLE_SAMPLE;
    } else if (isUnclearName()) {
      return BypassReason.UNKNOWN_SYNTAX;
    } else if (RegTypes.lookUp(tokens, names.identifiers())) {
      return BypassReason.UNSUPPORTED_RELATION;
    } else if (ClockWords.areIn(tokens)) {
      return BypassReason.TIME;
    } else if (!alone) {
      return BypassReason.MULTIPLE_STATEMENTS;
    }
    return tokens.contains(TokenKind.OTHER) ? BypassReason.UNPARSED : unparsed;
  }

  /**
   * Whether a name is written in a way that only the server can read, or calls a routine though it
   * stands for a type, as in TREAT (a AS name).
   */
  private boolean isUnclearName() {
    return tokens.contains(TokenKind.UNICODE_NAME) || names.hasTreat();
  }

  private boolean locksRows() {
    for (int i = 0; i < tokens.size(); i++) {
      Token token = tokens.get(i);
      if ((token.is("update") || token.is("share")) && Writes.isLock(tokens, i)) {
        return true;
      }
    }
    return false;
  }

  private boolean isBalanced() {
    int depth = 0;
    for (int i = 0; i < tokens.size() && depth >= 0; i++) {
      Token token = tokens.get(i);
      if (token.isSymbol("(") || token.isSymbol("[")) {
        depth++;
      } else if (token.isSymbol(")") || token.isSymbol("]")) {
        depth--;
      } else if (token.isSymbol(";")) {
        return false;
      }
    }
    return depth == 0;
  }

  private StatementFacts modification(BypassReason reason) {
    boolean unclear = writes.isUnclear() || isUnclearName() || !isBalanced();
    return facts(StatementKind.DML, reason, writes.targets(), unclear, null);
  }

  private StatementFacts selectInto() {
    boolean temporary = false;
    for (int i = 0; i < tokens.size(); i++) {
      temporary |= tokens.is(i, "into") && UtilityClassifier.isTemporaryWord(tokens, i + 1);
    }
    boolean taints = temporary || UtilityClassifier.namesTemporarySchema(tokens, 0);
    StatementKind kind = taints ? StatementKind.CREATE_TEMPORARY : StatementKind.DDL;
    boolean unknown = !temporary || writes.isUnclear() || isUnclearName();
    return facts(kind, BypassReason.WRITES, writes.targets(), unknown, null);
  }

  private StatementFacts unknown() {
    return facts(StatementKind.UNKNOWN, BypassReason.UNPARSED, writes.targets(), true, null);
  }

  /**
   * EXPLAIN runs its statement where ANALYZE is, or may be, on; otherwise the planner still calls
   * functions to estimate with what they return.
   */
  private StatementFacts explain() {
    int i = 1;
    boolean analyze = false;
    if (tokens.isSymbol(1, "(")) {
      int end = tokens.afterClosing(1);
      for (int k = 2; k < end; k++) {
        boolean option = tokens.is(k, "analyze") || tokens.is(k, "analyse");
        analyze |= option && !isOff(tokens.get(k + 1));
      }
      i = end;
    } else {
      while (tokens.is(i, "analyze") || tokens.is(i, "analyse") || tokens.is(i, "verbose")) {
        analyze |= !tokens.is(i, "verbose");
        i++;
      }
    }
    if (!analyze) {
      boolean unknown = tokens.contains("execute") || isUnclearName();
      return facts(StatementKind.EXPLAIN, BypassReason.NOT_A_QUERY, List.of(), unknown, null);
    }
    boolean explainable = i < tokens.size() && !tokens.is(i, "explain");
    StatementFacts run = explainable ? analyze(tokens.from(i), alone, unparsed) : unknown();
    BypassReason reason =
        run.kind() == StatementKind.QUERY ? BypassReason.NOT_A_QUERY : BypassReason.WRITES;
    return facts(run.kind(), reason, run.targets(), run.writesUnknown(), null);
  }

  private static boolean isOff(Token token) {
    String value = token.kind() == TokenKind.STRING ? token.text().replace("'", "") : token.name();
    return value.equalsIgnoreCase("false") || value.equalsIgnoreCase("off") || value.equals("0");
  }

  private StatementFacts utility(StatementKind kind) {
    BypassReason reason =
        kind == StatementKind.CURSOR ? BypassReason.CURSOR : BypassReason.NOT_A_QUERY;
    List<WriteTarget> targets = new ArrayList<>(writes.targets());
    boolean complete =
        switch (kind) {
          case TRUNCATE -> addTruncated(targets);
          case COPY_FROM -> addTarget(targets, copyTarget(), WriteEvent.INSERT);
          case REFRESH -> addTarget(targets, refreshTarget(), WriteEvent.REFRESH);
          default -> true;
        };
    boolean unknown =
        switch (kind) {
          case TRUNCATE, COPY_FROM, REFRESH -> !complete || isUnclearName();
          case COPY_TO, CURSOR, CREATE_TEMPORARY ->
              writes.isUnclear()
                  || isUnclearName()
                  || UtilityClassifier.namesTemporarySchema(tokens, 0);
          case CALL, DDL, SHARED_DDL, EXECUTE, UNKNOWN -> true;
          default -> false;
        };
    unknown |= isCopy(kind) && tokens.contains("program");
    unknown |= kind == StatementKind.CREATE_TEMPORARY && tokens.contains("execute");
    return facts(kind, reason, targets, unknown, Settings.command(kind, tokens));
  }

  private static boolean isCopy(StatementKind kind) {
    return kind == StatementKind.COPY_FROM || kind == StatementKind.COPY_TO;
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

  private boolean addTarget(List<WriteTarget> targets, int name, WriteEvent event) {
    if (!tokens.get(name).isIdentifier()) {
      return false;
    }
    targets.add(new WriteTarget(tokens.relation(name), EnumSet.of(event), false));
    return true;
  }

  private boolean addTruncated(List<WriteTarget> targets) {
    boolean cascade = tokens.is(tokens.size() - 1, "cascade");
    int i = tokens.is(1, "table") ? 2 : 1;
    while (true) {
      boolean only = tokens.is(i, "only");
      boolean bracket = only && tokens.isSymbol(i + 1, "(");
      i += bracket ? 2 : only ? 1 : 0;
      if (!tokens.get(i).isIdentifier()) {
        return false;
      }
      targets.add(new WriteTarget(tokens.relation(i), EnumSet.of(WriteEvent.TRUNCATE), cascade));
      i = tokens.afterName(i);
      i += bracket || tokens.isSymbol(i, "*") ? 1 : 0;
      if (!tokens.isSymbol(i, ",")) {
        return isEndOfTruncate(i);
      }
      i++;
    }
  }

  private boolean isEndOfTruncate(int index) {
    int i = index;
    if (tokens.is(i, "restart", "identity") || tokens.is(i, "continue", "identity")) {
      i += 2;
    }
    if (tokens.is(i, "cascade") || tokens.is(i, "restrict")) {
      i++;
    }
    return i == tokens.size();
  }

  private StatementFacts facts(
      StatementKind kind,
      @Nullable BypassReason bypass,
      List<WriteTarget> targets,
      boolean writesUnknown,
      @Nullable SessionCommand command) {
    return new StatementFacts(
        kind,
        bypass,
        names.relations(),
        kind == StatementKind.QUERY ? scopes.tables() : Set.of(),
        targets,
        writesUnknown,
        names.routines(),
        names.operators(),
        names.identifiers(),
        names.fields(),
        Conversions.of(tokens, scopes, names.fields()),
        LooseParameters.areIn(tokens),
        command);
  }
}
