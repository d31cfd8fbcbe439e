package dev.larder.resolve;

import static dev.larder.resolve.ResolvedStatement.effects;

import dev.larder.bypass.BypassReason;
import dev.larder.catalog.Relation;
import dev.larder.catalog.Routine;
import dev.larder.code.BuiltinRoutines;
import dev.larder.resolve.ResolvedStatement.Clock;
import dev.larder.sql.SessionCommand;
import dev.larder.sql.SqlAnalysis;
import dev.larder.sql.StatementFacts;
import dev.larder.sql.StatementKind;
import dev.larder.sql.WriteTarget;
import dev.larder.store.ProtocolStep;
import dev.larder.store.TableTag;
import dev.larder.store.WriteSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Decides what statements read and write in one catalog version. Used by one thread. */
public final class StatementResolver {
  private final Scope scope;

  /** Creates a resolver of statements in {@code scope}. */
  public StatementResolver(Scope scope) {
    this.scope = scope;
  }

  /** Says what the statements mean, all together. */
  public ResolvedStatement resolve(SqlAnalysis analysis) {
    List<StatementFacts> statements = analysis.statements();
    if (statements.isEmpty()) {
      return nothing(BypassReason.NOT_A_QUERY);
    }
    ResolvedStatement whole = resolve(statements.get(0));
    for (StatementFacts next : statements.subList(1, statements.size())) {
      if (ProtocolStep.ANNOUNCE_WHOLE_TEXT.isTaken()) {
        whole = whole.and(resolve(next));
      }
    }
    return whole;
  }

  /**
   * Returns the first trigger or routine that makes one of the statements write anything, for a
   * message; null where they do not, or where it is neither.
   */
  public @Nullable Undeclared undeclared(SqlAnalysis analysis) {
    for (StatementFacts facts : analysis.statements()) {
      Undeclared found = writes(facts, reads(facts)).undeclared();
      if (found != null) {
        return found;
      }
    }
    return null;
  }

  private ResolvedStatement resolve(StatementFacts facts) {
    return switch (facts.kind()) {
      case QUERY, DML, TRUNCATE, COPY_FROM, COPY_TO, REFRESH, CURSOR, CREATE_TEMPORARY, EXPLAIN ->
          data(facts);
      case CALL -> call(facts);
      case DDL -> dropsTemporary(facts) ? nothing(bypassOf(facts)) : ddl(facts);
      case SHARED_DDL -> effects(bypassOf(facts), WriteSet.EVERYWHERE, true, true);
      case CREATE_INDEX, MAINTENANCE -> withoutRows(facts);
      case EXECUTE, UNKNOWN -> effects(bypassOf(facts), WriteSet.UNKNOWN, true, true);
      default ->
          facts.writesUnknown() || !facts.targets().isEmpty()
              ? data(facts)
              : nothing(bypassOf(facts));
    };
  }

  private boolean dropsTemporary(StatementFacts facts) {
    SessionCommand command = facts.command();
    return command != null
        && command.name().equals("drop table")
        && scope.isTemporaryOnly(facts.relations())
        && !scope.catalog().hasEventTriggers();
  }

  private ResolvedStatement ddl(StatementFacts facts) {
    boolean quiet = !scope.catalog().hasEventTriggers() && !mayCall(facts);
    WriteSet writes = quiet ? new TableDdl(scope).writes(facts) : WriteSet.UNKNOWN;
    return effects(bypassOf(facts), writes, true, writes.unknown());
  }

  /** What builds an index or looks at values runs what belongs to their types, and expressions. */
  private ResolvedStatement withoutRows(StatementFacts facts) {
    if (scope.catalog().hasEventTriggers() || mayCall(facts) || mayTakeName(facts)) {
      return effects(bypassOf(facts), WriteSet.UNKNOWN, true, true);
    }
    boolean quiet = !callsUsers(facts) && scope.isTemporaryOnly(facts.relations());
    boolean sets = scope.catalog().bodies().mayAllChangeSettings(); // Such as that of an index.
    if (quiet && !sets) {
      return nothing(bypassOf(facts));
    }
    WriteClosure kept = new Upkeep(scope).writes(facts, reads(facts).relations);
    return effects(bypassOf(facts), kept.writes(), true, sets || kept.changesSettings());
  }

