package dev.larder.catalog;

import dev.larder.bypass.BypassReason;
import dev.larder.sql.RelationName;
import dev.larder.sql.RoutineName;
import dev.larder.sql.SessionCommand;
import dev.larder.sql.SqlAnalysis;
import dev.larder.sql.StatementFacts;
import dev.larder.sql.StatementKind;
import dev.larder.sql.WriteEvent;
import dev.larder.sql.WriteTarget;
import dev.larder.store.ProtocolStep;
import dev.larder.store.RowAccount;
import dev.larder.store.TableVersions;
import dev.larder.store.WriteSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decides what statements read and write: the table of what is cacheable and what is invalidated,
 * as a chain of look-ups. Used by one thread.
 */
final class StatementResolver {
  private static final Set<String> SYSTEM_COLUMNS = Set.of("ctid", "xmin", "xmax", "cmin", "cmax");
  private static final long TIME_TYPE = 1083;
  private static final long JSON_PATH = 4072;

  /** Functions whose path may take the offset of the present day. */
  private static final Set<String> PATH_READERS = Set.of("json_exists", "json_query", "json_value");

  private final NameResolver names;
  private final Declarations declarations;
  private final TableVersions versions;

  StatementResolver(NameResolver names, Declarations declarations, TableVersions versions) {
    this.names = names;
    this.declarations = declarations;
    this.versions = versions;
  }

  /** Says what the statements mean, all together. */
  ResolvedStatement resolve(SqlAnalysis analysis) {
    List<StatementFacts> statements = analysis.statements();
    if (statements.isEmpty()) {
      return nothing(BypassReason.NOT_A_QUERY);
    }
    ResolvedStatement whole = resolve(statements.get(0));
    for (StatementFacts next : statements.subList(1, statements.size())) {
      if (!ProtocolStep.ANNOUNCE_WHOLE_TEXT.isTaken()) {
        break;
      }
      whole = union(whole, resolve(next));
    }
    return whole;
  }

  /** Returns the first trigger or routine that makes one of the statements write anything. */
  @Nullable Undeclared undeclared(SqlAnalysis analysis) {
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
      case DDL ->
          dropsTemporary(facts)
              ? nothing(bypassOf(facts))
              : effects(bypassOf(facts), WriteSet.UNKNOWN, true, true);
      case SHARED_DDL -> effects(bypassOf(facts), WriteSet.EVERYWHERE, true, true);
      case CATALOG_ONLY -> catalogOnly(facts);
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
        && names.isTemporaryOnly(facts.relations())
        && !names.catalog().hasEventTriggers();
  }

  /** What builds an index or looks at values runs what belongs to their types. */
  private ResolvedStatement catalogOnly(StatementFacts facts) {
    boolean unknown = names.catalog().hasEventTriggers() || mayCall(facts);
    if (!unknown && !callsUsers(facts) && names.isTemporaryOnly(facts.relations())) {
      return nothing(bypassOf(facts));
    }
    return effects(bypassOf(facts), unknown ? WriteSet.UNKNOWN : WriteSet.NONE, true, unknown);
  }

  private boolean mayCall(StatementFacts facts) {
    ReadClosure reads = reads(facts);
    boolean everything = reads.relations().isEmpty();
    return reads.called().stream().anyMatch(Routine::hasEffects)
        || (everything && names.catalog().hidden().haveEffects());
  }

  private boolean callsUsers(StatementFacts facts) {
    return facts.routines().stream()
        .anyMatch(name -> names.catalog().routines(name).stream().anyMatch(r -> !r.builtin()));
  }

  /** Whether event triggers fire for the statement, besides what it says that it writes. */
  private boolean firesEventTriggers(StatementFacts facts) {
    boolean fires =
        facts.kind() == StatementKind.REFRESH || facts.kind() == StatementKind.CREATE_TEMPORARY;
    return fires && names.catalog().hasEventTriggers();
  }

  /** A statement whose effects follow from its targets and from what it calls. */
  private ResolvedStatement data(StatementFacts facts) {
    ReadClosure reads = reads(facts);
    WriteClosure writes = writes(facts, reads);
    Set<String> tables = new HashSet<>(reads.tables());
    tables.addAll(writes.tables());
    return new ResolvedStatement(
        bypass(facts, reads, writes),
        reads.tags(),
        reads.relations(),
        tables,
        writes.writes(),
        writes.changesCatalog(),
        writes.changesSettings(),
        facts.kind() == StatementKind.CREATE_TEMPORARY,
        reads.settings(),
        reads.locks(),
        new RowAccounts(names, declarations, versions).of(facts, reads, writes.writes()));
  }

  private WriteClosure writes(StatementFacts facts, ReadClosure reads) {
    WriteClosure writes = new WriteClosure(names, declarations, versions);
    for (WriteTarget target : facts.targets()) {
      if (names.isTemporary(target.relation())) {
        continue;
      }
      Relation relation = names.relation(target.relation());
      for (WriteEvent event : target.events()) {
        writes.write(relation, event, target.cascade());
      }
    }
    if ((facts.writesUnknown() && facts.kind() != StatementKind.CALL)
        || firesEventTriggers(facts)) {
      writes.unknown();
    }
    writes.call(reads.called());
    return writes;
  }

