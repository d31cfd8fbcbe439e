package dev.larder.catalog;

import dev.larder.bypass.BypassReason;
import dev.larder.store.TableTag;
import dev.larder.store.TableVersions;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Everything that reading some relations reads: views down to their tables, policies, and the
 * routines that both call. For the tags of partitions see {@link InheritanceTree}.
 */
final class ReadClosure {
  /**
   * regproc, regprocedure, regoper, regoperator, regclass, regtype, and arrays of them: shown by
   * the names of objects, of temporary ones, too, which come and go without the catalog's changing.
   */
  private static final Set<Long> SHOWN_BY_CATALOG =
      Set.of(24L, 2202L, 2203L, 2204L, 2205L, 2206L, 1008L, 2207L, 2208L, 2209L, 2210L, 2211L);

  private final CatalogVersion catalog;
  private final Declarations declarations;
  private final TableVersions versions;
  private final Set<TableTag> tags = new LinkedHashSet<>();
  private final Set<Long> relations = new HashSet<>();
  private final Set<Long> locks = new HashSet<>();
  private final Set<Long> columnTypes = new HashSet<>();
  private final Set<String> zonedTimes = new HashSet<>();
  private final Set<String> localTimes = new HashSet<>();
  private final Set<String> tables = new HashSet<>();
  private final Set<String> settings = new HashSet<>();
  private final List<Routine> called = new ArrayList<>();
  private @Nullable BypassReason reason;

  ReadClosure(CatalogVersion catalog, Declarations declarations, TableVersions versions) {
    this.catalog = catalog;
    this.declarations = declarations;
    this.versions = versions;
  }

  /**
   * Adds {@code relation} and all that it is made of.
   *
   * @param locked whether the statement is sure to lock it
   */
  void read(Relation relation, boolean locked) {
    boolean seen = !relations.add(relation.oid);
    if (seen && !(locked && locks.add(relation.oid))) {
      return;
    }
    if (locked) {
      locks.add(relation.oid);
    }
    if (relation.system()) {
      bypass(BypassReason.UNSUPPORTED_RELATION);
      return;
    }
    switch (relation.kind) {
      case 'v' -> view(relation, locked);
      case 'r', 'p', 'm' -> table(relation, locked);
      default -> bypass(BypassReason.UNSUPPORTED_RELATION);
    }
    if (relation.columnTypes.stream().anyMatch(SHOWN_BY_CATALOG::contains)) {
      bypass(BypassReason.UNSUPPORTED_RELATION);
    }
    columnTypes.addAll(relation.columnTypes);
    zonedTimes.addAll(relation.zonedTimes);
    localTimes.addAll(relation.localTimes);
  }

  private void view(Relation view, boolean locked) {
    Expression definition = view.definition;
    if (definition == null) {
      bypass(BypassReason.UNSUPPORTED_RELATION);
      return;
    }
    bypass(definition.reason());
    settings.addAll(definition.settings());
    call(definition.routines());
    readAll(definition, view, locked);
  }

  private void readAll(Expression expression, Relation from, boolean locked) {
    for (long oid : expression.relations()) {
      Relation relation = catalog.relation(oid);
      if (relation != null) {
        if (relation != from) {
          read(relation, locked);
        }
      } else if (oid != 0) {
        bypass(BypassReason.UNKNOWN_RELATION);
      }
    }
  }

  private void table(Relation table, boolean locked) {
    tables.add(table.toString());
    tags.add(versions.tag(TableTag.Scope.RELATION, table.oid));
    for (Relation ancestor : table.ancestors) {
      tags.add(versions.tag(TableTag.Scope.BELOW, ancestor.oid));
    }
    if (table.hasChildren) {
      relations.add(-table.oid);
      if (locked && table.locksBelow) {
        locks.add(-table.oid);
      }
    }
    if (table.foreignBelow) {
      bypass(BypassReason.UNSUPPORTED_RELATION);
    }
    if (table.rowSecurity) {
      table.readPolicies.forEach(policy -> policy(table, policy));
    }
  }

  private void policy(Relation table, Expression policy) {
    if (!policy.plain()) {
      bypass(BypassReason.ROW_SECURITY);
    }
    called.addAll(policy.routines());
    settings.addAll(policy.settings());
    readAll(policy, table, false);
    if (policy.relations().contains(table.oid)) {
      bypass(BypassReason.ROW_SECURITY);
    }
  }

  /** Adds calls that a view or the statement makes. */
  void call(List<Routine> routines) {
    for (Routine routine : routines) {
      call(routine, null);
    }
  }

  /**
   * Adds a call; {@code instead} is the reason to give if it cannot be cached, null for its own.
   */
  void call(Routine routine, @Nullable BypassReason instead) {
    settings.addAll(routine.settings());
    if (routine.plain() && !routine.hasEffects()) {
      return;
    }
    called.add(routine);
    boolean declared = routine.isReadOnly(declarations);
    judge(declared ? null : routine.reason(), instead);
    if (!declared || !routine.aggregate()) {
      for (Routine part : routine.parts()) {
        settings.addAll(part.settings());
        judge(part.isReadOnly(declarations) ? null : part.reason(), instead);
      }
    }
  }

  private void judge(@Nullable BypassReason own, @Nullable BypassReason instead) {
    bypass(own == null || instead == null ? own : instead);
  }

  /** Adds the use of a type, by a column. */
  void useType(long type) {
    hidden(catalog.hidden().of(type));
  }

  /** Adds calls that nothing in the text shows. */
  void hidden(List<Routine> routines) {
    routines.forEach(routine -> call(routine, BypassReason.OPERATOR));
  }

  /** Forbids caching; of several reasons the first of the enum is kept. */
  void bypass(@Nullable BypassReason because) {
    reason = CatalogBuilder.first(reason, because);
  }

  @Nullable BypassReason reason() {
    return reason;
  }

  List<TableTag> tags() {
    return List.copyOf(tags);
  }

  /** Returns the relations read by oid; for what is below one of them, its oid negated. */
  Set<Long> relations() {
    return relations;
  }

  /** Returns the part of {@link #relations} that the statement is sure to lock. */
  Set<Long> locks() {
    return locks;
  }

  Set<Long> columnTypes() {
    return columnTypes;
  }

  Set<String> zonedTimes() {
    return zonedTimes;
  }

  /** Returns the names of columns of type time, without time zone. */
  Set<String> localTimes() {
    return localTimes;
  }

  Set<String> tables() {
    return tables;
  }

  Set<String> settings() {
    return settings;
  }

  List<Routine> called() {
    return called;
  }
}