  /** An index nearer on the search path is found in place of a relation of its name. */
  private boolean mayTakeName(StatementFacts facts) {
    SessionCommand command = facts.command();
    if (facts.kind() != StatementKind.CREATE_INDEX || command == null) {
      return facts.kind() == StatementKind.CREATE_INDEX;
    }
    String name = command.name();
    return scope.catalog().relations().stream()
        .map(Relation::name)
        .anyMatch(name.isEmpty() ? each -> each.contains("_idx") : name::equals);
  }

  private boolean mayCall(StatementFacts facts) {
    ReadClosure reads = reads(facts);
    boolean everything = reads.relations.isEmpty();
    return reads.called.stream().anyMatch(Routine::hasEffects)
        || (everything && scope.catalog().hidden().haveEffects());
  }

  private boolean callsUsers(StatementFacts facts) {
    return facts.routines().stream()
        .anyMatch(name -> scope.catalog().routines(name).stream().anyMatch(r -> !r.builtin()));
  }

  /** Whether the names of its calls mean functions of the server's own, in this search path. */
  private boolean callsNoUsers(StatementFacts facts) {
    return facts.routines().stream()
        .flatMap(name -> scope.routines(name).stream())
        .allMatch(Routine::builtin);
  }

  /** CALL is known only where the procedure is a user's; DO never is. */
  private ResolvedStatement call(StatementFacts facts) {
    SessionCommand command = facts.command();
    boolean known =
        command != null
            && facts.routines().stream()
                .filter(name -> command.name().equals(name.name()))
                .flatMap(name -> scope.routines(name).stream())
                .anyMatch(routine -> !routine.builtin());
    return known ? data(facts) : effects(bypassOf(facts), WriteSet.EVERYWHERE, true, true);
  }

  /** A statement whose effects follow from its targets and from what it calls. */
  private ResolvedStatement data(StatementFacts facts) {
    ReadClosure reads = reads(facts);
    WriteClosure writes = writes(facts, reads);
    BypassReason bypass = bypass(facts, reads, writes, facts.bypass(), reads.reason());
    return new ResolvedStatement(
        bypass,
        clock(facts, reads, writes, bypass),
        List.copyOf(reads.tags),
        reads.relations,
        ResolvedStatement.union(reads.tables, writes.tables),
        writes.writes(),
        writes.changesCatalog(),
        writes.changesSettings(),
        !facts.settingCalls().isEmpty() && callsNoUsers(facts),
        facts.kind() == StatementKind.CREATE_TEMPORARY,
        reads.settings,
        reads.locks,
        new RowAccounts(scope).of(facts, reads, writes.writes()),
        facts.kind() == StatementKind.DML ? onlyTarget(facts, reads) : 0,
        isTold(reads) && (facts.targets().isEmpty() || !writes.readsUntold),
        StatementKeys.NONE);
  }

  private static boolean isTold(ReadClosure reads) {
    return !reads.callsUsers && reads.callsClockOnly;
  }

  private Clock clock(
      StatementFacts facts, ReadClosure reads, WriteClosure writes, @Nullable BypassReason bypass) {
    if (facts.kind() != StatementKind.QUERY) {
      return Clock.UNKNOWN;
    }
    if (bypass == BypassReason.TIME) {
      BypassReason other =
          bypass(facts, reads, writes, facts.bypassBesideClock(), reads.reasonBesideClock());
      return other == null ? Clock.ALONE : Clock.UNKNOWN;
    }
    boolean unread = isTold(reads) && facts.bypass() == null && reads.reason() == null;
    return unread ? Clock.UNREAD : Clock.UNKNOWN;
  }

