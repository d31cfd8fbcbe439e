package dev.larder.resolve;

import dev.larder.bypass.BypassReason;
import dev.larder.catalog.CatalogVersion;
import dev.larder.catalog.HiddenCalls;
import dev.larder.catalog.Relation;
import dev.larder.catalog.Routine;
import dev.larder.catalog.Routine.Trait;
import dev.larder.catalog.UsersOperators;
import dev.larder.code.BuiltinRoutines;
import dev.larder.sql.Conversion;
import dev.larder.sql.RelationName;
import dev.larder.sql.RoutineName;
import dev.larder.sql.StatementFacts;
import dev.larder.sql.StatementKind;
import java.util.List;
import java.util.Set;

/**
 * What the names, symbols and conversions in a statement make it read and call: the table of what
 * is cacheable, as a chain of look-ups. Used by one thread, once.
 */
final class StatementReads {
  private static final Set<String> SYSTEM_COLUMNS = Set.of("ctid", "xmin", "xmax", "cmin", "cmax");
  private static final long TIME_TYPE = 1083;
  static final long JSON_PATH = 4072;

  /** Functions whose path may take the offset of the present day. */
  private static final Set<String> PATH_READERS = Set.of("json_exists", "json_query", "json_value");

  private final Scope scope;
  private final CatalogVersion catalog;
  private final StatementFacts facts;
  private final ReadClosure reads;

  /** Adds to {@code reads}, which is empty. */
  StatementReads(Scope scope, StatementFacts facts, ReadClosure reads) {
    this.scope = scope;
    this.catalog = scope.catalog();
    this.facts = facts;
    this.reads = reads;
  }

  /** Returns what the statement reads and calls. */
  ReadClosure all() {
    relations();
    facts.identifiers().forEach(this::identifier);
    TextInput input = new TextInput(scope);
    facts.conversions().forEach(conversion -> conversion(input, conversion));
    List.copyOf(reads.columnTypes).forEach(reads::useType);
    if (facts.kind() == StatementKind.CREATE_TEMPORARY) {
      defaults();
    }
    reads.hidden(catalog.hidden().everywhere());
    boolean users = routines();
    users |= fields();
    reads.callsUsers |= users;
    operators(catalog.usersOperators(), users);
    return reads;
  }

  private void relations() {
    if (scope.searches("pg_toast")) {
      reads.bypass(BypassReason.UNSUPPORTED_RELATION);
    }
    for (RelationName name : facts.relations()) {
      Relation relation = scope.relation(name);
      if ("pg_toast".equals(name.schema())) {
        reads.bypass(BypassReason.UNSUPPORTED_RELATION);
      } else if (relation != null) {
        reads.read(relation, true);
      } else if (catalog.lacks(name)) {
        reads.bypass(BypassReason.UNKNOWN_RELATION);
      }
    }
  }

  private void identifier(String identifier) {
    Relation relation = facts.columns().contains(identifier) ? null : scope.relation(identifier);
    if (relation != null) {
      reads.read(relation, false);
    }
    catalog.types(identifier).forEach(reads::useType);
    if (identifier.startsWith("_") && relation == null) {
      identifier(identifier.substring(1)); // The server calls the arrays of a table's rows so.
    }
    if (identifier.startsWith("pg_temp")) {
      unknown(BypassReason.TEMPORARY_TABLE);
    }
    if (SYSTEM_COLUMNS.contains(identifier)) {
      reads.bypass(BypassReason.UNSUPPORTED_RELATION);
    }
  }

  /** What age() reads may be a number of a transaction. */
  private void conversion(TextInput input, Conversion conversion) {
    BypassReason because = input.bypass(conversion);
    if (because == BypassReason.TIME && !BuiltinRoutines.isJudgedByText(conversion.type().name())) {
      reads.readsClock();
    } else {
      reads.bypass(because);
    }
  }

  private void unknown(BypassReason reason) {
    reads.call(Routine.unknown(0), reason);
  }

  /** What writes to the new table will run: columns may be of any type that is named or read. */
  private void defaults() {
    HiddenCalls hidden = catalog.hidden();
    for (String identifier : facts.identifiers()) {
      catalog.types(identifier).forEach(type -> reads.hidden(hidden.ofDefault(type)));
    }
    reads.columnTypes.forEach(type -> reads.hidden(hidden.ofDefault(type)));
  }

