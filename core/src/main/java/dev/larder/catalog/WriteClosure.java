package dev.larder.catalog;

import dev.larder.sql.WriteEvent;
import dev.larder.store.ProtocolStep;
import dev.larder.store.TableTag;
import dev.larder.store.TableVersions;
import dev.larder.store.WriteSet;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Everything that writing some relations may write: partitions and parents, cascades of foreign
 * keys, triggers, rules, and the functions behind defaults and constraints. For the tags of
 * partitions see {@link InheritanceTree}.
 */
final class WriteClosure {
  private final NameResolver names;
  private final Declarations declarations;
  private final TableVersions versions;
  private final Set<Visit> visited = new HashSet<>();
  private final Set<TableTag> tags = new LinkedHashSet<>();
  private final Set<String> tables = new HashSet<>();
  private boolean unknown;
  private boolean changesSettings;
  private boolean changesCatalog;
  private @Nullable Undeclared undeclared;

  private record Visit(Relation relation, WriteEvent event, boolean cascade) {}

  WriteClosure(NameResolver names, Declarations declarations, TableVersions versions) {
    this.names = names;
    this.declarations = declarations;
    this.versions = versions;
  }

  /** Gives up: anything may be written, any setting changed, and DDL run. */
  void unknown() {
    unknown = true;
    changesSettings = true;
    changesCatalog = true;
  }

  /** Gives up on what {@code routine} writes. */
  private void unknown(Routine routine) {
    if (!unknown && !routine.builtin() && !routine.schema().isEmpty()) {
      undeclared = new Undeclared("a call", false, routine.name(), targets(routine));
    }
    unknown = true;
    changesSettings |= names.catalog().settingChangers().mayBeUndeclared(routine);
    changesCatalog |= names.catalog().mayChangeCatalog(routine);
  }

  /** Adds a write to {@code relation}, or gives up where it is null. */
  void write(@Nullable Relation relation, WriteEvent event, boolean cascade) {
    if (relation == null || relation.system()) {
      unknown();
    } else if (visited.add(new Visit(relation, event, cascade))) {
      switch (relation.kind) {
        case 'r', 'p' -> table(relation, event, cascade);
        case 'v' -> view(relation, event);
        case 'm' -> materializedView(relation);
        // What is behind a foreign table may be a table of this very database.
        default -> unknown();
      }
    }
  }

  private void table(Relation table, WriteEvent event, boolean cascade) {
    bump(table);
    if (table.foreignBelow) {
      unknown();
    }
    unknown |= KnownLibraries.isReadUnseen(table.name);
    effects(table, event, cascade, false);
    for (Relation below : table.activeDescendants) {
      effects(below, event, cascade, true);
    }
    if (table.kind == 'p' && event == WriteEvent.UPDATE) {
      // A row that changes its partition is deleted here and inserted there.
      write(table, WriteEvent.DELETE, false);
      write(table, WriteEvent.INSERT, false);
    }
  }

  /** Adds what follows from a write to {@code table}, without the rows of the write itself. */
  void following(Relation table, WriteEvent event) {
    if (table.foreignBelow) {
      unknown();
    }
    effects(table, event, false, false);
    for (Relation below : table.activeDescendants) {
      effects(below, event, false, true);
    }
  }

  /** Adds the rows of {@code table} alone, without what its triggers and keys do. */
  void rows(Relation table) {
    bump(table);
  }

  private void bump(Relation table) {
    tables.add(table.toString());
    tags.add(versions.tag(TableTag.Scope.RELATION, table.oid));
    if (!ProtocolStep.FOLLOW_PARTITIONS.isTaken()) {
      return;
    }
    for (Relation above : table.ancestors) {
      tags.add(versions.tag(TableTag.Scope.RELATION, above.oid));
    }
    if (table.hasChildren) {
      tags.add(versions.tag(TableTag.Scope.BELOW, table.oid));
      for (Relation above : table.crossAncestors) {
        tags.add(versions.tag(TableTag.Scope.RELATION, above.oid));
      }
    }
  }

