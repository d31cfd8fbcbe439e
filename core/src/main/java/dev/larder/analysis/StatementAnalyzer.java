package dev.larder.analysis;

import dev.larder.bypass.BypassReason;
import dev.larder.lexer.SqlLexer;
import dev.larder.lexer.Token;
import dev.larder.lexer.Token.Kind;
import dev.larder.lexer.Tokens;
import dev.larder.sql.SessionCommand;
import dev.larder.sql.StatementFacts;
import dev.larder.sql.StatementKind;
import dev.larder.sql.WriteTarget;
import java.util.List;
import java.util.Set;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/** Says what one statement is and does, by its tokens. */
final class StatementAnalyzer {
  /** Names that read the clock, and types whose values take an offset from the present day. */
  private static final Set<String> CLOCK =
      Set.of(
          "current_date",
          "current_time",
          "current_timestamp",
          "localtime",
          "localtimestamp",
          "timetz",
          "_timetz");

  /**
   * Those that the server reads whenever it runs a statement. It reads constants when it prepares
   * one, and the others stand for values that may be compared with constants.
   */
  private static final Set<String> CLOCK_OF_EACH_RUN =
      Set.of("current_date", "current_timestamp", "localtime", "localtimestamp");

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
    this.writes = new Writes(tokens);
    this.names = new Names(tokens, writes.targets().isEmpty() && !writes.isUnclear());
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
    if (tokens.any(i -> tokens.get(i).text().equals("\u000b"))) {
      return unknown(); // White space from PostgreSQL 16 on, and an error before.
    }
    if (tokens.is(0, "explain")) {
      return explain();
    }
    StatementKind utility = UtilityClassifier.classify(tokens);
    if (utility != null) {
      return utility(utility);
    } else if (tokens.isQuery(0) || tokens.isSymbol(0, "(")) {
      return query();
    }
    boolean modifies = tokens.get(0).kind() == Kind.WORD && !writes.targets().isEmpty();
    return switch (modifies ? tokens.get(0).name() : "") {
      case "insert", "update", "delete", "merge" -> modification(BypassReason.NOT_A_QUERY);
      default -> unknown();
    };
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
    BypassReason bypass = bypassOfQuery(this::readsClock);
    BypassReason besideClock =
        bypass == BypassReason.TIME
            ? bypassOfQuery(i -> readsClock(i) && !readsClockWithEachRun(i))
            : bypass;
    return facts(StatementKind.QUERY, bypass, besideClock, List.of(), isUnclearName(), null);
  }

  /** Returns why the text forbids caching, if {@code time} tells of a token that it does so. */
  private @Nullable BypassReason bypassOfQuery(IntPredicate time) {
    if (tokens.any(i -> Writes.isLock(tokens, i))) {
      return BypassReason.ROW_LOCK;
    } else if (tokens.contains("tablesample")) {
      return BypassReason.TABLE_SAMPLE;
    } else if (isUnclearName()) {
      return BypassReason.UNKNOWN_SYNTAX;
    } else if (RegTypes.lookUp(tokens, names.identifiers())) {
      return BypassReason.UNSUPPORTED_RELATION;
    } else if (tokens.any(time)) {
      return BypassReason.TIME;
    } else if (!alone) {
      return BypassReason.MULTIPLE_STATEMENTS;
    }
    return tokens.contains(Kind.OTHER) ? BypassReason.UNPARSED : unparsed;
  }

  /**
   * Whether a name is written in a way that only the server can read, or calls a routine though it
   * stands for a type, as in TREAT (a AS name).
   */
  private boolean isUnclearName() {
    return tokens.contains(Kind.UNICODE_NAME) || names.hasTreat();
  }

  /** Whether a constant, keyword or type reads the clock. */
  private boolean readsClock(int index) {
    Token token = tokens.get(index);
    if (token.kind().isName()) {
      boolean precise = tokens.isSymbol(index + 1, "(") && tokens.isSymbol(index + 3, ")");
      boolean zoned = tokens.is(precise ? index + 4 : index + 1, "with", "time");
      return CLOCK.contains(token.name()) || (token.is("time") && zoned);
    }
    return token.kind().isText() && SqlLexer.mayReadClock(token);
  }

  private boolean readsClockWithEachRun(int index) {
    Token token = tokens.get(index);
    return token.kind().isName() && CLOCK_OF_EACH_RUN.contains(token.name());
  }

  private boolean isBalanced() {
    int depth = 0;
    for (int i = 0; i < tokens.size() && depth >= 0; i++) {
      depth += tokens.get(i).depth();
      if (tokens.isSymbol(i, ";")) {
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
    boolean temporary =
        tokens.any(i -> tokens.is(i, "into") && UtilityClassifier.isTemporaryWord(tokens, i + 1));
    boolean taints = temporary || UtilityClassifier.namesTemporarySchema(tokens);
    StatementKind kind = taints ? StatementKind.CREATE_TEMPORARY : StatementKind.DDL;
    boolean unknown = !temporary || writes.isUnclear() || isUnclearName();
    return facts(kind, BypassReason.WRITES, writes.targets(), unknown, null);
  }

  private StatementFacts unknown() {
    return facts(StatementKind.UNKNOWN, BypassReason.UNPARSED, writes.targets(), true, null);
  }

  /**
   * EXPLAIN runs its statement where ANALYZE is on, and with any list of options it may be;
   * otherwise the planner still calls functions to estimate with what they return.
   */
  private StatementFacts explain() {
    boolean analyze = tokens.isSymbol(1, "(") && !beginsQuery(2);
    int i = analyze ? tokens.afterClosing(1) : 1;
    if (!analyze) {
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
    StatementFacts run =
        explainable ? analyze(tokens.between(i, tokens.size()), alone, unparsed) : unknown();
    BypassReason reason =
        run.kind() == StatementKind.QUERY ? BypassReason.NOT_A_QUERY : BypassReason.WRITES;
    return facts(run.kind(), reason, run.targets(), run.writesUnknown(), null);
  }

  /** Whether a query begins there, within any number of brackets. */
  private boolean beginsQuery(int index) {
    int i = index;
    while (tokens.isSymbol(i, "(")) {
      i++;
    }
    return tokens.isQuery(i);
  }

  private StatementFacts utility(StatementKind kind) {
    BypassReason reason =
        kind == StatementKind.CURSOR ? BypassReason.CURSOR : BypassReason.NOT_A_QUERY;
    writes.addUtility(kind);
    boolean unknown =
        switch (kind) {
          case TRUNCATE, COPY_FROM, REFRESH -> writes.isUnclear() || isUnclearName();
          case COPY_TO, CURSOR, CREATE_TEMPORARY ->
              writes.isUnclear()
                  || isUnclearName()
                  || UtilityClassifier.namesTemporarySchema(tokens);
          case CALL, DDL, SHARED_DDL, EXECUTE, UNKNOWN -> true;
          default -> false;
        };
    boolean copies = kind == StatementKind.COPY_FROM || kind == StatementKind.COPY_TO;
    unknown |= copies && tokens.contains("program");
    unknown |= kind == StatementKind.CREATE_TEMPORARY && tokens.contains("execute");
    return facts(kind, reason, writes.targets(), unknown, SessionCommands.command(kind, tokens));
  }

  private StatementFacts facts(
      StatementKind kind,
      @Nullable BypassReason bypass,
      List<WriteTarget> targets,
      boolean writesUnknown,
      @Nullable SessionCommand command) {
    return facts(kind, bypass, bypass, targets, writesUnknown, command);
  }

  private StatementFacts facts(
      StatementKind kind,
      @Nullable BypassReason bypass,
      @Nullable BypassReason besideClock,
      List<WriteTarget> targets,
      boolean writesUnknown,
      @Nullable SessionCommand command) {
    return new StatementFacts(
        kind,
        bypass,
        besideClock,
        names.relations(),
        kind == StatementKind.QUERY ? scopes.tables() : Set.of(),
        targets,
        writesUnknown,
        names.routines(),
        names.operators(),
        names.identifiers(),
        kind == StatementKind.QUERY ? names.columns() : Set.of(),
        names.fields(),
        Conversions.of(tokens, scopes, names.fields()),
        LooseParameters.areIn(tokens),
        command,
        alone && kind == StatementKind.QUERY ? SettingCalls.of(tokens) : List.of());
  }
}
