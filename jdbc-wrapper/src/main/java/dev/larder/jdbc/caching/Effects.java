package dev.larder.jdbc.caching;

import dev.larder.catalog.ResolvedStatement;
import dev.larder.engine.Database;
import dev.larder.engine.Plan;
import dev.larder.jdbc.postgresql.ServerSettings;
import dev.larder.remote.RemotePicture;
import dev.larder.sql.RoutineName;
import dev.larder.sql.SessionCommand;
import dev.larder.sql.StatementFacts;
import dev.larder.sql.StatementKind;
import dev.larder.store.WriteSet;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What sending something to the server may do, as known before it is sent. Immutable.
 *
 * @param statements the statements, in order; empty for calls that are no SQL
 * @param writes what may be written
 * @param mayEndTransaction whether a transaction that is open may be committed by it
 * @param reloadsCatalog whether the catalog may look different afterwards
 * @param changesSettings whether settings may change in ways that the text does not tell
 * @param taintsSession whether temporary objects may shadow others afterwards
 * @param locks the relations that are locked at the server once it has run
 * @param resolved the one statement that runs, or null for anything else
 * @param catalogGeneration the generation of the catalog that this was found out with
 * @param picture what all JVMs tell that catalog from others by, or null where that is not known
 */
record Effects(
    List<StatementFacts> statements,
    WriteSet writes,
    boolean mayEndTransaction,
    boolean reloadsCatalog,
    boolean changesSettings,
    boolean taintsSession,
    Set<Long> locks,
    @Nullable ResolvedStatement resolved,
    long catalogGeneration,
    @Nullable RemotePicture picture) {

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

  /** Returns the effects of something unknown. */
  static Effects unknown(List<StatementFacts> statements, long catalogGeneration) {
    return new Effects(
        statements,
        statements.stream().anyMatch(Effects::isShared) ? WriteSet.EVERYWHERE : WriteSet.UNKNOWN,
        true,
        statements.isEmpty() || !statements.stream().allMatch(Effects::isData),
        true,
        true,
        Set.of(),
        null,
        catalogGeneration,
        null);
  }

  /** Returns whether a statement may change what all databases of the server share, as DO may. */
  private static boolean isShared(StatementFacts statement) {
    return statement.kind() == StatementKind.SHARED_DDL
        || (statement.kind() == StatementKind.CALL && statement.routines().isEmpty());
  }

  /** Returns whether the server is told to read its configuration again. */
  boolean reloadsConfiguration() {
    for (StatementFacts statement : statements) {
      for (RoutineName routine : statement.routines()) {
        if (routine.name().equals("pg_reload_conf")) {
          return true;
        }
      }
    }
    return false;
  }

  /** Returns whether a statement is no DDL, whatever its names mean. */
  private static boolean isData(StatementFacts statement) {
    return switch (statement.kind()) {
      case QUERY, EXPLAIN, DML, TRUNCATE, COPY_FROM, COPY_TO, CURSOR, REFRESH -> true;
      default -> isHarmless(statement);
    };
  }

  /** Returns whether what another transaction wrote is committed. */
  boolean isOfPreparedTransaction() {
    for (StatementFacts statement : statements) {
      if (statement.kind() == StatementKind.COMMIT_PREPARED) {
        return true;
      }
    }
    return false;
  }

  /** Returns the effects of a call of the driver that is no SQL and writes {@code writes}. */
  static Effects writing(WriteSet writes, long catalogGeneration) {
    return new Effects(
        List.of(), writes, false, false, false, false, Set.of(), null, catalogGeneration, null);
  }

  /**
   * Returns the effects of a plan.
   *
   * @param resolved what it means in the catalog, or null where that is not known
   * @param undoes whether the end of the transaction that is open undoes settings
   * @param picture of that catalog
   */
  static Effects of(
      Plan plan,
      @Nullable ResolvedStatement resolved,
      boolean undoes,
      Database database,
      long generation,
      @Nullable RemotePicture picture) {
    List<StatementFacts> statements = plan.statements();
    boolean changing = resolved != null && resolved.changesSettings() && statements.size() > 1;
    if (resolved == null || changing || mayMeanOthers(statements, undoes)) {
      return withoutCatalog(statements, database, generation);
    }
    return new Effects(
        statements,
        resolved.writes().union(prepared(statements, database)),
        mayEndTransaction(statements),
        resolved.reloadsCatalog(),
        resolved.changesSettings(),
        resolved.taintsSession(),
        resolved.locks(),
        resolved,
        generation,
        picture);
  }

  /**
   * Returns the effects of several plans that are sent together.
   *
   * @param undoes whether the end of the transaction that is open undoes settings
   */
  static Effects union(Collection<Effects> all, boolean undoes) {
    List<StatementFacts> statements = new ArrayList<>();
    WriteSet writes = WriteSet.NONE;
    boolean ends = false;
    boolean reloads = false;
    boolean settings = false;
    boolean taints = false;
    Set<Long> locks = new HashSet<>();
    long generation = Long.MAX_VALUE;
    Set<@Nullable RemotePicture> pictures = new HashSet<>();
    for (Effects one : all) {
      pictures.add(one.picture);
      statements.addAll(one.statements);
      writes = writes.union(one.writes);
      ends |= one.mayEndTransaction;
      reloads |= one.reloadsCatalog;
      settings |= one.changesSettings;
      taints |= one.taintsSession;
      locks.addAll(one.locks);
      generation = Math.min(generation, one.catalogGeneration);
    }
    if (settings || mayMeanOthers(statements, undoes)) {
      return unknown(statements, generation);
    }
    return new Effects(
        statements,
        writes,
        ends || mayEndTransaction(statements),
        reloads,
        settings,
        taints,
        locks,
        null,
        generation,
        pictures.size() == 1 ? pictures.iterator().next() : null);
  }

  /**
   * Returns whether names may mean something else where a later statement uses them than they do
   * before the first: another search path, or another role.
   */
  private static boolean mayMeanOthers(List<StatementFacts> statements, boolean undoes) {
    boolean changed = false;
    for (StatementFacts statement : statements) {
      if (changed && !NAMELESS.contains(statement.kind())) {
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

  /**
   * Without a catalog only those statements are harmless that cannot write whatever their names
   * mean.
   */
  private static Effects withoutCatalog(
      List<StatementFacts> statements, Database database, long generation) {
    for (StatementFacts statement : statements) {
      if (!isHarmless(statement)) {
        return unknown(statements, generation);
      }
    }
    return new Effects(
        statements,
        prepared(statements, database),
        mayEndTransaction(statements),
        false,
        false,
        false,
        Set.of(),
        null,
        generation,
        null);
  }

  /** Returns whether the kinds of the statements alone say what they do. */
  static boolean needNoNames(List<StatementFacts> statements) {
    for (StatementFacts statement : statements) {
      if (!NAMELESS.contains(statement.kind())) {
        return false;
      }
    }
    return true;
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
      default -> NAMELESS.contains(statement.kind());
    };
  }

  /**
   * Returns whether this writes, or may do so by the time it runs: while it waits for a lock,
   * others may replace a function that it calls, or create a trigger or a view.
   */
  boolean mayComeToWrite() {
    if (!writes.isEmpty()) {
      return true;
    }
    for (StatementFacts statement : statements) {
      if (!isHarmless(statement)) {
        return true;
      }
    }
    return false;
  }

  private static boolean mayEndTransaction(List<StatementFacts> statements) {
    for (StatementFacts statement : statements) {
      switch (statement.kind()) {
        case COMMIT, UNKNOWN, CALL, COMMIT_PREPARED, EXECUTE -> {
          return true;
        }
        // What follows in the same text is committed with its end.
        case ROLLBACK, PREPARE_TRANSACTION -> {
          if (statements.size() > 1) {
            return true;
          }
        }
        default -> {}
      }
    }
    return false;
  }

  /**
   * Returns whether a transaction block that is open may be committed by it. No statement within
   * one does that, CALL and DO included, but those that say so.
   */
  boolean mayEndBlock() {
    for (StatementFacts statement : statements) {
      switch (statement.kind()) {
        case COMMIT, COMMIT_PREPARED, UNKNOWN -> {
          return true;
        }
        case ROLLBACK, PREPARE_TRANSACTION -> {
          if (statements.size() > 1) {
            return true;
          }
        }
        default -> {}
      }
    }
    return false;
  }

  /** A name that is not understood is empty, and never remembered. */
  private static WriteSet prepared(List<StatementFacts> statements, Database database) {
    WriteSet writes = WriteSet.NONE;
    for (StatementFacts statement : statements) {
      if (statement.kind() == StatementKind.COMMIT_PREPARED) {
        writes = writes.union(database.preparedWrites(name(statement)));
      }
    }
    return writes;
  }

  private static String name(StatementFacts statement) {
    SessionCommand command = statement.command();
    return command == null ? "" : command.name();
  }

  /** Returns whether the only statement is of {@code kind}. */
  boolean is(StatementKind kind) {
    return statements.size() == 1 && statements.get(0).kind() == kind;
  }

  /** Returns whether the only statement ends a transaction and begins the next. */
  boolean isChained() {
    return (is(StatementKind.COMMIT) || is(StatementKind.ROLLBACK))
        && name(statements.get(0)).equals("chain");
  }

  /** Returns whether anything here may be refused once a transaction has read something. */
  boolean changesTransaction() {
    for (StatementFacts statement : statements) {
      StatementKind kind = statement.kind();
      if (kind == StatementKind.SET_TRANSACTION
          || kind == StatementKind.BEGIN
          || (kind == StatementKind.SET && name(statement).startsWith("transaction_"))) {
        return true;
      }
    }
    return false;
  }

  /** Returns whether a transaction that is open afterwards may be another than the one before. */
  boolean mayRestartTransaction() {
    return statements.size() > 1 && mayEndTransaction;
  }

  /** Returns whether the driver sends this whatever the state of the transaction. */
  boolean isSurelySent() {
    for (StatementFacts statement : statements) {
      switch (statement.kind()) {
        case COMMIT, ROLLBACK, EMPTY -> {}
        default -> {
          return true;
        }
      }
    }
    return false;
  }

  /** Returns the identifier of the two-phase statement that this is, or null. */
  @Nullable String preparedName(StatementKind kind) {
    return is(kind) ? name(statements.get(0)) : null;
  }

  /** Returns whether anything here sets, resets or discards settings. */
  boolean touchesSettings() {
    for (StatementFacts statement : statements) {
      if (SessionTracker.isSessionStatement(statement.kind())) {
        return true;
      }
    }
    return false;
  }
}