  private void materializedView(Relation view) {
    bump(view);
    Expression definition = view.definition;
    if (definition == null) {
      unknown();
      return;
    }
    evaluate(definition, view);
  }

  private void view(Relation view, WriteEvent event) {
    Expression definition = view.definition;
    if (definition == null || view.rules.contains(event)) {
      unknown();
      return;
    }
    call(definition.routines());
    view.evaluated.forEach(expression -> evaluate(expression, view));
    useColumns(view);
    List<Trigger> firing = view.triggers.stream().filter(t -> t.firesFor(event)).toList();
    firing.forEach(trigger -> fire(view, trigger, event));
    if (firing.stream().noneMatch(Trigger::insteadOf)) {
      if (mayWriteServers(readsOf(definition, view).toList())) {
        unknown();
      }
      readsOf(definition, view)
          .filter(base -> !base.system() && base.kind != 'm' && base.kind != 'S')
          .forEach(base -> write(base, event, false));
    } else {
      readsOf(definition, view).forEach(this::callsOfRead);
    }
  }

  /** Whether a view of these may be one of the settings, which it changes, or of the catalog. */
  private static boolean mayWriteServers(List<Relation> bases) {
    return bases.stream().allMatch(Relation::system)
        || bases.stream().anyMatch(base -> base.system() && base.name.equals("pg_settings"));
  }

  /**
   * A view that is read runs its functions, and those of what it reads; a table runs its policies.
   */
  private void callsOfRead(Relation relation) {
    boolean view = relation.kind == 'v';
    if ((!view && !relation.rowSecurity)
        || relation.kind == 'm'
        || !visited.add(new Visit(relation, WriteEvent.REFRESH, false))) {
      return;
    }
    Expression definition = relation.definition;
    if (view && definition != null) {
      evaluate(definition, relation);
    }
    if (relation.rowSecurity) {
      relation.readPolicies.forEach(policy -> evaluate(policy, relation));
    }
  }

  /**
   * Adds what {@code expression}, which belongs to {@code owner}, calls by itself or by reading.
   */
  private void evaluate(Expression expression, Relation owner) {
    call(expression.routines());
    readsOf(expression, owner).forEach(this::callsOfRead);
  }

  private Stream<Relation> readsOf(Expression definition, Relation view) {
    List<Relation> found = new ArrayList<>();
    for (long oid : definition.relations()) {
      Relation relation = names.catalog().relation(oid);
      if (relation != null && relation != view) {
        found.add(relation);
      }
    }
    return found.stream();
  }

  /** The effects of {@code event} on the rows of {@code table} itself, without what is below. */
  private void effects(Relation table, WriteEvent event, boolean cascade, boolean ownOnly) {
    if (table.rules.contains(event)) {
      unknown();
    }
    for (Trigger trigger : table.triggers) {
      if (trigger.firesFor(event) && !(ownOnly && trigger.copied())) {
        fire(table, trigger, event);
      }
    }
    for (ForeignKey key : table.referencedBy) {
      WriteEvent follows = key.follows(event, cascade);
      if (follows != null
          && !(ownOnly && key.copied())
          && ProtocolStep.FOLLOW_FOREIGN_KEYS.isTaken()) {
        write(key.child(), follows, cascade);
      }
    }
    if (event != WriteEvent.TRUNCATE) {
      table.evaluated.forEach(expression -> evaluate(expression, table));
      useColumns(table);
    }
  }

  private void useColumns(Relation relation) {
    HiddenCalls hidden = names.catalog().hidden();
    for (long type : relation.columnTypes) {
      call(hidden.of(type));
      call(hidden.ofDefault(type));
    }
  }

