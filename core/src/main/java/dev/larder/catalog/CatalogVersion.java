package dev.larder.catalog;

import dev.larder.sql.RelationName;
import dev.larder.sql.Repeatability;
import dev.larder.sql.RoutineName;
import dev.larder.sql.SqlAnalysis;
import dev.larder.sql.StatementFacts;
import dev.larder.sql.StatementShape;
import dev.larder.store.TableVersions;
import dev.larder.store.WriteSet;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The catalog of one database at one moment, and what statements mean in it. Made by {@link
 * CatalogBuilder}. Immutable and thread-safe.
 */
public final class CatalogVersion {
  private final String fingerprint;
  private final long digest;
  private final Map<Long, Relation> relations = new HashMap<>();
  private final Map<String, Map<String, Relation>> relationsBySchema = new HashMap<>();
  private final Map<String, List<Routine>> routines = new HashMap<>();
  private final UsersOperators usersOperators;
  private final Set<String> textOperators;
  private final @Nullable Set<Long> catalogChangers;
  private final Set<Long> readers;
  private final RoutineBodies.SettingChangers settingChangers;
  private final Map<Long, Set<String>> targets;
  private final HiddenCalls hidden;
  private final Set<String> typeNames;
  private final Map<String, Set<String>> clockTypes;
  private final boolean eventTriggers;
  private final boolean looseTexts;
  private final Object mark = new Object();

  CatalogVersion(
      String fingerprint,
      long digest,
      Collection<Relation> relations,
      Collection<Routine> routines,
      UsersOperators usersOperators,
      Set<String> textOperators,
      RoutineBodies bodies,
      HiddenCalls hidden,
      Set<String> typeNames,
      Map<String, Set<String>> clockTypes,
      boolean eventTriggers,
      boolean looseTexts) {
    this.fingerprint = fingerprint;
    this.digest = digest;
    for (Relation relation : relations) {
      this.relations.put(relation.oid, relation);
      relationsBySchema
          .computeIfAbsent(relation.schema, schema -> new HashMap<>())
          .put(relation.name, relation);
    }
    for (Routine routine : routines) {
      this.routines.computeIfAbsent(routine.name(), name -> new ArrayList<>(1)).add(routine);
    }
    this.usersOperators = usersOperators;
    this.textOperators = textOperators;
    this.catalogChangers = bodies.catalogChangers();
    this.readers = bodies.readers();
    this.settingChangers = bodies.settingChangers(eventTriggers);
    this.targets = bodies.targets();
    this.hidden = hidden;
    this.typeNames = typeNames;
    this.clockTypes = clockTypes;
    this.eventTriggers = eventTriggers;
    this.looseTexts = looseTexts;
  }

  /**
   * Returns what this very catalog can be recognized by, for those who would keep it for nothing
   * else: a catalog takes a megabyte at least.
   */
  public Object mark() {
    return mark;
  }

  /** Returns the {@link CatalogLoader#fingerprint} under which it was read. */
  public String fingerprint() {
    return fingerprint;
  }

  /** Returns whether statements mean the same in {@code other}. */
  public boolean sameContent(CatalogVersion other) {
    return digest == other.digest;
  }

  /**
   * Says what {@code analysis} means.
   *
   * @param searchPath the schemas in lookup order, implicit ones included ({@code
   *     current_schemas(true)})
   * @param versions where the tags are interned
   */
  public ResolvedStatement resolve(
      SqlAnalysis analysis,
      List<String> searchPath,
      Declarations declarations,
      TableVersions versions) {
    return resolve(analysis, searchPath, declarations, versions, Set.of());
  }

  /**
   * Returns what makes {@code analysis} write anything, for a message; null where it does not, or
   * where it is neither a trigger nor a routine.
   */
  public @Nullable Undeclared undeclared(
      SqlAnalysis analysis,
      List<String> searchPath,
      Declarations declarations,
      TableVersions versions) {
    NameResolver names = new NameResolver(this, searchPath, Set.of());
    return new StatementResolver(names, declarations, versions).undeclared(analysis);
  }

  /** Returns what stands in the body of the routine where the target of a write stands. */
  Set<String> targets(Routine routine) {
    return targets.getOrDefault(routine.oid(), Set.of());
  }

