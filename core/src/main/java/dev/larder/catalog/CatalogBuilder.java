package dev.larder.catalog;

import dev.larder.bypass.BypassReason;
import dev.larder.sql.WriteEvent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Makes a {@link CatalogVersion} from plain rows of the system catalogs. Rows may come in any
 * order; what they refer to is looked up in {@link #build}. Not thread-safe; used once.
 */
public final class CatalogBuilder {
  private final Map<Long, Relation> relations = new HashMap<>();
  private final Map<Long, Set<Long>> columnTypes = new HashMap<>();
  private final List<RoutineRow> routineRows = new ArrayList<>();
  private final List<OperatorRow> operatorRows = new ArrayList<>();
  private final Set<String> textSymbols = new HashSet<>();
  private final Set<String> textOperators = new HashSet<>();
  private final List<ServerTypeRow> clockTypes = new ArrayList<>();
  private final List<TypeRow> typeRows = new ArrayList<>();
  private final List<CastRow> castRows = new ArrayList<>();
  private final List<Consumer<CatalogExpressions>> graph = new ArrayList<>();
  private final List<Consumer<CatalogExpressions>> deferred = new ArrayList<>();
  private final InheritanceTree tree = new InheritanceTree();
  private long digest;
  private boolean eventTriggers;
  private boolean looseTexts;

  /** A row of pg_proc; see {@link #routine}. */
  record RoutineRow(
      long oid,
      String schema,
      String name,
      char volatility,
      Set<Long> argumentTypes,
      long onlyArgument,
      boolean takesRow,
      boolean trigger,
      char result,
      String language,
      @Nullable String body,
      String library,
      List<Long> support) {}

  /** A row of pg_operator. */
  record OperatorRow(
      long oid, String schema, String symbol, long left, long right, long routine, long result) {}

  /** A row of pg_cast. */
  record CastRow(long source, long target, long routine, char method) {}

  /** A row of pg_type. */
  record TypeRow(
      long oid, String schema, String name, char kind, long base, long element, long relation) {}

  /** A type of the server's whose input is not IMMUTABLE. */
  record ServerTypeRow(long oid, String schema, String name) {}

  /** Creates a builder without rows. */
  public CatalogBuilder() {}

  /** Adds a relation: {@code relkind} r, p, v, m, f or S. */
  public void relation(long oid, String schema, String name, char kind, boolean rowSecurity) {
    note('r', oid, schema, name, kind, rowSecurity);
    relations.put(oid, new Relation(oid, schema, name, kind, rowSecurity));
  }

  /**
   * Adds the column types of a relation or composite type that are a user's, take part in a user's
   * cast, or are time, time with time zone, or shown by the catalog, as regclass is. A relation
   * must have been added before.
   *
   * @param zonedTimes the names of its columns of type time with time zone
   * @param times the names of its columns that are dates or times
   * @param others the names of those of its other columns that are dates or times elsewhere
   * @param columns a text or number that differs when any column does
   */
  public void columns(
      long relation,
      Set<Long> types,
      Set<String> zonedTimes,
      Set<String> times,
      Set<String> others,
      Object columns) {
    note('a', relation, columns);
    if (!types.isEmpty()) {
      columnTypes.put(relation, Set.copyOf(types));
    }
    Relation table = relations.get(relation);
    if (table != null) {
      table.zonedTimes = Set.copyOf(zonedTimes);
      table.timeColumns = Set.copyOf(times);
      table.otherColumns = Set.copyOf(others);
    }
  }

  /** Adds the names of a relation's columns of type time. The relation must have been added. */
  public void localTimes(long relation, Set<String> columns) {
    Relation table = relations.get(relation);
    if (table != null) {
      table.localTimes = Set.copyOf(columns);
    }
  }

  /** Says that {@code child} inherits from, or is a partition of, {@code parent}. */
  public void parent(long child, long parent) {
    note('i', child, parent);
    tree.add(child, parent);
  }

  /**
   * Adds a routine.
   *
   * @param volatility i, s or v; i also for what depends on nothing but settings of every key
   *     besides its arguments
   * @param onlyArgument the type of its argument if it can be called with one, else 0
   * @param takesRow whether that is known to be a row, or anything
   * @param trigger whether it returns a trigger
   * @param result t where it returns a date, a time or a number, a where an aggregate or window
   *     function returns what its first argument is, else o
   * @param language {@code lanname}
   * @param body the body of a user's routine in SQL or PL/pgSQL, else null
   * @param library the library of a function in C, or empty
   * @param support the functions that a user's aggregate consists of
   * @param types the types that a user's routine takes and returns
   * @param defaults the defaults of its parameters, or null
   * @param source a text or number that differs when the definition does
   */
  public void routine(
      long oid,
      String schema,
      String name,
      char volatility,
      Set<Long> argumentTypes,
      long onlyArgument,
      boolean takesRow,
      boolean trigger,
      char result,
      String language,
      @Nullable String body,
      String library,
      List<Long> support,
      Set<Long> types,
      @Nullable String defaults,
      Object source) {
    note('f', oid, schema, name, volatility, argumentTypes, onlyArgument, result, support, source);
    routineRows.add(
        new RoutineRow(
            oid,
            schema,
            name,
            volatility,
            Set.copyOf(argumentTypes),
            onlyArgument,
            takesRow,
            trigger,
            result,
            language,
            body,
            library,
            List.copyOf(support)));
    graph.add(
        all -> {
          types.forEach(type -> all.hiddenCalls().routineUses(oid, type));
          if (defaults != null) {
            all.routineEvaluates(oid, defaults);
          }
        });
  }

  /**
   * Says that an operator, of the server's or of a user's, may return a text or an array of texts.
   */
  public void textOperator(String symbol) {
    note('T', symbol);
    textOperators.add(symbol);
  }

  /** Adds a type of the server's whose input depends on more than settings of every key. */
  public void clockType(long oid, String schema, String name) {
    clockTypes.add(new ServerTypeRow(oid, schema, name));
  }

  /** Adds a user's operator, or one of the server's for two texts. */
  public void operator(
      long oid, String schema, String symbol, long left, long right, long routine, long result) {
    note('o', oid, schema, symbol, left, right, routine, result);
    if (oid < BuiltinRoutines.FIRST_USER_OID) {
      textSymbols.add(symbol);
      return;
    }
    operatorRows.add(new OperatorRow(oid, schema, symbol, left, right, routine, result));
    graph.add(
        all -> {
          for (long type : new long[] {left, right}) {
            if (type >= BuiltinRoutines.FIRST_USER_OID) {
              all.typeRuns(type, routine);
            }
          }
        });
  }

  /**
   * Adds a user's type.
   *
   * @param kind {@code typtype}
   * @param base a domain's or range's type, or 0
   * @param element an array's element, or 0
   * @param relation a composite type's relation, or 0
   * @param functions the functions that read and write its values
   * @param byDefault a domain's default, or null
   */
  public void type(
      long oid,
      String schema,
      String name,
      char kind,
      long base,
      long element,
      long relation,
      List<Long> functions,
      @Nullable String byDefault) {
    note('t', oid, schema, name, kind, base, element, relation, functions, "" + byDefault);
    typeRows.add(new TypeRow(oid, schema, name, kind, base, element, relation));
    graph.add(
        all -> {
          HiddenCalls hidden = all.hiddenCalls();
          functions.stream()
              // An array's are the server's own, and run those of its element.
              .filter(function -> element == 0 || function >= BuiltinRoutines.FIRST_USER_OID)
              .forEach(function -> all.typeRuns(oid, function));
          hidden.typeHolds(oid, base);
          if (BuiltinRoutines.isTimeWithZone(base) || BuiltinRoutines.isTimeWithZone(element)) {
            hidden.typeDoes(oid, Routine.reading(BypassReason.TIME));
          }
          hidden.typeHolds(oid, element);
          columnTypes.getOrDefault(relation, Set.of()).forEach(t -> hidden.typeHolds(oid, t));
          if (byDefault != null) {
            all.typeDefault(oid, byDefault);
          }
        });
  }

  /** Adds a function that an operator class of a user's runs for values of {@code types}. */
  public void operatorClass(long routine, Set<Long> types) {
    note('O', routine, types);
    graph.add(all -> types.forEach(type -> all.typeRuns(type, routine)));
  }

  /**
   * Adds a user's cast.
   *
   * @param routine its function, or 0
   * @param method {@code castmethod}
   */
  public void cast(long source, long target, long routine, char method) {
    note('c', source, target, routine, method);
    CastRow row = new CastRow(source, target, routine, method);
    castRows.add(row);
    graph.add(all -> all.cast(row));
  }

  /** Adds the query of a view or materialized view. */
  public void definition(long relation, String nodeTree) {
    note('v', relation, nodeTree);
    onRelation(relation, (view, all) -> view.definition = all.parse(nodeTree, true));
  }

  /** Adds a rule: {@code ev_type} 2, 3 or 4 (UPDATE, INSERT, DELETE). */
  public void rule(long relation, char event, Object source) {
    note('R', relation, event, source);
    WriteEvent on =
        event == '2' ? WriteEvent.UPDATE : event == '3' ? WriteEvent.INSERT : WriteEvent.DELETE;
    onRelation(
        relation,
        (table, all) -> {
          table.rules = with(table.rules, on);
          all.rules();
        });
  }

  /**
   * Adds a trigger that is not disabled.
   *
   * @param type {@code tgtype}
   * @param copied whether it was made from the trigger of a parent
   * @param condition its WHEN, or null
   */
  public void trigger(
      long relation,
      String name,
      long routine,
      int type,
      boolean copied,
      @Nullable String condition) {
    note('g', relation, name, routine, type, copied, String.valueOf(condition));
    onRelation(
        relation,
        (table, all) -> {
          Expression when = condition == null ? null : all.parse(condition);
          Trigger trigger = new Trigger(name, all.hidden(routine, false), type, copied, when);
          table.triggers = with(table.triggers, trigger);
        });
  }

  /** Says that there is a trigger behind DDL, which may do anything. */
  public void eventTriggers() {
    note('E');
    eventTriggers = true;
  }

  /** Says that by some collation texts may be equal that are not the same. */
  public void looseTexts() {
    note('C');
    looseTexts = true;
  }

  /** Adds a foreign key from {@code child} to {@code parent}. */
  public void foreignKey(long child, long parent, char onDelete, char onUpdate, boolean copied) {
    note('k', child, parent, onDelete, onUpdate, copied);
    onRelation(
        parent,
        (table, all) -> {
          Relation from = relations.get(child);
          if (from != null) {
            ForeignKey key = new ForeignKey(from, onDelete, onUpdate, copied);
            table.referencedBy = with(table.referencedBy, key);
          }
        });
  }

  /** Adds a row security policy: {@code polcmd} and its expressions, or null for none. */
  public void policy(
      long relation, char command, @Nullable String using, @Nullable String check, Object roles) {
    note('p', relation, command, String.valueOf(using), String.valueOf(check), roles);
    onRelation(
        relation,
        (table, all) -> {
          if (using != null && (command == '*' || command == 'r')) {
            table.readPolicies = with(table.readPolicies, all.parse(using, true));
          }
          for (String written : new String[] {using, check}) {
            if (written != null) {
              Expression expression = all.parse(written);
              // What it reads may be a view that calls what has effects.
              table.evaluated =
                  expression.relations().isEmpty()
                      ? withEffect(table.evaluated, expression)
                      : with(table.evaluated, expression);
            }
          }
        });
  }

  /** Adds a default, generation expression or check constraint of a table. */
  public void evaluated(long relation, String nodeTree) {
    note('e', relation, nodeTree);
    onRelation(
        relation,
        (table, all) -> table.evaluated = withEffect(table.evaluated, all.parse(nodeTree)));
  }

  /** Adds a check constraint of a domain. */
  public void domainCheck(long domain, String nodeTree) {
    note('d', domain, nodeTree);
    graph.add(all -> all.typeEvaluates(domain, nodeTree));
  }

  /** Returns the names of the server's functions whose call does more than return a value. */
  public static Set<String> builtinsWithEffects() {
    return BuiltinRoutines.withEffects();
  }

  /** Adds something that makes two catalogs differ and has no meaning besides. */
  public void content(String kind, Object content) {
    note('x', kind, content);
  }

  /** Returns the catalog of the rows added. */
  public CatalogVersion build(String fingerprint) {
    CatalogExpressions expressions =
        new CatalogExpressions(
            routineRows,
            typeRows,
            castRows,
            clockTypes,
            new UsersOperators(typeRows, castRows, columnTypes, textSymbols));
    graph.forEach(step -> step.accept(expressions));
    expressions.link(routineRows, operatorRows, typeRows);
    columnTypes.forEach(
        (oid, types) -> {
          Relation relation = relations.get(oid);
          if (relation != null) {
            relation.columnTypes = types;
          }
        });
    deferred.forEach(step -> step.accept(expressions));
    tree.link(relations);
    return new CatalogVersion(
        fingerprint,
        digest,
        relations.values(),
        expressions.routines(),
        expressions.usersOperators(),
        Set.copyOf(textOperators),
        expressions.bodies(),
        expressions.hiddenCalls(),
        Set.copyOf(typeNames()),
        expressions.clockTypes(),
        eventTriggers,
        looseTexts);
  }

  private Set<String> typeNames() {
    Set<String> names = new HashSet<>();
    for (TypeRow row : typeRows) {
      if (row.element() == 0 && !relations.containsKey(row.relation())) {
        names.add(row.schema() + '.' + row.name());
      }
    }
    return names;
  }

  /** What a row does to the relation that it belongs to. */
  private interface RelationStep {
    void apply(Relation relation, CatalogExpressions expressions);
  }

  private void onRelation(long oid, RelationStep step) {
    deferred.add(
        expressions -> {
          Relation relation = relations.get(oid);
          if (relation != null) {
            step.apply(relation, expressions);
          }
        });
  }

  private static List<Expression> withEffect(List<Expression> list, Expression expression) {
    return expression.routines().stream().anyMatch(Routine::hasEffects)
        ? with(list, expression)
        : list;
  }

  private static <T> List<T> with(List<T> list, T element) {
    List<T> longer = new ArrayList<>(list);
    longer.add(element);
    return List.copyOf(longer);
  }

  private static <T> Set<T> with(Set<T> set, T element) {
    Set<T> larger = new HashSet<>(set);
    larger.add(element);
    return Set.copyOf(larger);
  }

  /** Sums 64-bit hashes of the rows, so that their order does not matter. */
  private void note(Object... parts) {
    long hash = 0xcbf29ce484222325L;
    for (Object part : parts) {
      String text = part.toString();
      for (int i = 0; i < text.length(); i++) {
        hash = (hash ^ text.charAt(i)) * 0x100000001b3L;
      }
      hash = (hash ^ 0x1f) * 0x100000001b3L;
    }
    hash ^= hash >>> 32;
    digest += hash * 0x9e3779b97f4a7c15L;
  }

  /** The reason that an expression made of {@code reasons} cannot be cached for. */
  static @Nullable BypassReason first(@Nullable BypassReason one, @Nullable BypassReason other) {
    if (one == null || other == null) {
      return one == null ? other : one;
    }
    return one.compareTo(other) <= 0 ? one : other;
  }
}
