package dev.larder.resolve;

import dev.larder.catalog.CatalogRow;
import dev.larder.catalog.CatalogVersion;
import dev.larder.catalog.Expression;
import dev.larder.catalog.HiddenCalls;
import dev.larder.catalog.InheritanceTree;
import dev.larder.catalog.Relation;
import dev.larder.catalog.Relation.Trigger;
import dev.larder.catalog.Routine;
import dev.larder.catalog.Routine.Trait;
import dev.larder.code.KnownLibraries;
import dev.larder.code.TriggerPlace;
import dev.larder.sql.RowWrite;
import dev.larder.sql.WriteEvent;
import dev.larder.store.ProtocolStep;
import dev.larder.store.TableTag;
import dev.larder.store.TableVersions;
import dev.larder.store.WriteSet;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Everything that writing some relations may write: partitions and parents, cascades of foreign
 * keys, triggers, rules, and the functions behind defaults and constraints. For the tags of
 * partitions see {@link InheritanceTree}.
 */
final class WriteClosure {
  private final Scope scope;
  private final CatalogVersion catalog;
  private final Declarations declarations;
  private final TableVersions versions;
  private final Set<Visit> visited = new HashSet<>();
  private final Set<TableTag> tags = new LinkedHashSet<>();

  /** The names of the tables, {@code schema.name}. */
  final Set<String> tables = new HashSet<>();

  private boolean unknown;
  private boolean changesSettings;
  private boolean changesCatalog;
  boolean readsUntold; // Whether anything runs that may show what the text does not name.
  private @Nullable Undeclared undeclared;
  private final BodyClosure bodies;

  private record Visit(long relation, RowWrite write, BodyPath path) {}

  WriteClosure(Scope scope) {
    this.scope = scope;
    this.catalog = scope.catalog();
    this.declarations = scope.declarations();
    this.versions = scope.versions();
    this.bodies = new BodyClosure(scope, this);
  }

