package dev.larder.catalog;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toMap;

import dev.larder.analysis.Repeatability;
import dev.larder.code.RoutineBodies;
import dev.larder.keys.KeyTable;
import dev.larder.lexer.StatementShape;
import dev.larder.sql.RelationName;
import dev.larder.sql.RoutineName;
import dev.larder.sql.SqlAnalysis;
import dev.larder.store.TableVersions;
import dev.larder.store.WriteSet;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The catalog of one database at one moment. Immutable and thread-safe. */
public final class CatalogVersion {
  private final CatalogStamps stamps;
  final RowDigests digests;
  private final Map<Long, Relation> relations;
  private final Map<String, Map<String, Relation>> relationsBySchema;
  private final InheritanceTree tree;
  private final KeyTables keyTables;
  private final Map<String, List<Routine>> routines;
  private final RoutineBodies bodies;
  private final UsersOperators usersOperators;
  private final HiddenCalls hidden;
  private final TypeNames types;
  private final Set<String> textOperators = new HashSet<>();
  private final boolean eventTriggers;
  private final boolean looseTexts;
  private final Set<String> schemas;
  private final Object mark = new Object();

  CatalogVersion(
      CatalogStamps stamps,
      RowDigests digests,
      CatalogBuilder rows,
      Map<Long, Relation> relations,
      InheritanceTree tree,
      KeyTables keyTables,
      CatalogExpressions expressions) {
    this.stamps = stamps;
    this.digests = digests;
    this.relations = relations;
    relationsBySchema =
        relations.values().stream()
            .collect(groupingBy(Relation::schema, toMap(Relation::name, relation -> relation)));
    this.tree = tree;
    this.keyTables = keyTables;
    routines = expressions.routines.values().stream().collect(groupingBy(Routine::name));
    bodies = expressions.bodies;
    usersOperators = expressions.usersOperators;
    hidden = expressions.hidden;
    types = new TypeNames(rows, expressions.types);
    rows.all(CatalogRow.TextOperator.class).forEach(row -> textOperators.add(row.symbol()));
    List<CatalogRow.Surroundings> all = rows.all(CatalogRow.Surroundings.class);
    eventTriggers = all.stream().anyMatch(CatalogRow.Surroundings::eventTriggers);
    looseTexts = all.stream().anyMatch(CatalogRow.Surroundings::looseTexts);
    schemas = types.schemasWith(usersOperators.schemas(), relationsBySchema.keySet(), routines());
  }

  /** Returns what this very version is known by, so that nobody keeps its megabytes for that. */
  public Object mark() {
    return mark;
  }

  /** Returns the fingerprint of the catalog under which it was read. */
  public String fingerprint() {
    return stamps.fingerprint();
  }

  /** Returns what the rows were known by that it was made of. */
  public CatalogStamps stamps() {
    return stamps;
  }

  /** Returns a number that is the same, in every JVM, where statements mean the same. */
  public long content() {
    return digests.all();
  }

  /** Returns whether statements mean the same in {@code other}. */
  public boolean sameContent(CatalogVersion other) {
    return content() == other.content();
  }

  // ---- relations

  /** Returns the relation with this object identifier, or null. */
  public @Nullable Relation relation(long oid) {
    return relations.get(oid);
  }

  /** Returns all relations. */
  public Collection<Relation> relations() {
    return Collections.unmodifiableCollection(relations.values());
  }

  /** Returns the relation of this very schema, or null. */
  public @Nullable Relation relation(String schema, String name) {
    return relationsBySchema.getOrDefault(schema, Map.of()).get(name);
  }

  /**
   * Returns the relation that {@code name} stands for, by the first schema that has one, or null.
   */
  public @Nullable Relation relation(RelationName name, List<String> searchPath) {
    String schema = name.schema();
    for (String searched : schema == null ? searchPath : List.of(schema)) {
      Relation relation = relation(searched, name.name());
      if (relation != null) {
        return relation;
      }
    }
    return null;
  }

  /** Returns the relation {@code schema.name}, or null. */
  public @Nullable Relation relation(String qualifiedName) {
    for (int i = qualifiedName.indexOf('.'); i > 0; i = qualifiedName.indexOf('.', i + 1)) {
      Relation found = relation(qualifiedName.substring(0, i), qualifiedName.substring(i + 1));
      if (found != null) {
        return found;
      }
    }
    return null;
  }

  /** Returns the object identifier of {@code qualifiedName}, {@code schema.name}, or null. */
  public @Nullable Long oidOf(String qualifiedName) {
    Relation relation = relation(qualifiedName);
    return relation == null ? null : relation.oid();
  }

  /** Returns the name of a relation, {@code schema.name}, or null. */
  public @Nullable String nameOf(long oid) {
    Relation relation = relation(oid);
    return relation == null ? null : relation.toString();
  }

  /** Returns the table or materialized view that {@code name} stands for, as a name, or null. */
  public @Nullable String tableOf(RelationName name, List<String> searchPath) {
    Relation relation = relation(name, searchPath);
    return relation != null && relation.hasRows() ? relation.toString() : null;
  }

  /** Returns whether the schema is known, and holds nothing called {@code name}. */
  public boolean lacks(RelationName name) {
    String schema = name.schema();
    return schema != null
        && relationsBySchema.containsKey(schema)
        && relation(schema, name.name()) == null
        && !isType(new RoutineName(schema, name.name()))
        && routines.getOrDefault(name.name(), List.of()).stream()
            .noneMatch(routine -> routine.schema().equals(schema));
  }

