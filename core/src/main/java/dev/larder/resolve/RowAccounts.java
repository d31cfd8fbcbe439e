package dev.larder.resolve;

import dev.larder.bypass.BypassReason;
import dev.larder.catalog.Relation;
import dev.larder.sql.RowWrite;
import dev.larder.sql.StatementFacts;
import dev.larder.sql.StatementKind;
import dev.larder.sql.WriteEvent;
import dev.larder.sql.WriteTarget;
import dev.larder.store.RowAccount;
import dev.larder.store.WriteSet;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Finds out which of the rows that a statement writes its own count tells: those of the one table
 * that it names, where nothing that follows from it writes that table too.
 */
final class RowAccounts {
  private final Scope scope;

  RowAccounts(Scope scope) {
    this.scope = scope;
  }

  /** Returns the account of a statement that writes {@code writes}. */
  RowAccount of(StatementFacts facts, ReadClosure reads, WriteSet writes) {
    if (writes.unknown()) {
      return RowAccount.UNKNOWN;
    }
    Set<Long> all = roots(writes);
    Relation target = countedTarget(facts);
    if (all.isEmpty() || target == null || all.contains(RowAccount.ANY)) {
      return RowAccount.uncounted(all);
    }
    Set<WriteEvent> events = facts.targets().get(0).events();
    WriteClosure others = new WriteClosure(scope);
    others.call(reads.called);
    boolean moves = target.kind() == 'p' && events.contains(WriteEvent.UPDATE);
    Set<WriteEvent> fired = new HashSet<>(events);
    fired.addAll(moves ? Set.of(WriteEvent.INSERT, WriteEvent.DELETE) : Set.of());
    fired.forEach(event -> others.follow(target, RowWrite.of(event)));
    long root = scope.catalog().rootOf(target.oid());
    if (others.writes().unknown() || roots(others.writes()).contains(root)) {
      return RowAccount.uncounted(all);
    }
    all.remove(root);
    return new RowAccount(
        root,
        events.contains(WriteEvent.INSERT) || events.contains(WriteEvent.UPDATE),
        events.contains(WriteEvent.DELETE) || moves,
        facts.identifiers().contains("conflict"),
        all);
  }

  /**
   * Returns the target of a statement that writes just one, and whose count is that of its rows:
   * not EXPLAIN ANALYZE, and not WITH.
   */
  private @Nullable Relation countedTarget(StatementFacts facts) {
    boolean plain =
        facts.kind() == StatementKind.COPY_FROM
            || (facts.kind() == StatementKind.DML && facts.bypass() == BypassReason.NOT_A_QUERY);
    if (!plain || facts.writesUnknown() || facts.targets().size() != 1) {
      return null;
    }
    WriteTarget target = facts.targets().get(0);
    Relation relation =
        scope.isTemporary(target.relation()) ? null : scope.relation(target.relation());
    boolean table = relation != null && (relation.kind() == 'r' || relation.kind() == 'p');
    return table ? relation : null;
  }

  private Set<Long> roots(WriteSet writes) {
    return writes.tags().stream()
        .map(tag -> scope.catalog().rootOf(tag.oid()))
        .collect(Collectors.toCollection(HashSet::new));
  }
}
