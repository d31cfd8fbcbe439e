package dev.larder.catalog;

import dev.larder.bypass.BypassReason;
import dev.larder.sql.StatementFacts;
import dev.larder.sql.StatementKind;
import dev.larder.sql.WriteEvent;
import dev.larder.sql.WriteTarget;
import dev.larder.store.RowAccount;
import dev.larder.store.TableTag;
import dev.larder.store.TableVersions;
import dev.larder.store.WriteSet;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds out which of the rows that a statement writes its own count tells: those of the one table
 * that it names, where nothing that follows from it writes that table too.
 */
final class RowAccounts {
  private final NameResolver names;
  private final Declarations declarations;
  private final TableVersions versions;

  RowAccounts(NameResolver names, Declarations declarations, TableVersions versions) {
    this.names = names;
    this.declarations = declarations;
    this.versions = versions;
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
    WriteClosure others = new WriteClosure(names, declarations, versions);
    others.call(reads.called());
    boolean moves = target.kind == 'p' && events.contains(WriteEvent.UPDATE);
    Set<WriteEvent> fired = new HashSet<>(events);
    if (moves) {
      fired.add(WriteEvent.INSERT);
      fired.add(WriteEvent.DELETE);
    }
    fired.forEach(event -> others.following(target, event));
    long root = names.catalog().rootOf(target.oid);
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
        names.isTemporary(target.relation()) ? null : names.relation(target.relation());
    boolean table = relation != null && (relation.kind == 'r' || relation.kind == 'p');
    return table ? relation : null;
  }

  private Set<Long> roots(WriteSet writes) {
    Set<Long> roots = new HashSet<>();
    for (TableTag tag : writes.tags()) {
      roots.add(names.catalog().rootOf(tag.oid()));
    }
    return roots;
  }
}
