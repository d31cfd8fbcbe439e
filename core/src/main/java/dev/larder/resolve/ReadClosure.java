package dev.larder.resolve;

import dev.larder.bypass.BypassReason;
import dev.larder.catalog.CatalogVersion;
import dev.larder.catalog.Expression;
import dev.larder.catalog.InheritanceTree;
import dev.larder.catalog.Relation;
import dev.larder.catalog.Routine;
import dev.larder.code.BuiltinRoutines;
import dev.larder.code.RoutineBodies;
import dev.larder.store.KeySettings;
import dev.larder.store.ProtocolStep;
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
  private final CatalogVersion catalog;
  private final Declarations declarations;
  private final TableVersions versions;

  /** What the result depends on. */
  final Set<TableTag> tags = new LinkedHashSet<>();

  /** The relations read by oid; for what is below one of them, its oid negated. */
  final Set<Long> relations = new HashSet<>();

  /** The part of {@link #relations} that the statement is sure to lock. */
  final Set<Long> locks = new HashSet<>();

  /** The names of the tables, {@code schema.name}. */
  final Set<String> tables = new HashSet<>();

  /** The types of the columns, as far as they matter. */
  final Set<Long> columnTypes = new HashSet<>();

  /** The names of columns of type time with time zone, and of type time. */
  final Set<String> zonedTimes = new HashSet<>();

  final Set<String> localTimes = new HashSet<>();

  /** The settings that the result depends on; {@link KeySettings#ANY} where that may be any. */
  final Set<String> settings = new HashSet<>();

  /** What is called and is not plain. */
  final List<Routine> called = new ArrayList<>();

  /** Whether any routine of a user's may be called. */
  boolean callsUsers;

  /** Whether all that is called is told: it reads nothing but the clock. */
  boolean callsClockOnly = true;

  private final @Nullable RoutineReads routines;
  private @Nullable BypassReason reason;
  private @Nullable BypassReason besideClock;

  ReadClosure(Scope scope) {
    this(scope, null);
  }

  /**
   * Creates a closure that is empty.
   *
   * @param routines follows what is called, or null where it is not to be followed
   */
  ReadClosure(Scope scope, @Nullable RoutineReads routines) {
    this.routines = routines;
    this.catalog = scope.catalog();
    this.declarations = scope.declarations();
    this.versions = scope.versions();
  }

  /**
   * Adds {@code relation} and all that it is made of.
   *
   * @param locked whether the statement is sure to lock it
   */
  void read(Relation relation, boolean locked) {
    boolean seen = !relations.add(relation.oid());
    if (seen && !(locked && locks.add(relation.oid()))) {
      return;
    }
    if (locked) {
      locks.add(relation.oid());
    }
    if (relation.system()) {
      bypass(BypassReason.UNSUPPORTED_RELATION);
      return;
    }
    switch (relation.kind()) {
      case 'v' -> view(relation, locked);
      case 'r', 'p', 'm' -> table(relation, locked);
      default -> bypass(BypassReason.UNSUPPORTED_RELATION);
    }
    if (relation.columns().types().stream().anyMatch(BuiltinRoutines::isShownByCatalog)) {
      bypass(BypassReason.UNSUPPORTED_RELATION);
    }
    columnTypes.addAll(relation.columns().types());
    zonedTimes.addAll(relation.columns().zonedTimes());
    localTimes.addAll(relation.columns().localTimes());
  }

  private void view(Relation view, boolean locked) {
    Expression definition = view.definition();
    if (definition == null) {
      bypass(BypassReason.UNSUPPORTED_RELATION);
      return;
    }
    if (definition.clockOnly()) {
      readsClock();
    } else {
      bypass(definition.reason());
    }
    if (ProtocolStep.NAME_SETTINGS_OF_VIEWS.isTaken()) {
      settings.addAll(definition.settings());
    }
    definition.routines().forEach(routine -> call(routine, null));
    readAll(definition, view, locked);
  }

  private void readAll(Expression expression, Relation from, boolean locked) {
    for (long oid : expression.relations()) {
      Relation relation = catalog.relation(oid);
      if (relation != null) {
        if (oid != from.oid()) {
          read(relation, locked);
        }
      } else if (oid != 0) {
        bypass(BypassReason.UNKNOWN_RELATION);
      }
    }
  }

  private void table(Relation table, boolean locked) {
    tables.add(table.toString());
    tags.addAll(catalog.tree().readTags(table.oid(), versions));
    InheritanceTree.Place place = catalog.tree().place(table.oid());
    if (place.hasChildren()) {
      relations.add(-table.oid());
      if (locked && place.locksBelow()) {
        locks.add(-table.oid());
      }
    }
    if (place.foreignBelow()) {
      bypass(BypassReason.UNSUPPORTED_RELATION);
    }
    if (table.rowSecurity()) {
      table.readPolicies().forEach(policy -> policy(table, policy));
      table.lockPolicies().forEach(policy -> called.addAll(policy.routines()));
    }
  }

  private void policy(Relation table, Expression policy) {
    boolean known =
        policy.reason() == null
            && policy.routines().stream().allMatch(each -> each.parts().isEmpty() && follow(each));
    if (!known) {
      bypass(BypassReason.ROW_SECURITY);
    }
    called.addAll(policy.routines());
    callsClockOnly &= policy.routines().isEmpty();
    if (ProtocolStep.NAME_SETTINGS_OF_POLICIES.isTaken()) {
      settings.addAll(policy.settings());
    }
    readAll(policy, table, false);
    if (policy.relations().contains(table.oid())) {
      bypass(BypassReason.ROW_SECURITY);
    }
  }

  /**
   * Adds a call; {@code instead} is the reason to give if it cannot be cached, null for its own.
   */
  void call(Routine routine, @Nullable BypassReason instead) {
    boolean followed = instead == null && follow(routine);
    if (ProtocolStep.NAME_SETTINGS_OF_ROUTINES.isTaken()) {
      (followed ? routine.parts() : List.of(routine)).forEach(this::readSettings);
    }
    if (routine.plain() && !routine.hasEffects()) {
      return;
    }
    called.add(routine);
    boolean declared = declarations.isReadOnly(routine);
    if (routine.tellsTime() && instead == null && !declared) {
      readsClock();
      return;
    }
    callsClockOnly = false;
    judge(declared || followed ? null : routine.reason(), instead);
    if (!declared || !routine.is(Routine.Trait.AGGREGATE)) {
      for (Routine part : routine.parts()) {
        judge(declarations.isReadOnly(part) ? null : part.reason(), instead);
      }
    }
  }

  /** Adds what a function of a user's reads; returns false if only its declaration could tell. */
  private boolean follow(Routine routine) {
    return routines != null
        && routine.reason() == BypassReason.FUNCTION
        && !routine.builtin()
        && declarations.writes(routine) == null
        && routines.follow(routine, this);
  }

  /** Adds what another closure reads, which is of no statement that is sure to run. */
  void include(ReadClosure inner) {
    tags.addAll(inner.tags);
    relations.addAll(inner.relations);
    tables.addAll(inner.tables);
    settings.addAll(inner.settings);
  }

  /** Whether it reads what a record may hold whose offset, or path, depends on the present day. */
  boolean readsTimes() {
    return !zonedTimes.isEmpty()
        || !localTimes.isEmpty()
        || columnTypes.contains(StatementReads.JSON_PATH);
  }

  /** What is declared of a routine says nothing of the settings that it reads: its body does. */
  private void readSettings(Routine routine) {
    RoutineBodies bodies = catalog.bodies();
    settings.addAll(routine.settings());
    boolean believed = routine.reason() != null && !routine.builtin();
    if (believed) {
      settings.addAll(bodies.settings(routine.oid()));
    }
    if (bodies.readsAnySetting(routine.oid())
        || (believed && !bodies.readsSettingsAlone(routine.oid()))) {
      settings.add(KeySettings.ANY);
    }
    routine.parts().forEach(this::readSettings);
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
    reason = first(reason, because);
    besideClock = first(besideClock, because);
  }

  /** Forbids caching where no age is declared: what is read depends on the present time. */
  void readsClock() {
    reason = first(reason, BypassReason.TIME);
  }

  private static @Nullable BypassReason first(
      @Nullable BypassReason known, @Nullable BypassReason because) {
    boolean first = because != null && (known == null || because.compareTo(known) < 0);
    return first ? because : known;
  }

  /** Returns why it cannot be cached, or null where it can. */
  @Nullable BypassReason reason() {
    return reason;
  }

  /** Returns the same, but for {@link #readsClock}. */
  @Nullable BypassReason reasonBesideClock() {
    return besideClock;
  }
}