  /** Returns the table whose rows are told apart by keys that this relation is, or null. */
  public @Nullable KeyTable keyTable(long oid) {
    return keyTables.table(oid);
  }

  /** Returns what is above and below relations. */
  public InheritanceTree tree() {
    return tree;
  }

  /**
   * Returns the topmost relation of the tree that a relation is in: itself where it is in none, and
   * 0 where there is not just one.
   */
  public long rootOf(long oid) {
    return relations.containsKey(oid) ? tree.rootOf(oid) : 0;
  }

  /** Returns the names of all relations in the tree of {@code root}, {@code schema.name}. */
  public Set<String> tree(long root) {
    return relations.values().stream()
        .filter(relation -> relation.hasRows() && rootOf(relation.oid()) == root)
        .map(Relation::toString)
        .collect(Collectors.toSet());
  }

  /** Returns what a write to the rows of a relation alone bumps, or null if there is none. */
  public @Nullable WriteSet rowsOf(String qualifiedName, TableVersions versions) {
    Long oid = oidOf(qualifiedName);
    return oid == null ? null : new WriteSet(List.copyOf(tree.writtenTags(oid, versions)), false);
  }

  // ---- routines, operators and types

  /** Returns the overloads of {@code name} in all schemas. */
  public List<Routine> routines(RoutineName name) {
    return routines.getOrDefault(name.name(), List.of());
  }

  /** Returns all routines. */
  public Collection<Routine> routines() {
    return routines.values().stream().flatMap(List::stream).toList();
  }

  /** Returns the users' routines that {@code analysis} may call. */
  Stream<Routine> usersRoutines(SqlAnalysis analysis) {
    return analysis.statements().stream()
        .flatMap(facts -> facts.routines().stream())
        .flatMap(name -> routines(name).stream())
        .filter(routine -> !routine.builtin());
  }

  /**
   * Returns how far two answers to a query may differ although no row was written in between.
   *
   * @param read the relations that it reads
   */
  public Repeatability repeatability(StatementShape query, SqlAnalysis analysis, Set<Long> read) {
    boolean exact =
        read.stream()
            .flatMap(oid -> Stream.ofNullable(relation(oid)))
            .flatMap(CatalogVersion::evaluatedByReads)
            .allMatch(expression -> expression.repeatability() == Repeatability.EXACT);
    return exact
        ? usersRoutines(analysis)
            .map(Routine::repeatability)
            .reduce(Repeatability.of(query, looseTexts), Repeatability::and)
        : Repeatability.NONE;
  }

  private static Stream<Expression> evaluatedByReads(Relation relation) {
    Expression view = relation.kind() == 'v' ? relation.definition() : null;
    return Stream.concat(Stream.ofNullable(view), relation.readPolicies().stream());
  }

  /** Returns what the bodies of users' routines tell. */
  public RoutineBodies bodies() {
    return bodies;
  }

  /** Returns whether a call of the routine may run DDL. */
  public boolean mayChangeCatalog(Routine routine) {
    return eventTriggers || bodies.mayChangeCatalog(routine.oid());
  }

  /** Returns whether a statement that calls {@code names} may run DDL, whatever they mean. */
  public boolean mayChangeCatalog(Collection<RoutineName> names) {
    return eventTriggers
        || bodies.mayAllChangeCatalog()
        || names.stream().flatMap(name -> routines(name).stream()).anyMatch(this::mayChangeCatalog);
  }

  /** Returns whether a call of a routine may change settings of which nothing is declared. */
  public boolean mayChangeSettings(Routine routine) {
    return eventTriggers || !bodies.keepsSettings(routine.oid());
  }

  /** Returns whether DDL may write anything, by triggers of its own. */
  public boolean hasEventTriggers() {
    return eventTriggers;
  }

  /** Returns the operators of users. */
  public UsersOperators usersOperators() {
    return usersOperators;
  }

  /** Returns whether an operator with this symbol may return a text. */
  public boolean mayReturnText(String symbol) {
    return textOperators.contains(symbol);
  }

  /** Returns the types of users that are called so, in all schemas. */
  public List<Long> types(String name) {
    return typesNamed(name).stream().map(CatalogRow.Type::oid).toList();
  }

  List<CatalogRow.Type> typesNamed(String name) {
    return types.users().getOrDefault(name, List.of());
  }

  /** Returns the names of all types of users. */
  public Set<String> typeNames() {
    return Collections.unmodifiableSet(types.users().keySet());
  }

  /** Returns whether {@code name} is that of a type of a user's that is no relation. */
  public boolean isType(RoutineName name) {
    return typesNamed(name.name()).stream()
        .filter(type -> type.element() == 0 && !relations.containsKey(type.relation()))
        .anyMatch(type -> type.schema().equals(name.schema()));
  }

  /** Returns the schemas that have anything that a name without one may stand for. */
  public Set<String> schemas() {
    return schemas;
  }

  /** Returns the schemas with a type called {@code name} whose input may read the clock. */
  public Set<String> clockTypes(String name) {
    return types.clock(name);
  }

  /** Returns what runs hidden behind types. */
  public HiddenCalls hidden() {
    return hidden;
  }

  /** Returns whether nothing runs where a parameter is of one of these types of users. */
  public boolean areQuiet(Set<Long> types) {
    return types.stream().allMatch(type -> usersOperators.isType(type) && hidden.of(type).isEmpty())
        && !usersOperators.mayTake(types);
  }
}