  /** Adds what is called; returns whether any of it is a user's. */
  private boolean routines() {
    boolean zonedTime = usesZonedTime();
    boolean users = false;
    for (RoutineName name : facts.routines()) {
      List<Routine> overloads = scope.routines(name);
      for (Routine routine : overloads) {
        boolean judgedByText = routine.builtin() && BuiltinRoutines.isJudgedByText(routine.name());
        if (!judgedByText && (zonedTime || !routine.is(Trait.FOR_ZONED_TIME))) {
          call(routine);
        }
        users |= !routine.builtin();
      }
      if (overloads.isEmpty() && name.schema() != null && !isSomethingElse(name)) {
        unknown(BypassReason.FUNCTION);
      }
    }
    return users;
  }

  private void call(Routine routine) {
    reads.call(routine.calledInText(), null);
  }

  /** Adds calls in the notation of a column; returns whether there are any of users' routines. */
  private boolean fields() {
    boolean users = false;
    for (String identifier : facts.identifiers()) {
      boolean ofValue = facts.fields().contains(identifier);
      for (Routine routine : scope.routines(new RoutineName(null, identifier))) {
        if (routine.is(Trait.FIELD_OF_ROWS) || (ofValue && routine.is(Trait.FIELD))) {
          call(routine);
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
        || catalog.isType(name)
        || scope.relation(new RelationName(schema, name.name())) != null;
  }

  private void operators(UsersOperators operators, boolean users) {
    boolean qualified = facts.routines().stream().anyMatch(name -> name.name().equals("operator"));
    boolean typed =
        (facts.kind() == StatementKind.DML
                ? facts.bypass() == BypassReason.NOT_A_QUERY
                : facts.kind() == StatementKind.QUERY && facts.bypass() == null)
            && !facts.looseParameter()
            && !users
            && !qualified
            && !scope.mayBeTemporary();
    Set<Long> types = typed ? types(operators) : null;
    if (users || facts.operators().stream().anyMatch(each -> operators.mayBeChosen(each, types))) {
      HiddenCalls hidden = catalog.hidden();
      reads.hidden(operators.areCast(types) ? hidden.casts() : hidden.takingCasts());
    }
    for (String symbol : facts.operators()) {
      for (UsersOperators.Operator operator : operators.thatMatter(symbol)) {
        if ((qualified || scope.searches(operator.schema())) && operator.mayBeChosen(types)) {
          reads.call(operator.routine(), BypassReason.OPERATOR);
        }
      }
    }
  }

  /**
   * The types of users that values in the statement may be of, and more, where it calls no routine
   * of a user's and every parameter has the type of a column.
   */
  private Set<Long> types(UsersOperators operators) {
    Set<Long> from = ResolvedStatement.union(reads.columnTypes, Set.of());
    facts.identifiers().forEach(name -> from.addAll(catalog.types(name)));
    return operators.types(from, facts.operators());
  }

  /**
   * A time becomes a time with time zone by the offset of the present day, and so does a text
   * without an offset. Nothing shows where; so a named column of that type and any operator or call
   * forbid caching, and so do a named time and AT TIME ZONE, and JSON_VALUE with a path that is not
   * in the text.
   *
   * @return whether routines may be called with such a value
   */
  private boolean usesZonedTime() {
    Set<String> identifiers = facts.identifiers();
    boolean zoned = !reads.zonedTimes.isEmpty();
    boolean alone =
        facts.operators().isEmpty()
            && facts.routines().isEmpty()
            && !identifiers.contains("coalesce");
    boolean combined = zoned && reads.columnTypes.contains(TIME_TYPE) && reads.tags.size() > 1;
    boolean moved =
        calls(Set.of("timezone")) && reads.localTimes.stream().anyMatch(identifiers::contains);
    boolean storedPath =
        calls(PATH_READERS)
            && (reads.columnTypes.contains(JSON_PATH) || identifiers.contains("jsonpath"));
    boolean named = reads.zonedTimes.stream().anyMatch(identifiers::contains);
    boolean made = makesTime() && (!facts.operators().isEmpty() || facts.routines().size() > 1);
    if ((named && !alone) || combined || moved || storedPath || made) {
      reads.bypass(BypassReason.TIME);
    }
    return zoned || identifiers.contains("timetz") || identifiers.contains("time");
  }

  /** Whether a function returns a time whose type no name in the text shows. */
  private boolean makesTime() {
    return facts.routines().stream()
        .flatMap(name -> scope.routines(name).stream())
        .anyMatch(routine -> routine.is(Trait.OF_TIMES));
  }

  private boolean calls(Set<String> routines) {
    return facts.routines().stream().anyMatch(call -> routines.contains(call.name()));
  }
}