  private @Nullable BypassReason bypass(
      StatementFacts facts, ReadClosure reads, WriteClosure writes) {
    if (facts.kind() != StatementKind.QUERY) {
      return bypassOf(facts);
    }
    if (facts.bypass() != null) {
      return facts.bypass();
    }
    if (reads.reason() != null) {
      return asksTheServer(reads) ? BypassReason.NO_TABLE : reads.reason();
    }
    if (!writes.writes().isEmpty()) {
      return BypassReason.WRITES;
    }
    if (writes.changesSettings()) {
      return BypassReason.FUNCTION;
    }
    if (!reads.tags().isEmpty()) {
      return null;
    }
    boolean unknown = facts.sources().stream().anyMatch(name -> names.relation(name) == null);
    return unknown ? BypassReason.UNKNOWN_RELATION : BypassReason.NO_TABLE;
  }

  /** Whether only builtin functions keep it from being cached, and it reads no table anyway. */
  private static boolean asksTheServer(ReadClosure reads) {
    return reads.relations().isEmpty()
        && BuiltinRoutines.REASONS.contains(reads.reason())
        && reads.called().stream().noneMatch(call -> BuiltinRoutines.runsQueries(call.name()));
  }

  /** CALL is known only where the procedure is a user's; DO never is. */
  private ResolvedStatement call(StatementFacts facts) {
    SessionCommand command = facts.command();
    boolean known = false;
    for (RoutineName name : facts.routines()) {
      known |=
          command != null
              && command.name().equals(name.name())
              && names.catalog().routines(name).stream()
                  .anyMatch(routine -> !routine.builtin() && names.sees(name, routine));
    }
    return known ? data(facts) : effects(bypassOf(facts), WriteSet.EVERYWHERE, true, true);
  }

  private ReadClosure reads(StatementFacts facts) {
    ReadClosure reads = new ReadClosure(names.catalog(), declarations, versions);
    if (names.searches("pg_toast")) {
      reads.bypass(BypassReason.UNSUPPORTED_RELATION);
    }
    for (RelationName name : facts.relations()) {
      Relation relation = names.relation(name);
      if ("pg_toast".equals(name.schema())) {
        reads.bypass(BypassReason.UNSUPPORTED_RELATION);
      } else if (relation != null) {
        reads.read(relation, true);
      } else if (names.catalog().lacks(name)) {
        reads.bypass(BypassReason.UNKNOWN_RELATION);
      }
    }
    for (String identifier : facts.identifiers()) {
      Relation relation = names.relation(identifier);
      if (relation != null) {
        reads.read(relation, false);
      }
      reads.hidden(names.catalog().hidden().named(identifier));
      if (identifier.startsWith("pg_temp")) {
        unknown(reads, BypassReason.TEMPORARY_TABLE);
      }
      if (SYSTEM_COLUMNS.contains(identifier)) {
        reads.bypass(BypassReason.UNSUPPORTED_RELATION);
      }
    }
    reads.bypass(new TextInput(names).bypass(facts.conversions()));
    List.copyOf(reads.columnTypes()).forEach(reads::useType);
    if (facts.kind() == StatementKind.CREATE_TEMPORARY) {
      defaults(facts, reads);
    }
    reads.hidden(names.catalog().hidden().everywhere());
    operators(facts, reads, routines(facts, reads));
    return reads;
  }

  /** What writes to the new table will run: columns may be of any type that is named or read. */
  private void defaults(StatementFacts facts, ReadClosure reads) {
    HiddenCalls hidden = names.catalog().hidden();
    facts.identifiers().forEach(identifier -> reads.hidden(hidden.ofDefaultNamed(identifier)));
    reads.columnTypes().forEach(type -> reads.hidden(hidden.ofDefault(type)));
  }

  /** Adds what is called; returns whether any of it is a user's. */
  private boolean routines(StatementFacts facts, ReadClosure reads) {
    boolean timeWithZone = usesTimeWithZone(facts, reads);
    boolean users = false;
    for (RoutineName name : facts.routines()) {
      boolean known = name.schema() == null;
      for (Routine routine : names.catalog().routines(name)) {
        if (names.sees(name, routine)) {
          known = true;
          if (timeWithZone || !routine.timeWithZoneOnly()) {
            if (!routine.builtin() || !BuiltinRoutines.isJudgedByText(routine.name())) {
              reads.call(routine, null);
            }
            users |= !routine.builtin();
          }
        }
      }
      if (!known && !isSomethingElse(name)) {
        unknown(reads, BypassReason.FUNCTION);
      }
    }
    users |= fields(facts, reads);
    if (users || facts.operators().stream().anyMatch(names.catalog().usersOperators()::isUsers)) {
      reads.hidden(names.catalog().hidden().casts());
    }
    return users;
  }

