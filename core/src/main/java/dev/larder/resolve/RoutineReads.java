package dev.larder.resolve;

import dev.larder.catalog.CatalogVersion;
import dev.larder.catalog.Routine;
import dev.larder.code.RoutineText;
import dev.larder.sql.Conversion;
import dev.larder.sql.Operand;
import dev.larder.sql.StatementFacts;
import dev.larder.sql.StatementKind;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Adds to a {@link ReadClosure} what the routines read that a query calls. A call of one whose body
 * does nothing but read is no reason against a cached result, whatever the routine is declared:
 * what it reads is part of what the query reads. Used by one thread.
 *
 * <p>Which path holds is not known, as the rows of a query may be fetched after a SET: see {@link
 * BodyPath}.
 */
final class RoutineReads {
  /** Deeper calls are not followed, so that no chain of routines overflows the stack. */
  private static final int DEEPEST = 30;

  /** More are not followed, so that no body makes a query slow to resolve. */
  private static final int MOST_STATEMENTS = 300;

  private final Scope session;
  private final CatalogVersion catalog;
  private final Set<Visit> visited = new HashSet<>();
  private BodyPath path;
  private int depth;
  private int statements;

  /** Whether following one of the visited has failed. */
  private boolean lost;

  private record Visit(long routine, BodyPath path) {}

  RoutineReads(Scope session) {
    this.session = session;
    this.catalog = session.catalog();
    this.path = BodyPath.ANY.inside(null, catalog);
  }

  /**
   * Adds what {@code routine} reads to {@code reads}; returns false if that is not known, and
   * {@code reads} is then of no use.
   */
  boolean follow(Routine routine, ReadClosure reads) {
    RoutineText text = catalog.bodies().texts().of(routine.oid(), null);
    Set<String> settings = text == null ? null : text.settings();
    if (text == null || settings == null || !mayFollow(text)) {
      return false;
    }
    BodyPath inside = path.inside(text.searchPath(), catalog);
    if (!inside.schemas().get(0).equals("pg_catalog")) {
      return false;
    }
    if (!visited.add(new Visit(routine.oid(), inside))) {
      return !lost; // What it reads was added, or is being added.
    }
    statements += text.statements().size();
    if (depth == DEEPEST || statements > MOST_STATEMENTS) {
      lost = true;
      return false;
    }
    reads.settings.addAll(settings);
    BodyPath around = path;
    path = inside;
    depth++;
    Scope scope =
        new Scope(catalog, inside.schemas(), Set.of(), session.declarations(), session.versions());
    boolean known = text.statements().stream().allMatch(facts -> follow(facts, scope, reads));
    depth--;
    path = around;
    lost |= !known;
    return known;
  }

  private boolean mayFollow(RoutineText text) {
    return session.searchesServersFirst()
        && !session.mayBeTemporary()
        && ServersOwn.are(text.builtins(), catalog);
  }

  /**
   * Whether what becomes a date or a time may be a variable, of a text: each stands as a column.
   */
  private boolean mayReadClock(Conversion conversion) {
    return isColumn(conversion.operand())
        && !catalog.clockTypes(conversion.type().name()).isEmpty();
  }

  private static boolean isColumn(@Nullable Operand operand) {
    return operand instanceof Operand.Column
        || (operand instanceof Operand.Call call && isColumn(call.first()));
  }

  private boolean follow(StatementFacts facts, Scope scope, ReadClosure reads) {
    boolean query =
        facts.kind() == StatementKind.QUERY
            && facts.bypass() == null
            && facts.targets().isEmpty()
            && facts.settingCalls().isEmpty()
            && facts.conversions().stream().noneMatch(this::mayReadClock);
    if (!query || path.isAmbiguous(facts, catalog)) {
      return false;
    }
    ReadClosure inner = new StatementReads(scope, facts, new ReadClosure(scope, this)).all();
    reads.include(inner);
    return inner.reason() == null && !inner.readsTimes();
  }
}