  private ReadClosure reads(StatementFacts facts) {
    boolean query = facts.kind() == StatementKind.QUERY;
    ReadClosure reads = new ReadClosure(scope, query ? new RoutineReads(scope) : null);
    return new StatementReads(scope, facts, reads).all();
  }

  private WriteClosure writes(StatementFacts facts, ReadClosure reads) {
    WriteClosure writes = new WriteClosure(scope);
    for (WriteTarget target : facts.targets()) {
      if (!scope.isTemporary(target.relation())) {
        Relation relation = scope.relation(target.relation());
        target.writes().forEach(write -> writes.write(relation, write));
      }
    }
    if ((facts.writesUnknown() && facts.kind() != StatementKind.CALL)
        || firesEventTriggers(facts)) {
      writes.unknown();
    }
    if (facts.kind() == StatementKind.QUERY || facts.kind() == StatementKind.CURSOR) {
      writes.inAnyPath(() -> writes.call(reads.called)); // Rows may be fetched after a SET.
    } else {
      writes.call(reads.called);
    }
    return writes;
  }

  /** Returns the one table that is named as written, unless what follows writes it, too; or 0. */
  private long onlyTarget(StatementFacts facts, ReadClosure reads) {
    WriteTarget target = facts.targets().size() == 1 ? facts.targets().get(0) : null;
    Relation table = target == null ? null : scope.relation(target.relation());
    if (target == null || table == null || scope.isTemporary(target.relation())) {
      return 0;
    }
    WriteClosure following = new WriteClosure(scope);
    target.writes().forEach(write -> following.follow(table, write));
    following.call(reads.called);
    TableTag tag = scope.versions().tag(TableTag.Scope.RELATION, table.oid());
    WriteSet writes = following.writes();
    return writes.unknown() || writes.tags().contains(tag) ? 0 : table.oid();
  }

  /** Whether event triggers fire for the statement, besides what it says that it writes. */
  private boolean firesEventTriggers(StatementFacts facts) {
    boolean fires =
        facts.kind() == StatementKind.REFRESH || facts.kind() == StatementKind.CREATE_TEMPORARY;
    return fires && scope.catalog().hasEventTriggers();
  }

  /**
   * Returns why a statement is not cached, or null.
   *
   * @param stated why its text forbids it
   * @param found why what it reads forbids it
   */
  private @Nullable BypassReason bypass(
      StatementFacts facts,
      ReadClosure reads,
      WriteClosure writes,
      @Nullable BypassReason stated,
      @Nullable BypassReason found) {
    if (facts.kind() != StatementKind.QUERY) {
      return bypassOf(facts);
    }
    if (stated != null) {
      return stated;
    }
    if (found != null) {
      return asksTheServer(reads, found) ? BypassReason.NO_TABLE : found;
    }
    if (!writes.writes().isEmpty()) {
      return BypassReason.WRITES;
    }
    if (writes.changesSettings()) {
      return BypassReason.FUNCTION;
    }
    if (!reads.tags.isEmpty()) {
      return null;
    }
    boolean unknown = facts.sources().stream().anyMatch(name -> scope.relation(name) == null);
    return unknown ? BypassReason.UNKNOWN_RELATION : BypassReason.NO_TABLE;
  }

  /** Whether only builtin functions keep it from being cached, and it reads no table anyway. */
  private static boolean asksTheServer(ReadClosure reads, BypassReason found) {
    return reads.relations.isEmpty()
        && BuiltinRoutines.givesReason(found)
        && reads.called.stream()
            .noneMatch(call -> BuiltinRoutines.RUN_QUERIES.contains(call.name()));
  }

  private static BypassReason bypassOf(StatementFacts facts) {
    BypassReason stated = facts.bypass();
    return stated == null ? BypassReason.NOT_A_QUERY : stated;
  }

  private static ResolvedStatement nothing(BypassReason reason) {
    return effects(reason, WriteSet.NONE, false, false).with(Clock.UNREAD);
  }
}