  /** Adds calls in the notation of a column; returns whether there are any of users' routines. */
  private boolean fields(StatementFacts facts, ReadClosure reads) {
    boolean users = false;
    for (String identifier : facts.identifiers()) {
      RoutineName name = new RoutineName(null, identifier);
      boolean ofValue = facts.fields().contains(identifier);
      for (Routine routine : names.catalog().routines(name)) {
        boolean called =
            routine.fields() == Routine.Fields.OF_ROWS
                || (ofValue && routine.fields() == Routine.Fields.OF_VALUES);
        if (called && names.sees(name, routine)) {
          reads.call(routine, null);
          users |= !routine.builtin();
        }
      }
    }
    return users;
  }

  /** Whether what looks like a call names a type or relation, as before a list of columns. */
  private boolean isSomethingElse(RoutineName name) {
    String schema = name.schema();
    return "pg_catalog".equals(schema)
        || names.catalog().isType(name)
        || names.relation(new RelationName(schema, name.name())) != null;
  }

  private static void unknown(ReadClosure reads, BypassReason reason) {
    reads.call(Routine.unknown(0), reason);
  }

  private void operators(StatementFacts facts, ReadClosure reads, boolean users) {
    UsersOperators operators = names.catalog().usersOperators();
    boolean qualified = facts.routines().stream().anyMatch(name -> name.name().equals("operator"));
    boolean typed =
        facts.kind() == StatementKind.QUERY
            && facts.bypass() == null
            && !facts.looseParameter()
            && !users
            && !qualified
            && !names.mayBeTemporary();
    Set<Long> types = typed ? operators.types(facts, reads.columnTypes()) : null;
    for (String symbol : facts.operators()) {
      for (UsersOperators.Operator operator : operators.thatMatter(symbol)) {
        if ((qualified || names.searches(operator.schema()))
            && UsersOperators.mayBeChosen(operator, types)) {
          reads.call(operator.routine(), BypassReason.OPERATOR);
        }
      }
    }
  }

  /**
   * A time becomes a time with time zone by the offset of the present day, and so does a text
   * without an offset. Nothing shows where; so a named column of that type and any operator or call
   * forbid caching, and so do a named time and AT TIME ZONE, and JSON_VALUE with a path that is not
   * in the text.
   *
   * @return whether routines may be called with such a value
   */
  private static boolean usesTimeWithZone(StatementFacts facts, ReadClosure reads) {
    boolean named = reads.zonedTimes().stream().anyMatch(facts.identifiers()::contains);
    boolean alone =
        facts.operators().isEmpty()
            && facts.routines().isEmpty()
            && !facts.identifiers().contains("coalesce");
    boolean combined = reads.columnTypes().contains(TIME_TYPE) && reads.tags().size() > 1;
    boolean moved =
        facts.routines().stream().anyMatch(routine -> routine.name().equals("timezone"))
            && reads.localTimes().stream().anyMatch(facts.identifiers()::contains);
    boolean storedPath =
        (reads.columnTypes().contains(JSON_PATH) || facts.identifiers().contains("jsonpath"))
            && facts.routines().stream().anyMatch(call -> PATH_READERS.contains(call.name()));
    if ((named && !alone) || (combined && !reads.zonedTimes().isEmpty()) || moved || storedPath) {
      reads.bypass(BypassReason.TIME);
    }
    return !reads.zonedTimes().isEmpty()
        || facts.identifiers().contains("timetz")
        || facts.identifiers().contains("time");
  }

  private static BypassReason bypassOf(StatementFacts facts) {
    BypassReason stated = facts.bypass();
    return stated == null ? BypassReason.NOT_A_QUERY : stated;
  }

  private static ResolvedStatement nothing(BypassReason reason) {
    return effects(reason, WriteSet.NONE, false, false);
  }

  private static ResolvedStatement effects(
      BypassReason reason, WriteSet writes, boolean reloadsCatalog, boolean changesSettings) {
    return new ResolvedStatement(
        reason,
        List.of(),
        Set.of(),
        Set.of(),
        writes,
        reloadsCatalog,
        changesSettings,
        false,
        Set.of(),
        Set.of(),
        writes.isEmpty() ? RowAccount.NONE : RowAccount.UNKNOWN);
  }

  private static ResolvedStatement union(ResolvedStatement one, ResolvedStatement other) {
    Set<String> tables = new HashSet<>(one.tables());
    tables.addAll(other.tables());
    Set<Long> locks = new HashSet<>(one.locks());
    locks.addAll(other.locks());
    return new ResolvedStatement(
        BypassReason.MULTIPLE_STATEMENTS,
        List.of(),
        Set.of(),
        tables,
        one.writes().union(other.writes()),
        one.reloadsCatalog() || other.reloadsCatalog(),
        one.changesSettings() || other.changesSettings(),
        one.taintsSession() || other.taintsSession(),
        Set.of(),
        locks,
        one.rows().and(other.rows()).withoutCount());
  }
}