  private void fire(Relation table, Trigger trigger, WriteEvent event) {
    if (!ProtocolStep.FOLLOW_TRIGGERS.isTaken()) {
      return;
    }
    Expression condition = trigger.condition();
    if (condition != null) {
      call(condition.routines());
    }
    Set<String> declared = declared(table, trigger.name());
    if (declared != null) {
      changesSettings |= names.catalog().settingChangers().mayBe(trigger.function());
      writeDeclared(declared);
    } else if (!trigger.function().harmlessTrigger()) {
      if (trigger.function().builtin()) {
        unknown();
      } else {
        boolean known = !unknown;
        call(trigger.function(), true);
        if (known && unknown) {
          undeclared =
              new Undeclared(
                  Undeclared.of(event.name(), table.name),
                  true,
                  trigger.name(),
                  targets(trigger.function()));
        }
      }
    }
  }

  /** The tables that the body can be seen to write. */
  private List<String> targets(Routine routine) {
    return names.catalog().targets(routine).stream()
        .filter(target -> names.declared(target) != null)
        .toList();
  }

  private @Nullable Set<String> declared(Relation table, String trigger) {
    Map<String, Set<String>> declared = declarations.triggerWrites();
    if (declared.isEmpty()) {
      return null;
    }
    Set<String> found = declared.get(trigger);
    for (Relation owner : Stream.concat(Stream.of(table), table.ancestors.stream()).toList()) {
      found = found != null ? found : declared.get(owner.name + '.' + trigger);
      found = found != null ? found : declared.get(owner + "." + trigger);
    }
    return found;
  }

  private void writeDeclared(Set<String> tables) {
    for (String table : tables) {
      Relation relation = names.declared(table);
      for (WriteEvent event : List.of(WriteEvent.INSERT, WriteEvent.UPDATE, WriteEvent.DELETE)) {
        write(relation, event, false);
      }
    }
  }

  /** Adds what calls of these routines may write. */
  void call(Collection<Routine> routines) {
    routines.forEach(routine -> call(routine, false));
  }

  /**
   * Adds what a call may write.
   *
   * @param suspected whether even a routine declared IMMUTABLE is not believed
   */
  private void call(Routine routine, boolean suspected) {
    changesSettings |= routine.changesSettings();
    Set<String> declared = declared(routine);
    if (declared == null || !routine.aggregate()) {
      call(routine.parts());
    }
    boolean judged = routine.mayWrite() || suspected || (declared != null && routine.aggregate());
    if (!judged) {
      return;
    }
    CatalogVersion catalog = names.catalog();
    boolean reader = declared == null && !suspected && catalog.isReader(routine);
    // Nothing keeps a reader from that: the server refuses it writes alone.
    RoutineBodies.SettingChangers changers = catalog.settingChangers();
    changesSettings |= reader ? changers.mayBeReader(routine) : changers.mayBe(routine);
    if (declared != null) {
      writeDeclared(declared);
    } else if (!reader) {
      unknown(routine);
    }
  }

  /** Returns what the user declares that the routine writes, or null. */
  private @Nullable Set<String> declared(Routine routine) {
    if (routine.builtin()) {
      return null;
    }
    if (routine.isReadOnly(declarations)) {
      return Set.of();
    }
    Map<String, Set<String>> declared = declarations.functionWrites();
    Set<String> writes = declared.get(routine.name());
    return writes != null ? writes : declared.get(routine.schema() + '.' + routine.name());
  }

  /** Returns the set of everything added. */
  WriteSet writes() {
    return unknown && ProtocolStep.INVALIDATE_ALL_FOR_UNKNOWN.isTaken()
        ? WriteSet.UNKNOWN
        : new WriteSet(List.copyOf(tags), false);
  }

  /** Returns the first trigger or routine that was given up on, or null. */
  @Nullable Undeclared undeclared() {
    return undeclared;
  }

  Set<String> tables() {
    return tables;
  }

  /** Returns whether the catalog may look different afterwards. */
  boolean changesCatalog() {
    return changesCatalog;
  }

  boolean changesSettings() {
    return changesSettings;
  }
}