  /**
   * Says what {@code analysis} means in a session that has temporary tables, and nothing temporary
   * besides: a write to one of them is none, unless another table of that name is visible.
   *
   * @param temporary the names of the tables
   */
  public ResolvedStatement resolve(
      SqlAnalysis analysis,
      List<String> searchPath,
      Declarations declarations,
      TableVersions versions,
      Set<String> temporary) {
    NameResolver names = new NameResolver(this, searchPath, temporary);
    return new StatementResolver(names, declarations, versions).resolve(analysis);
  }

  /**
   * Returns how far two answers to a query may differ although no row was written in between.
   *
   * @param query its shape
   * @param analysis of that shape
   * @param statement what it reads here
   */
  public Repeatability repeatability(
      StatementShape query, SqlAnalysis analysis, ResolvedStatement statement) {
    Repeatability least = Repeatability.of(query, looseTexts);
    for (StatementFacts facts : analysis.statements()) {
      for (RoutineName name : facts.routines()) {
        for (Routine routine : routines(name)) {
          least = routine.builtin() ? least : least.and(routine.repeatability());
        }
      }
    }
    for (long oid : statement.relations()) {
      Relation relation = relation(oid);
      if (relation != null && !isExact(relation)) {
        return Repeatability.NONE;
      }
    }
    return least;
  }

  /** Returns the users' routines that keep what {@code analysis} is of from being cached. */
  public Set<String> routinesInTheWay(SqlAnalysis analysis) {
    Set<String> found = new TreeSet<>();
    for (StatementFacts facts : analysis.statements()) {
      for (RoutineName name : facts.routines()) {
        for (Routine routine : routines(name)) {
          if (!routine.builtin() && routine.reason() != null) {
            found.add(routine.schema() + '.' + routine.name());
          }
        }
      }
    }
    return found;
  }

  /**
   * Returns the triggers of tables of which nobody knows what they write, as {@code table.trigger}.
   *
   * @param tables as of {@link ResolvedStatement#tables()}
   */
  public Set<String> triggersInTheWay(Set<String> tables, Declarations declarations) {
    Set<String> declared = declarations.triggerWrites().keySet();
    Set<String> found = new TreeSet<>();
    for (String table : tables) {
      Long oid = oidOf(table);
      Relation relation = oid == null ? null : relation(oid);
      if (relation == null) {
        continue;
      }
      for (Trigger trigger : relation.triggers) {
        String name = relation.name + '.' + trigger.name();
        boolean known = declared.contains(trigger.name()) || declared.contains(name);
        if (!known && !trigger.function().harmlessTrigger()) {
          found.add(name);
        }
      }
    }
    return found;
  }

  /** Whether all that a query may compute from the rows that it finds here is always the same. */
  private static boolean isExact(Relation relation) {
    Expression view = relation.kind == 'v' ? relation.definition : null;
    return (view == null || view.repeatability() == Repeatability.EXACT)
        && relation.readPolicies.stream()
            .allMatch(policy -> policy.repeatability() == Repeatability.EXACT);
  }

  /** Returns the object identifier of {@code qualifiedName}, {@code schema.name}, or null. */
  public @Nullable Long oidOf(String qualifiedName) {
    for (int dot = qualifiedName.indexOf('.'); dot > 0; dot = qualifiedName.indexOf('.', dot + 1)) {
      Relation relation =
          relation(qualifiedName.substring(0, dot), qualifiedName.substring(dot + 1));
      if (relation != null) {
        return relation.oid;
      }
    }
    return null;
  }

  /**
   * Returns the table, partitioned table or materialized view that {@code name} stands for, {@code
   * schema.name}, or null.
   */
  public @Nullable String tableOf(RelationName name, List<String> searchPath) {
    Relation relation = new NameResolver(this, searchPath, Set.of()).relation(name);
    return relation != null && "rpm".indexOf(relation.kind) >= 0 ? relation.toString() : null;
  }

  /**
   * Returns the topmost relation of the tree of partitions, or of inheritance, that a relation is
   * in: itself where it is in none, and 0 where that is not one.
   */
  public long rootOf(long oid) {
    Relation relation = relation(oid);
    if (relation == null || !relation.crossAncestors.isEmpty()) {
      return 0;
    }
    Relation root = relation;
    for (Relation above : relation.ancestors) {
      if (above.ancestors.isEmpty()) {
        if (root != relation) {
          return 0;
        }
        root = above;
      }
    }
    return root.crossAncestors.isEmpty() ? root.oid : 0;
  }

