package dev.larder.jdbc.effects;

import dev.larder.bypass.BypassReason;
import dev.larder.jdbc.postgresql.ServerSettings;
import dev.larder.sql.RoutineName;
import dev.larder.sql.SessionCommand;
import dev.larder.sql.StatementFacts;
import dev.larder.sql.StatementKind;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The statements that are sent together, and what they say of themselves, whatever their names mean
 * in the catalog. Found out once, since each sending asks for most of it.
 *
 * @param all the statements, in the order in which they run; empty for calls that are no SQL
 * @param only the only statement, or null where there are none or several
 * @param needNoNames whether the kinds alone say what they do
 * @param areHarmless whether none of them can write, whatever its names mean
 * @param mayEndTransaction whether a transaction that is open may be committed by them
 * @param mayEndBlock whether a transaction block may be: no statement within one does that, CALL
 *     and DO included, but those that say so
 * @param areSurelySent whether the driver sends them whatever the state of the transaction
 * @param touchSettings whether anything here sets, resets or discards settings
 * @param changeTransaction whether anything may be refused once a transaction has read something,
 *     or {@code nameSavepoints}
 * @param nameSavepoints whether anything goes back to a savepoint or releases one: the driver sets
 *     none of its own before that
 * @param reloadConfiguration whether the server is told to read its configuration again
 * @param commitPrepared whether what another transaction wrote is committed
 * @param preparedNames the identifiers that transactions are prepared as; empty ones where they are
 *     not understood
 * @param useCursors whether anything here declares a cursor or fetches from one
 * @param isRowsOnly whether this is one statement that reads or writes rows, and nothing else
 */
