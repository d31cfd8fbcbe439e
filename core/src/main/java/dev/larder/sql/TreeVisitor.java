package dev.larder.sql;

import dev.larder.bypass.BypassReason;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import net.sf.jsqlparser.schema.Table;
import net.sf.jsqlparser.statement.select.ForUpdateClause;
import net.sf.jsqlparser.statement.select.PlainSelect;
import net.sf.jsqlparser.statement.select.SampleClause;
import net.sf.jsqlparser.statement.select.Select;
import org.jspecify.annotations.Nullable;

/**
 * Walks the tree of a query, without recursion, and says why it cannot be cached: a node of a class
 * that {@link TreeNodes} does not name, a row lock, a sample, or SELECT INTO. It also collects
 * tables, though what a query reads never depends on it: the tokens name every table, and the tree
 * only some.
 */
final class TreeVisitor {
  private static final TreeNodes NODES = new TreeNodes();

  private final Deque<Object> pending = new ArrayDeque<>();
  private final Set<RelationName> relations = new HashSet<>();
  private @Nullable BypassReason bypass;

  private TreeVisitor() {}

  /** Visits everything below {@code roots}. */
  static TreeVisitor visit(List<?> roots) {
    TreeVisitor visitor = new TreeVisitor();
    for (Object root : roots) {
      if (!(root instanceof Select)) {
        visitor.refuse(BypassReason.UNKNOWN_SYNTAX);
      }
      visitor.pending.push(root);
    }
    while (!visitor.pending.isEmpty()) {
      visitor.visitNode(visitor.pending.pop());
    }
    return visitor;
  }

  /** Why the query cannot be cached, or null. */
  @Nullable BypassReason bypass() {
    return bypass;
  }

  /** The tables that the tree names. */
  Set<RelationName> relations() {
    return relations;
  }

  private void visitNode(Object node) {
    if (node instanceof Collection<?> parts) {
      parts.forEach(this::push);
      if (isPlain(node)) {
        return;
      }
    }
    List<Function<Object, @Nullable Object>> getters = NODES.parts(node.getClass());
    if (getters == null) {
      refuse(reason(node));
      return;
    }
    inspect(node);
    for (Function<Object, @Nullable Object> getter : getters) {
      push(getter.apply(node));
    }
  }

  /** Whether {@code node} is a list of nodes and none itself. */
  private static boolean isPlain(Object node) {
    return !node.getClass().getName().startsWith("net.sf.jsqlparser.");
  }

  private void push(@Nullable Object part) {
    if (part != null && !(part instanceof String)) {
      pending.push(part);
    }
  }

  private static BypassReason reason(Object node) {
    if (node instanceof ForUpdateClause) {
      return BypassReason.ROW_LOCK;
    }
    return node instanceof SampleClause ? BypassReason.TABLE_SAMPLE : BypassReason.UNKNOWN_SYNTAX;
  }

  private void refuse(BypassReason reason) {
    if (bypass == null) {
      bypass = reason;
    }
  }

  private void inspect(Object node) {
    if (node instanceof Table table) {
      String schema = table.getSchemaName();
      relations.add(new RelationName(schema == null ? null : name(schema), name(table.getName())));
    } else if (node instanceof Select select && locks(select)) {
      refuse(BypassReason.ROW_LOCK);
    } else if (node instanceof PlainSelect select && isInto(select)) {
      refuse(BypassReason.UNKNOWN_SYNTAX);
    }
  }

  private static boolean locks(Select select) {
    return select.getForMode() != null
        || select.getForUpdateTable() != null
        || select.getWait() != null
        || select.isSkipLocked()
        || select.isNoWait();
  }

  private static boolean isInto(PlainSelect select) {
    return select.getIntoTempTable() != null
        || (select.getIntoTables() != null && !select.getIntoTables().isEmpty());
  }

  private static String name(String written) {
    return written.startsWith("\"")
        ? written.substring(1, written.length() - 1)
        : written.toLowerCase(Locale.ROOT);
  }
}
