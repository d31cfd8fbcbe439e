package dev.larder.code;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What tells that a routine is not IMMUTABLE though it is declared so, besides what its own text
 * reads: that it calls what is declared otherwise and shows no text, or what writes; by name, by an
 * operator or a type, by the default of a parameter, or in a body in the syntax of the standard.
 * Filled while the bodies are read, then never changed.
 */
final class Disbelief {
  /** A query in stored form that changes rows, or the stand-in for one that is too long. */
  private static final Pattern CHANGES_ROWS =
      Pattern.compile(":resultRelation [1-9]|\\{LONG|:hasModifyingCTE true");

  /** Words of what changes rows, besides DDL. */
  private static final Set<String> WRITING =
      Set.of("call", "copy", "delete", "insert", "merge", "refresh", "truncate", "update");

  /** Those that depend on more than their arguments. */
  private final Set<Long> readers = new HashSet<>();

  /** Those that change rows, and those that call what their text does not say. */
  private final Set<Long> writers = new HashSet<>();

  private final CallGraph calls;

  Disbelief(CallGraph calls) {
    this.calls = calls;
  }

  /** Notes what bodies may use without naming a function. */
  void use(UsedInBodies used) {
    calls.named(used.node(), used.word());
    calls.runs(used.node(), used.runs());
    if (used.readsMore()) {
      readers.add(used.node());
    }
  }

  /**
   * Notes what a routine says of itself.
   *
   * @param words those of its body, or null where nobody can read it
   * @param writes whether the body may call what it does not name, or runs DDL where it may
   */
  void add(RoutineRow row, @Nullable Set<String> words, boolean writes) {
    if (!row.users()) {
      if (BuiltinRoutines.reason(row.name(), row.volatility(), row.argumentTypes()) != null) {
        readers.add(row.oid());
      }
      return;
    }
    // Whoever calls it may have values of these.
    calls.runs(
        row.oid(),
        row.types().stream().filter(BuiltinRoutines::isUsers).map(UsedInBodies::typeNode).toList());
    String defaults = row.parameterDefaults();
    if (defaults != null) {
      use(UsedInBodies.defaults(row.oid(), row.name(), NodeTree.parse(defaults)));
    }
    String body = row.standardBody();
    if (body != null) {
      reads(row.oid(), NodeTree.parse(body));
    }
    if (words == null && isUntold(row)) {
      readers.add(row.oid());
    }
    boolean changesRows =
        words == null ? mayWrite(row) : writes || (row.volatility() == 'v' && isWriting(words));
    if (changesRows && !row.trigger()) {
      writers.add(row.oid());
    }
  }

  private static boolean isWriting(Set<String> words) {
    return WRITING.stream().anyMatch(words::contains);
  }

  /** Whether nobody knows what it does, and it is not declared to depend on its arguments alone. */
  private static boolean isUntold(RoutineRow row) {
    return row.volatility() != 'i'
        && row.support().isEmpty()
        && !row.isTold()
        && !KnownLibraries.writesNothing(row.library());
  }

  private static boolean mayWrite(RoutineRow row) {
    String body = row.standardBody();
    boolean changesRows = body == null ? isUntold(row) : CHANGES_ROWS.matcher(body).find();
    return changesRows && row.volatility() == 'v';
  }

  private void reads(long routine, NodeTree tree) {
    calls.runs(routine, UsedInBodies.nodesOf(tree));
    if (tree.readsMore()) {
      readers.add(routine);
    }
  }

  /**
   * Finds out what follows, once all was added.
   *
   * @param told those that read more, as their texts say
   */
  void spread(Set<Long> told) {
    readers.addAll(told);
    List.of(readers, writers).forEach(calls::spreadUnnamed);
  }

  /** Returns whether the routine depends on more than its arguments. */
  boolean readsMore(long routine) {
    return readers.contains(routine);
  }

  /** Returns whether a call of the routine may change rows. */
  boolean mayWrite(long routine) {
    return writers.contains(routine);
  }
}