  /** Returns the names of all relations in the tree of {@code root}, {@code schema.name}. */
  public Set<String> tree(long root) {
    Set<String> tree = new HashSet<>();
    for (Relation relation : relations.values()) {
      if ("rpm".indexOf(relation.kind) >= 0 && rootOf(relation.oid) == root) {
        tree.add(relation.toString());
      }
    }
    return tree;
  }

  /** Returns the name of a relation, {@code schema.name}, or null. */
  public @Nullable String nameOf(long oid) {
    Relation relation = relation(oid);
    return relation == null ? null : relation.toString();
  }

  /**
   * Returns what a write to the rows of {@code qualifiedName} bumps, without what its triggers and
   * keys do, or null if there is no such relation.
   */
  public @Nullable WriteSet rowsOf(String qualifiedName, TableVersions versions) {
    Long oid = oidOf(qualifiedName);
    Relation relation = oid == null ? null : relation(oid);
    if (relation == null) {
      return null;
    }
    NameResolver names = new NameResolver(this, List.of(), Set.of());
    WriteClosure closure = new WriteClosure(names, Declarations.NONE, versions);
    closure.rows(relation);
    return closure.writes();
  }

  /** Returns the relation with this object identifier, or null. */
  @Nullable Relation relation(long oid) {
    return relations.get(oid);
  }

  /** Returns the relation of this very schema, or null. */
  @Nullable Relation relation(String schema, String name) {
    Map<String, Relation> inSchema = relationsBySchema.get(schema);
    return inSchema == null ? null : inSchema.get(name);
  }

  /** Returns whether the schema is known, and holds nothing called {@code name}. */
  boolean lacks(RelationName name) {
    String schema = name.schema();
    return schema != null
        && relationsBySchema.containsKey(schema)
        && relation(schema, name.name()) == null
        && !typeNames.contains(schema + '.' + name.name())
        && routines.getOrDefault(name.name(), List.of()).stream()
            .noneMatch(routine -> routine.schema().equals(schema));
  }

  /** Returns the overloads of {@code name} in all schemas. */
  List<Routine> routines(RoutineName name) {
    return routines.getOrDefault(name.name(), List.of());
  }

  /** Returns the operators of users. */
  UsersOperators usersOperators() {
    return usersOperators;
  }

  /** Returns whether a user's routine is proven to write nothing. */
  boolean isReader(Routine routine) {
    return readers.contains(routine.oid());
  }

  /** Returns whether a call of a user's routine may run DDL. */
  boolean mayChangeCatalog(Routine routine) {
    return catalogChangers == null || eventTriggers || catalogChangers.contains(routine.oid());
  }

  /**
   * Returns whether a statement that calls {@code names} may run DDL, whatever these mean there,
   * and the names of its relations.
   */
  public boolean mayChangeCatalog(Collection<RoutineName> names) {
    return catalogChangers == null
        || eventTriggers
        || names.stream().flatMap(name -> routines(name).stream()).anyMatch(this::mayChangeCatalog);
  }

  /** Returns the users' routines that may change settings. */
  RoutineBodies.SettingChangers settingChangers() {
    return settingChangers;
  }

  /** Returns whether {@code name} is that of a type of a user's, or of a relation. */
  boolean isType(RoutineName name) {
    return typeNames.contains(name.schema() + "." + name.name());
  }

  /** Returns whether an operator with this symbol may return a text. */
  boolean mayReturnText(String symbol) {
    return textOperators.contains(symbol);
  }

  /** Returns the schemas with a type called {@code name} whose input may read the clock. */
  Set<String> clockTypes(String name) {
    return clockTypes.getOrDefault(name, Set.of());
  }

  /** Returns whether DDL may write anything, by triggers of its own. */
  boolean hasEventTriggers() {
    return eventTriggers;
  }

  /** Returns the types whose use runs something. */
  HiddenCalls hidden() {
    return hidden;
  }

  /**
   * Returns whether a statement means the same whichever of its parameters are of these types of
   * users: nothing runs where a value is made of one, or compared.
   *
   * @param types object identifiers of types
   */
  public boolean areQuiet(Set<Long> types) {
    return types.stream().allMatch(type -> usersOperators.isType(type) && hidden.of(type).isEmpty())
        && !usersOperators.mayTake(types);
  }
}