public record StatementKinds(
    List<StatementFacts> all,
    @Nullable StatementFacts only,
    boolean needNoNames,
    boolean areHarmless,
    boolean mayEndTransaction,
    boolean mayEndBlock,
    boolean areSurelySent,
    boolean touchSettings,
    boolean changeTransaction,
    boolean nameSavepoints,
    boolean reloadConfiguration,
    boolean commitPrepared,
    List<String> preparedNames,
    boolean useCursors,
    boolean isRowsOnly) {
  /**
   * Statements whose kind alone says what they do. The server runs them without a snapshot, and
   * some must come before a transaction has one: SET TRANSACTION, and LOCK at REPEATABLE READ.
   */
  private static final Set<StatementKind> NAMELESS =
      EnumSet.of(
          StatementKind.BEGIN,
          StatementKind.COMMIT,
          StatementKind.ROLLBACK,
          StatementKind.SAVEPOINT,
          StatementKind.RELEASE,
          StatementKind.ROLLBACK_TO,
          StatementKind.PREPARE_TRANSACTION,
          StatementKind.COMMIT_PREPARED,
          StatementKind.ROLLBACK_PREPARED,
          StatementKind.SET,
          StatementKind.SET_TRANSACTION,
          // What its triggers do was said of the statements that they fire for.
          StatementKind.SET_CONSTRAINTS,
          StatementKind.RESET,
          StatementKind.SHOW,
          StatementKind.DEALLOCATE,
          StatementKind.UTILITY,
          StatementKind.LARDER,
          StatementKind.EMPTY);

  private static final Set<StatementKind> MAY_COMMIT =
      EnumSet.of(
          StatementKind.COMMIT,
          StatementKind.COMMIT_PREPARED,
          StatementKind.UNKNOWN,
          StatementKind.CALL,
          StatementKind.EXECUTE);

  private static final Set<StatementKind> MAY_COMMIT_BLOCK =
      EnumSet.of(StatementKind.COMMIT, StatementKind.COMMIT_PREPARED, StatementKind.UNKNOWN);

  /** What follows in the same text is committed with its end. */
  private static final Set<StatementKind> END_WITHOUT_COMMIT =
      EnumSet.of(StatementKind.ROLLBACK, StatementKind.PREPARE_TRANSACTION);

  private static final Set<StatementKind> TOUCHING_SETTINGS =
      EnumSet.of(
          StatementKind.SET,
          StatementKind.RESET,
          StatementKind.DISCARD,
          StatementKind.SET_TRANSACTION);

  /** What the driver does not send where no transaction is open. */
  private static final Set<StatementKind> PERHAPS_NOT_SENT =
      EnumSet.of(StatementKind.COMMIT, StatementKind.ROLLBACK, StatementKind.EMPTY);

  /** What calls of the driver consist of that are no SQL. */
  public static final StatementKinds NONE = of(List.of());

  /** A query of which only the words were looked at. */
  static final StatementKinds QUERY = of(List.of(query()));

  private static StatementFacts query() {
    return new StatementFacts(
        StatementKind.QUERY,
        BypassReason.SEEN_ONCE,
        BypassReason.SEEN_ONCE,
        Set.of(),
        Set.of(),
        List.of(),
        true,
        Set.of(),
        Set.of(),
        Set.of(),
        Set.of(),
        Set.of(),
        Set.of(),
        true,
        null,
        List.of());
  }

  /** Returns the summary of {@code statements}, in the order in which they run. */
  static StatementKinds of(List<StatementFacts> statements) {
    Set<StatementKind> kinds = EnumSet.noneOf(StatementKind.class);
    statements.forEach(statement -> kinds.add(statement.kind()));
    boolean one = statements.size() == 1;
    boolean namesSavepoints =
        kinds.contains(StatementKind.RELEASE) || kinds.contains(StatementKind.ROLLBACK_TO);
    boolean endsAndGoesOn = statements.size() > 1 && any(kinds, END_WITHOUT_COMMIT);
    return new StatementKinds(
        statements,
        one ? statements.get(0) : null,
        NAMELESS.containsAll(kinds),
        statements.stream().allMatch(StatementKinds::isHarmless),
        endsAndGoesOn || any(kinds, MAY_COMMIT),
        endsAndGoesOn || any(kinds, MAY_COMMIT_BLOCK),
        !PERHAPS_NOT_SENT.containsAll(kinds),
        any(kinds, TOUCHING_SETTINGS),
        namesSavepoints || statements.stream().anyMatch(StatementKinds::changesTransaction),
        namesSavepoints,
        statements.stream().anyMatch(StatementKinds::reloadsConfiguration),
        kinds.contains(StatementKind.COMMIT_PREPARED),
        statements.stream()
            .filter(statement -> statement.kind() == StatementKind.PREPARE_TRANSACTION)
            .map(StatementKinds::name)
            .toList(),
        kinds.contains(StatementKind.CURSOR),
        one && (kinds.contains(StatementKind.QUERY) || kinds.contains(StatementKind.DML)));
  }

  /** As {@link Effects#naming}. */
  StatementKinds naming(@Nullable String name) {
    SessionCommand command = name == null ? null : new SessionCommand(name);
    return of(all.stream().map(statement -> statement.with(command)).toList());
  }

  private static boolean any(Set<StatementKind> kinds, Set<StatementKind> wanted) {
    return !Collections.disjoint(kinds, wanted);
  }

  static boolean isNameless(StatementFacts statement) {
    return NAMELESS.contains(statement.kind());
  }

  private static boolean isHarmless(StatementFacts statement) {
    return switch (statement.kind()) {
      // A name may be a view that calls a function that writes; the planner may call it, too.
      case QUERY, EXPLAIN ->
          statement.relations().isEmpty()
              && statement.routines().isEmpty()
              && statement.operators().isEmpty()
              && statement.conversions().isEmpty()
              && !statement.writesUnknown();
      default -> isNameless(statement);
    };
  }

  private static boolean changesTransaction(StatementFacts statement) {
    return switch (statement.kind()) {
      case BEGIN, SET_TRANSACTION -> true;
      case SET -> statement.command() == null || name(statement).startsWith("transaction_");
      default -> false;
    };
  }

  private static boolean reloadsConfiguration(StatementFacts statement) {
    return statement.routines().stream().map(RoutineName::name).anyMatch("pg_reload_conf"::equals);
  }

  /** Returns the name in a statement that is a command, or an empty one. */
  static String name(StatementFacts statement) {
    SessionCommand command = statement.command();
    return command == null ? "" : command.name();
  }

  /** Returns whether the only statement is of {@code kind}. */
  public boolean is(StatementKind kind) {
    return only != null && only.kind() == kind;
  }

  /** Returns whether there are several. */
  public boolean areSeveral() {
    return all.size() > 1;
  }

  /** Returns whether they are no DDL, and nothing of them runs later. */
  boolean areDataAlone() {
    return !useCursors && all.stream().allMatch(StatementKinds::isData);
  }

  /** Returns whether any of them makes a schema. */
  public boolean createSchemas() {
    return only != null
        ? createsSchema(only)
        : all.stream().anyMatch(StatementKinds::createsSchema);
  }

  private static boolean createsSchema(StatementFacts statement) {
    return statement.kind() == StatementKind.DDL && name(statement).equals("create schema");
  }

  /** Returns whether the first is one that the server runs without a snapshot. */
  public boolean beginWithoutSnapshot() {
    return needNoNames || (!all.isEmpty() && (isNameless(all.get(0)) || isFetch(all.get(0))));
  }

  /** Returns whether they begin so, and their kinds alone do not say what they do. */
  public boolean mustComeFirst() {
    return (areSeveral() || (only != null && isFetch(only))) && beginWithoutSnapshot();
  }

  private static boolean isFetch(StatementFacts statement) {
    return statement.kind() == StatementKind.CURSOR && name(statement).equals("fetch");
  }

  /** Returns whether the only statement ends a transaction and begins the next. */
  public boolean isChained() {
    return only != null
        && (is(StatementKind.COMMIT) || is(StatementKind.ROLLBACK))
        && name(only).equals("chain");
  }

  /** Returns the identifier of the two-phase statement that this is, or null. */
  public @Nullable String preparedName(StatementKind kind) {
    return only != null && only.kind() == kind ? name(only) : null;
  }

  /**
   * Returns whether names may mean something else where a later statement uses them than they do
   * before the first: another search path, or another role.
   *
   * @param undoes whether the end of the transaction that is open undoes settings
   */
  boolean mayMeanOthers(boolean undoes) {
    boolean changed = false;
    for (StatementFacts statement : all) {
      if (changed && !isNameless(statement)) {
        return true;
      }
      changed |=
          switch (statement.kind()) {
            case SET, RESET -> !ServerSettings.isIrrelevant(name(statement));
            case DISCARD -> true;
            case COMMIT, ROLLBACK, ROLLBACK_TO, PREPARE_TRANSACTION -> undoes;
            default -> false;
          };
    }
    return false;
  }

  /** Returns whether a statement may change what all databases of the server share, as DO may. */
  static boolean isShared(StatementFacts statement) {
    return statement.kind() == StatementKind.SHARED_DDL
        || (statement.kind() == StatementKind.CALL && statement.routines().isEmpty());
  }

  /** Returns whether a statement is no DDL, whatever its names mean. */
  static boolean isData(StatementFacts statement) {
    return switch (statement.kind()) {
      case QUERY, EXPLAIN, DML, TRUNCATE, COPY_FROM, COPY_TO, CURSOR, REFRESH -> true;
      default -> isNameless(statement);
    };
  }
}
