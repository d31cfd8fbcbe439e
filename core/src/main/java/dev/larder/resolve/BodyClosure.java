package dev.larder.resolve;

import dev.larder.catalog.CatalogVersion;
import dev.larder.catalog.Relation;
import dev.larder.catalog.Routine;
import dev.larder.code.RoutineText;
import dev.larder.code.TriggerPlace;
import dev.larder.sql.StatementFacts;
import dev.larder.sql.WriteTarget;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Adds to a {@link WriteClosure} what the bodies of routines write and call. Used by one thread.
 *
 * <p>Nobody knows which path holds for a routine that runs as another role, since {@code "$user"}
 * and the right to use a schema belong to the role; for a trigger that may fire at COMMIT; and for
 * what a query calls, which may be fetched after the session has set another. There a body is
 * followed only if each of its names stands for one relation at most, whichever schemas are
 * searched.
 */
final class BodyClosure {
  /** Deeper calls are not followed, so that no chain of routines overflows the stack. */
  private static final int DEEPEST = 30;

  /** More are not followed, so that no body makes a statement slow to resolve. */
  private static final int MOST_STATEMENTS = 1_000;

  private final Scope session;
  private final CatalogVersion catalog;
  private final WriteClosure writes;
  private final Set<Visit> visited = new HashSet<>();
  private BodyPath path;
  private int depth;
  private int statements;

  private record Visit(long routine, @Nullable TriggerPlace place, BodyPath path) {}

  BodyClosure(Scope session, WriteClosure writes) {
    this.session = session;
    this.catalog = session.catalog();
    this.writes = writes;
    this.path = new BodyPath(session.searchPath(), true);
  }

  /** Returns the path that holds where the closure is. */
  BodyPath path() {
    return path;
  }

  /** Follows {@code added} where any path may hold. */
  void inAnyPath(Runnable added) {
    BodyPath around = path;
    path = BodyPath.ANY;
    added.run();
    path = around;
  }

  /** Returns whether any body has been followed. */
  boolean haveRun() {
    return !visited.isEmpty();
  }

  /**
   * Adds what the body of {@code routine} does; returns false if that is not known, and the routine
   * may do more than was added.
   *
   * @param place what it runs for as a trigger, or null if that is not known
   */
  boolean follow(Routine routine, @Nullable TriggerPlace place) {
    RoutineText text = catalog.bodies().texts().of(routine.oid(), place);
    if (text == null
        || session.searchPath().isEmpty()
        || session.mayBeTemporary()
        || !ServersOwn.are(text.builtins(), catalog)) {
      return false;
    }
    BodyPath inside =
        text.opensCursors()
            ? BodyPath.ANY.inside(null, catalog)
            : path.inside(text.searchPath(), catalog);
    if (!visited.add(new Visit(routine.oid(), place, inside))) {
      return true; // What it does was added, or is being added.
    }
    statements += text.statements().size();
    if (depth == DEEPEST || statements > MOST_STATEMENTS) {
      return false;
    }
    BodyPath around = path;
    path = inside;
    depth++;
    Scope scope =
        new Scope(catalog, inside.schemas(), Set.of(), session.declarations(), session.versions());
    boolean known = text.statements().stream().allMatch(facts -> follow(facts, scope));
    depth--;
    path = around;
    return known && !writes.changesSettings();
  }

  private boolean follow(StatementFacts facts, Scope scope) {
    if (path.isAmbiguous(facts, catalog)) {
      return false;
    }
    for (WriteTarget target : facts.targets()) {
      Relation relation = scope.relation(target.relation());
      if (relation == null) {
        return false;
      }
      target.writes().forEach(write -> writes.write(relation, write));
    }
    writes.call(new StatementReads(scope, facts, new ReadClosure(scope)).all().called);
    return true;
  }
}
