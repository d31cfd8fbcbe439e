package dev.larder.jdbc.effects;

import dev.larder.sql.RoutineName;
import dev.larder.sql.SessionCommand;
import dev.larder.sql.StatementFacts;
import dev.larder.sql.StatementKind;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The statements that are sent together, and what they say of themselves, whatever their names mean
 * in the catalog. Found out once, since each sending asks for most of it. Immutable, but for the
 * memory of their last effects; thread-safe.
 */
public final class StatementKinds {
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

  /** What the driver does not send where no transaction is open. */
  private static final Set<StatementKind> PERHAPS_NOT_SENT =
      EnumSet.of(StatementKind.COMMIT, StatementKind.ROLLBACK, StatementKind.EMPTY);

  /** What calls of the driver consist of that are no SQL. */
  public static final StatementKinds NONE = new StatementKinds(List.of());

  private final List<StatementFacts> all;
  private final @Nullable StatementFacts only;
  private final boolean nameless;
  private final boolean harmless;
  private final boolean mayEndTransaction;
  private final boolean mayEndBlock;
  private final boolean surelySent;
  private final boolean touchingSettings;
  private final boolean changingTransaction;
  private final boolean reloadingConfiguration;
  private final boolean committingPrepared;
  private final List<String> preparedNames;
  private final boolean usingCursors;
  private final boolean rowsOnly;

  /** Racy: effects are immutable. */
  private @Nullable Effects last;

  /** Creates the summary of {@code statements}, in the order in which they run. */
  StatementKinds(List<StatementFacts> statements) {
    this.all = statements;
    this.only = statements.size() == 1 ? statements.get(0) : null;
    this.nameless = statements.stream().allMatch(StatementKinds::isNameless);
    this.harmless = statements.stream().allMatch(StatementKinds::isHarmless);
    boolean endsAndGoesOn = statements.size() > 1 && any(END_WITHOUT_COMMIT::contains);
    this.mayEndTransaction = endsAndGoesOn || any(MAY_COMMIT::contains);
    this.mayEndBlock = endsAndGoesOn || any(MAY_COMMIT_BLOCK::contains);
    this.surelySent = any(kind -> !PERHAPS_NOT_SENT.contains(kind));
    this.touchingSettings = any(StatementKinds::touchesSettings);
    this.changingTransaction = statements.stream().anyMatch(StatementKinds::changesTransaction);
    this.committingPrepared = any(kind -> kind == StatementKind.COMMIT_PREPARED);
    this.usingCursors = any(kind -> kind == StatementKind.CURSOR);
    this.rowsOnly = is(StatementKind.QUERY) || is(StatementKind.DML);
    this.reloadingConfiguration = isReloadingConfiguration();
    this.preparedNames =
        statements.stream()
            .filter(statement -> statement.kind() == StatementKind.PREPARE_TRANSACTION)
            .map(StatementKinds::name)
            .filter(name -> !name.isEmpty())
            .toList();
  }

  private boolean any(Predicate<StatementKind> wanted) {
    return all.stream().map(StatementFacts::kind).anyMatch(wanted);
  }

  private boolean isReloadingConfiguration() {
    return all.stream()
        .flatMap(statement -> statement.routines().stream())
        .map(RoutineName::name)
        .anyMatch("pg_reload_conf"::equals);
  }

  static boolean isNameless(StatementFacts statement) {
    return NAMELESS.contains(statement.kind());
  }

  private static boolean touchesSettings(StatementKind kind) {
    return kind == StatementKind.SET
        || kind == StatementKind.RESET
        || kind == StatementKind.DISCARD
        || kind == StatementKind.SET_TRANSACTION;
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
      case SET -> name(statement).startsWith("transaction_");
      default -> false;
    };
  }

  /** Returns the name in a statement that is a command, or an empty one. */
  static String name(StatementFacts statement) {
    SessionCommand command = statement.command();
    return command == null ? "" : command.name();
  }

  /** Returns the effects that were found out last, in whatever catalog, or null. */
  public @Nullable Effects last() {
    return last;
  }

  /** Remembers effects. */
  void last(Effects found) {
    last = found;
  }

  /** Returns the statements, in order; empty for calls that are no SQL. */
  public List<StatementFacts> all() {
    return all;
  }

  /** Returns the only statement, or null where there are none or several. */
  public @Nullable StatementFacts only() {
    return only;
  }

  /** Returns whether this is one statement that reads or writes rows and does nothing else. */
  boolean isRowsOnly() {
    return rowsOnly;
  }

  /** Returns whether the only statement is of {@code kind}. */
  public boolean is(StatementKind kind) {
    return only != null && only.kind() == kind;
  }

  /** Returns whether there are several. */
  public boolean areSeveral() {
    return all.size() > 1;
  }

  /** Returns whether the kinds alone say what they do. */
  public boolean needNoNames() {
    return nameless;
  }

  /** Returns whether the first needs no names. */
  public boolean beginNameless() {
    return isNameless(all.get(0));
  }

  /** Returns whether none of them can write, whatever its names mean. */
  boolean areHarmless() {
    return harmless;
  }

  /** Returns whether a transaction that is open may be committed by them. */
  boolean mayEndTransaction() {
    return mayEndTransaction;
  }

  /**
   * Returns whether a transaction block that is open may be committed by them. No statement within
   * one does that, CALL and DO included, but those that say so.
   */
  public boolean mayEndBlock() {
    return mayEndBlock;
  }

  /** Returns whether the only statement ends a transaction and begins the next. */
  public boolean isChained() {
    return only != null
        && (is(StatementKind.COMMIT) || is(StatementKind.ROLLBACK))
        && name(only).equals("chain");
  }

  /** Returns whether anything here may be refused once a transaction has read something. */
  public boolean changeTransaction() {
    return changingTransaction;
  }

  /** Returns whether the driver sends this whatever the state of the transaction. */
  public boolean areSurelySent() {
    return surelySent;
  }

  /** Returns whether anything here sets, resets or discards settings. */
  public boolean touchSettings() {
    return touchingSettings;
  }

  /** Returns whether anything here declares a cursor or fetches from one. */
  public boolean useCursors() {
    return usingCursors;
  }

  /** Returns whether the server is told to read its configuration again. */
  public boolean reloadConfiguration() {
    return reloadingConfiguration;
  }

  /** Returns whether what another transaction wrote is committed. */
  public boolean commitPrepared() {
    return committingPrepared;
  }

  /** Returns the identifiers, as far as they are understood, that transactions are prepared as. */
  public List<String> preparedNames() {
    return preparedNames;
  }

  /** Returns the identifier of the two-phase statement that this is, or null. */
  public @Nullable String preparedName(StatementKind kind) {
    return only != null && only.kind() == kind ? name(only) : null;
  }
}
