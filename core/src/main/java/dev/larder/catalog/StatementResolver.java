package dev.larder.catalog;

import dev.larder.sql.BypassReason;
import dev.larder.sql.RelationName;
import dev.larder.sql.RoutineName;
import dev.larder.sql.SqlAnalysis;
import dev.larder.sql.StatementFacts;
import dev.larder.sql.StatementKind;
import dev.larder.sql.WriteEvent;
import dev.larder.sql.WriteTarget;
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
  private static final Set<String> CLOCK_KEYWORDS =
      Set.of("current_date", "current_time", "current_timestamp", "localtime", "localtimestamp");
  private static final Set<String> TIME_TYPES =
      Set.of(
          "date",
          "daterange",
          "time",
          "timestamp",
          "timestamptz",
          "timetz",
          "tsrange",
          "tstzrange");
  private static final Set<String> DOCUMENT_READERS =
      Set.of("json_query", "json_table", "json_value", "xmltable");
  private static final long TIME_TYPE = 1083;

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
      whole = union(whole, resolve(next));
    }
    return whole;
  }

  private ResolvedStatement resolve(StatementFacts facts) {
    return switch (facts.kind()) {
      case QUERY, DML, TRUNCATE, COPY_FROM, COPY_TO, REFRESH, CURSOR, CREATE_TEMPORARY ->
          data(facts);
      case CALL -> call(facts);
      case DDL -> effects(bypassOf(facts), WriteSet.UNKNOWN, true, true);
      case CATALOG_ONLY -> catalogOnly(facts);
      case EXECUTE, UNKNOWN -> effects(bypassOf(facts), WriteSet.UNKNOWN, true, true);
      default ->
          facts.writesUnknown() || !facts.targets().isEmpty()
              ? data(facts)
              : nothing(bypassOf(facts));
    };
  }

  private ResolvedStatement catalogOnly(StatementFacts facts) {
    boolean unknown = names.catalog().hasEventTriggers();
    return effects(bypassOf(facts), unknown ? WriteSet.UNKNOWN : WriteSet.NONE, true, unknown);
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
    WriteClosure writes = new WriteClosure(names, declarations, versions);
    for (WriteTarget target : facts.targets()) {
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
    Set<String> tables = new HashSet<>(reads.tables());
    tables.addAll(writes.tables());
    WriteSet written = writes.writes();
    return new ResolvedStatement(
        bypass(facts, reads, written),
        reads.tags(),
        reads.relations(),
        tables,
        written,
        written.unknown(),
        writes.changesSettings(),
        facts.kind() == StatementKind.CREATE_TEMPORARY,
        reads.settings(),
        reads.locks());
  }

  private static @Nullable BypassReason bypass(
      StatementFacts facts, ReadClosure reads, WriteSet writes) {
    if (facts.kind() != StatementKind.QUERY) {
      return bypassOf(facts);
    }
    if (facts.bypass() != null) {
      return facts.bypass();
    }
    if (reads.reason() != null) {
      return reads.reason();
    }
    if (!writes.isEmpty()) {
      return BypassReason.WRITES;
    }
    return reads.tags().isEmpty() ? BypassReason.NO_TABLE : null;
  }

  /** CALL is known only where every routine that it names is declared; DO never is. */
  private ResolvedStatement call(StatementFacts facts) {
    boolean known = false;
    for (RoutineName name : facts.routines()) {
      known |=
          names.catalog().routines(name).stream()
              .anyMatch(routine -> !routine.builtin() && names.sees(name, routine));
    }
    return known ? data(facts) : effects(bypassOf(facts), WriteSet.UNKNOWN, true, true);
  }

  private ReadClosure reads(StatementFacts facts) {
    ReadClosure reads = new ReadClosure(names.catalog(), declarations, versions);
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
      names.catalog().hazards().named(identifier).forEach(reads::hazard);
      if (SYSTEM_COLUMNS.contains(identifier)) {
        reads.bypass(BypassReason.UNSUPPORTED_RELATION);
      } else if (CLOCK_KEYWORDS.contains(identifier)) {
        reads.bypass(BypassReason.TIME);
      }
    }
    if (readsClockByType(facts)) {
      reads.bypass(BypassReason.TIME);
    }
    List.copyOf(reads.columnTypes()).forEach(reads::useType);
    names.catalog().hazards().everywhere().forEach(reads::hazard);
    routines(facts, reads);
    operators(facts, reads);
    return reads;
  }

  /**
   * Whether a value becomes one of a user's type whose input reads the clock: by a cast, by a call
   * of the type, or as a column of a document.
   */
  private boolean readsClockByType(StatementFacts facts) {
    CatalogSnapshot catalog = names.catalog();
    boolean documents = false;
    for (RoutineName routine : facts.routines()) {
      if (catalog.isClockType(routine.name())) {
        return true;
      }
      documents |= DOCUMENT_READERS.contains(routine.name());
    }
    Set<String> types = documents ? facts.identifiers() : facts.conversions();
    return types.stream().anyMatch(catalog::isClockType);
  }

  private void routines(StatementFacts facts, ReadClosure reads) {
    boolean timeWithZone = usesTimeWithZone(facts, reads);
    boolean users = false;
    for (RoutineName name : facts.routines()) {
      boolean builtin = false;
      for (Routine routine : names.catalog().routines(name)) {
        if (names.sees(name, routine) && (timeWithZone || !routine.timeWithZoneOnly())) {
          reads.call(routine, null);
          builtin |= routine.builtin();
          users |= !routine.builtin();
        }
      }
      if (builtin && BuiltinRoutines.isConversion(name.name())) {
        reads.bypass(BypassReason.TIME);
      }
      boolean clock = CLOCK_KEYWORDS.contains(name.name());
      if (clock || (DOCUMENT_READERS.contains(name.name()) && namesTimeType(facts))) {
        reads.bypass(BypassReason.TIME);
      }
    }
    for (String identifier : facts.identifiers()) {
      RoutineName name = new RoutineName(null, identifier);
      for (Routine routine : names.catalog().routines(name)) {
        if (routine.attributeStyle() && names.sees(name, routine)) {
          reads.call(routine, null);
          users |= !routine.builtin();
        }
      }
    }
    if (users) {
      names.catalog().hazards().casts().forEach(reads::hazard);
    }
  }

  private void operators(StatementFacts facts, ReadClosure reads) {
    RoutineName unqualified = new RoutineName(null, "");
    boolean qualified = facts.routines().stream().anyMatch(name -> name.name().equals("operator"));
    for (String symbol : facts.operators()) {
      for (Routine routine : names.catalog().uncacheableOperators(symbol)) {
        if (qualified || names.sees(unqualified, routine)) {
          reads.call(routine, BypassReason.OPERATOR);
        }
      }
    }
  }

  /**
   * A time becomes a time with time zone by the offset of the present day, and so does a text
   * without an offset. Nothing shows where; so a named column of that type and any operator forbid
   * caching.
   *
   * @return whether routines may be called with such a value
   */
  private static boolean usesTimeWithZone(StatementFacts facts, ReadClosure reads) {
    boolean named = reads.zonedTimes().stream().anyMatch(facts.identifiers()::contains);
    boolean combined = reads.columnTypes().contains(TIME_TYPE) && reads.tags().size() > 1;
    if ((named && !facts.operators().isEmpty()) || (combined && !reads.zonedTimes().isEmpty())) {
      reads.bypass(BypassReason.TIME);
    }
    return !reads.zonedTimes().isEmpty()
        || facts.identifiers().contains("timetz")
        || facts.identifiers().contains("time");
  }

  private static boolean namesTimeType(StatementFacts facts) {
    return facts.identifiers().stream().anyMatch(TIME_TYPES::contains);
  }

  private static BypassReason bypassOf(StatementFacts facts) {
    BypassReason stated = facts.bypass();
    if (stated != null) {
      return stated;
    }
    return switch (facts.kind()) {
      case DML -> BypassReason.WRITES;
      case CURSOR -> BypassReason.CURSOR;
      case UNKNOWN -> BypassReason.UNPARSED;
      default -> BypassReason.NOT_A_QUERY;
    };
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
        Set.of());
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
        locks);
  }
}