  /** Follows what is added next in whichever schemas bodies may search. */
  void inAnyPath(Runnable added) {
    bodies.inAnyPath(added);
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
      undeclared = Undeclared.call(routine, scope);
    }
    unknown = true;
    changesSettings |= catalog.mayChangeSettings(routine);
    changesCatalog |= catalog.mayChangeCatalog(routine);
  }

  void write(@Nullable Relation relation, WriteEvent event) {
    write(relation, RowWrite.of(event));
  }

  /** Adds a write to {@code relation}, or gives up where it is null. */
  void write(@Nullable Relation relation, RowWrite write) {
    if (relation == null || relation.system()) {
      unknown();
    } else if (visited.add(new Visit(relation.oid(), write, bodies.path()))) {
      switch (relation.kind()) {
        case 'r', 'p' -> table(relation, write);
        case 'v' -> ViewWrites.follow(relation, write.event(), this);
        case 'm' -> {
          bump(relation);
          inAnyPath(() -> evaluate(relation.definition(), relation));
          Upkeep.of(relation, this);
        }
        // What is behind a foreign table may be a table of this very database.
        default -> unknown();
      }
    }
  }

  private void table(Relation table, RowWrite write) {
    bump(table);
    unknown |= KnownLibraries.isReadUnseen(table.name());
    follow(table, write);
    if (table.kind() == 'p' && write.event() == WriteEvent.UPDATE) {
      // A row that changes its partition is deleted here and inserted there.
      write(table, WriteEvent.DELETE);
      write(table, WriteEvent.INSERT);
    }
  }

  private void bump(Relation table) {
    tables.add(table.toString());
    tags.addAll(catalog.tree().writtenTags(table.oid(), versions));
  }

  /** Adds what follows from a write to {@code table}, without the rows of the write itself. */
  void follow(Relation table, RowWrite write) {
    InheritanceTree.Place place = catalog.tree().place(table.oid());
    if (place.foreignBelow()) {
      unknown();
    }
    List<Relation> below = relations(place.activeDescendants());
    RowWrite done =
        AssignedColumns.with(
            write, Stream.concat(Stream.of(table), below.stream()).toList(), catalog);
    effects(table, done, false);
    below.forEach(relation -> effects(relation, done, true));
  }

  private List<Relation> relations(Collection<Long> oids) {
    return oids.stream().flatMap(oid -> Stream.ofNullable(catalog.relation(oid))).toList();
  }

  /**
   * A view that is read runs its functions, and those of what it reads; a table runs its policies.
   */
  void callsOfRead(Relation relation) {
    readsUntold = true;
    boolean view = relation.kind() == 'v';
    if ((!view && !relation.rowSecurity())
        || relation.kind() == 'm'
        || !visited.add(
            new Visit(relation.oid(), RowWrite.of(WriteEvent.REFRESH), bodies.path()))) {
      return;
    }
    if (view) {
      evaluate(relation.definition(), relation);
    }
    if (relation.rowSecurity()) {
      relation.readPolicies().forEach(policy -> evaluate(policy, relation));
      relation.lockPolicies().forEach(policy -> evaluate(policy, relation));
    }
  }

  /** Adds what an expression of {@code owner}'s calls by itself or by reading. */
  void evaluate(@Nullable Expression expression, Relation owner) {
    if (expression == null) {
      unknown();
      return;
    }
    call(expression.routines());
    readsOf(expression, owner).forEach(this::callsOfRead);
  }

  List<Relation> readsOf(Expression expression, Relation owner) {
    return relations(expression.relations()).stream()
        .filter(relation -> relation.oid() != owner.oid())
        .toList();
  }

  /** The effects of {@code write} on the rows of {@code table} itself, without what is below. */
  private void effects(Relation table, RowWrite write, boolean ownOnly) {
    WriteEvent event = write.event();
    if (table.rules().contains(event)) {
      unknown();
    }
    for (Trigger trigger : table.triggers()) {
      if (trigger.firesFor(event) && !(ownOnly && trigger.copied())) {
        fire(table, trigger, event);
      }
    }
    for (CatalogRow.ForeignKey key : table.referencedBy()) {
      WriteEvent follows = key.follows(write);
      Relation child = catalog.relation(key.child());
      if (follows != null
          && child != null
          && !(ownOnly && key.copied())
          && ProtocolStep.FOLLOW_FOREIGN_KEYS.isTaken()) {
        inAnyPath(
            () ->
                write(
                    child,
                    new RowWrite(follows, write.cascade(), null))); // As the owner of the table.
      }
    }
    if (event != WriteEvent.TRUNCATE) {
      table.evaluated().forEach(expression -> evaluate(expression, table));
      useColumns(table);
    }
  }

  void useColumns(Relation relation) {
    HiddenCalls hidden = catalog.hidden();
    for (long type : relation.columns().types()) {
      call(hidden.of(type));
      call(hidden.ofDefault(type));
    }
  }

  void fire(Relation table, Trigger trigger, WriteEvent event) {
    if (!ProtocolStep.FOLLOW_TRIGGERS.isTaken()) {
      return;
    }
    Expression condition = trigger.condition();
    if (condition != null) {
      call(condition.routines());
    }
    Routine function = trigger.function();
    List<Relation> above = relations(catalog.tree().place(table.oid()).ancestors());
    List<Relation> owners = Stream.concat(Stream.of(table), above.stream()).toList();
    Set<String> declared = declarations.writes(trigger.name(), owners);
    if (declared != null) {
      readsUntold = true;
      changesSettings |= catalog.bodies().mayChangeSettings(function.oid(), false);
      writeDeclared(declared);
    } else if (function.builtin() && !function.is(Trait.HARMLESS_TRIGGER)) {
      unknown();
    } else if (!function.is(Trait.HARMLESS_TRIGGER)) {
      boolean known = !unknown;
      run(table, trigger);
      if (known && unknown && (undeclared == null || !undeclared.trigger())) {
        undeclared = Undeclared.trigger(event, table, trigger, scope);
      }
    }
  }

  private void run(Relation table, Trigger trigger) {
    TriggerPlace place = table.place(trigger);
    if (trigger.deferrable()) {
      inAnyPath(() -> call(trigger.function(), true, place));
    } else {
      call(trigger.function(), true, place);
    }
  }

  private void writeDeclared(Set<String> written) {
    for (String table : written) {
      Relation relation = scope.declared(table);
      for (WriteEvent event : List.of(WriteEvent.INSERT, WriteEvent.UPDATE, WriteEvent.DELETE)) {
        write(relation, event);
      }
    }
  }

  /** Adds what calls of these routines may write. */
  void call(Collection<Routine> routines) {
    routines.forEach(routine -> call(routine, false, null));
  }

  /**
   * Adds what a call may write.
   *
   * @param suspected whether even a routine declared IMMUTABLE is not believed
   * @param place what it runs for as a trigger, or null
   */
  private void call(Routine routine, boolean suspected, @Nullable TriggerPlace place) {
    changesSettings |= routine.is(Trait.CHANGES_SETTINGS);
    readsUntold |= !routine.builtin() || routine.is(Trait.MAY_WRITE);
    Set<String> declared = declarations.writes(routine);
    boolean declaredAggregate = declared != null && routine.is(Trait.AGGREGATE);
    call(declaredAggregate ? List.of() : routine.parts());
    if (!routine.is(Trait.MAY_WRITE) && !suspected && !declaredAggregate) {
      return;
    }
    boolean reader =
        declared == null && !suspected && catalog.bodies().writesNothing(routine.oid());
    if (declared == null && !reader && bodies.follow(routine, place)) {
      return;
    }
    // Nothing keeps a reader from that: the server refuses it writes alone.
    changesSettings |= catalog.bodies().mayChangeSettings(routine.oid(), reader);
    if (declared != null) {
      writeDeclared(declared);
    } else if (!reader) {
      unknown(routine);
    }
  }

  /** Returns the set of everything added. */
  WriteSet writes() {
    boolean anything = unknown || (changesSettings && bodies.haveRun());
    return anything && ProtocolStep.INVALIDATE_ALL_FOR_UNKNOWN.isTaken()
        ? WriteSet.UNKNOWN
        : new WriteSet(List.copyOf(tags), false);
  }

  /** Returns the first trigger or routine that was given up on, or null. */
  @Nullable Undeclared undeclared() {
    return undeclared;
  }

  /** Returns whether the catalog may look different afterwards. */
  boolean changesCatalog() {
    return changesCatalog;
  }

  /** Returns whether settings of the session may change. */
  boolean changesSettings() {
    return changesSettings;
  }
}
