package dev.larder.resolve;

import dev.larder.analysis.Repeatability;
import dev.larder.catalog.Relation;
import dev.larder.catalog.UsersOperators;
import dev.larder.keys.KeyTable;
import dev.larder.keys.Names;
import dev.larder.keys.QueryTree;
import dev.larder.keys.ReadAnalyzer;
import dev.larder.keys.ReadPattern;
import dev.larder.keys.Wide;
import dev.larder.keys.WriteAnalyzer;
import dev.larder.keys.WritePattern;
import dev.larder.lexer.StatementShape;
import dev.larder.store.TableTag;
import dev.larder.store.WriteSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Which rows of its tables a statement reads and writes, for one meaning of its names. Immutable
 * and thread-safe.
 *
 * <p>What a statement reads and writes at all is found in its tokens and in the catalog; its tree
 * only says that less is touched, and is not asked where it could say too little: where a view, a
 * policy, a partition or an operator of a user's is involved.
 *
 * @param reads of a query
 * @param writes of an INSERT, UPDATE or DELETE, or null where the rows may be any
 */
public record StatementKeys(ReadPattern reads, @Nullable WritePattern writes) {
  /** Of a statement that may touch any rows. */
  public static final StatementKeys NONE = new StatementKeys(ReadPattern.NONE, null);

  /** The last four are LIKE and ILIKE, and NOT of these. */
  private static final Set<String> COMPARISONS =
      Set.of("=", "<>", "!=", "<", ">", "<=", ">=", "~~", "~~*", "!~~", "!~~*");

  /**
   * Returns the keys of a statement with one meaning.
   *
   * @param byKey tells of which tables, {@code schema.table}, rows are told apart
   */
  public static StatementKeys of(
      StatementShape shape, ResolvedStatement statement, Scope scope, Predicate<String> byKey) {
    boolean query = statement.bypass() == null;
    Wide because = whyNone(statement, scope, query);
    if (because != null) {
      return anyRows(because);
    }
    Names names = name -> table(scope.relation(name), scope, byKey, query);
    try {
      QueryTree tree = QueryTree.of(shape);
      if (tree == null) {
        return anyRows(wide(Wide.Reason.NOT_UNDERSTOOD));
      }
      if (tree.mayCast() && !scope.searchesServersFirst()) {
        return anyRows(wide(Wide.Reason.OPERATORS));
      }
      return query
          ? new StatementKeys(reads(shape, tree, names), null)
          : new StatementKeys(ReadPattern.NONE, writes(tree, names, statement.target()));
    } catch (StackOverflowError e) {
      return anyRows(wide(Wide.Reason.NOT_UNDERSTOOD)); // The parser had no room.
    }
  }

  private static @Nullable KeyTable table(
      @Nullable Relation relation, Scope scope, Predicate<String> byKey, boolean query) {
    KeyTable found = relation == null ? null : scope.catalog().keyTable(relation.oid());
    if (relation == null || found == null) {
      return null;
    }
    Set<String> assigned = query ? null : AssignedColumns.of(relation, scope.catalog());
    KeyTable known = assigned == null ? found : found.assigning(assigned);
    return byKey.test(found.name()) ? known : known.withoutSchemes();
  }

  /** An UPDATE of other columns moves rows, which changes what does not say which rows it wants. */
  private static ReadPattern reads(StatementShape shape, QueryTree tree, Names names) {
    ReadPattern reads = ReadAnalyzer.analyze(tree, names);
    return Repeatability.of(shape, true) == Repeatability.EXACT ? reads : reads.withoutColumns();
  }

  private static Wide wide(Wide.Reason reason) {
    return new Wide("", reason, "");
  }

  private static StatementKeys anyRows(Wide because) {
    return new StatementKeys(ReadPattern.wholly(List.of(because)), null);
  }

  private static @Nullable Wide whyNone(ResolvedStatement statement, Scope scope, boolean query) {
    UsersOperators users = scope.catalog().usersOperators();
    if (scope.mayBeTemporary()) {
      return wide(Wide.Reason.TEMPORARY);
    }
    if (users.castServersTypes() || COMPARISONS.stream().anyMatch(users::mayCompareColumns)) {
      return wide(Wide.Reason.OPERATORS);
    }
    if (!query) {
      return statement.target() == 0 ? wide(Wide.Reason.NOT_UNDERSTOOD) : null;
    }
    if (!statement.told()) {
      return wide(Wide.Reason.FUNCTION);
    }
    for (long oid : statement.relations()) {
      if (scope.catalog().keyTable(oid) == null) {
        Relation relation = scope.catalog().relation(Math.abs(oid));
        return new Wide("", Wide.Reason.NO_TABLE, relation == null ? "one" : relation.toString());
      }
    }
    return null;
  }

  private static @Nullable WritePattern writes(QueryTree tree, Names names, long target) {
    WritePattern found = WriteAnalyzer.analyze(tree, names);
    KeyTable table = found == null ? null : found.table();
    // Without schemes a write would seem to change no rows, to readers who have some.
    boolean known = table != null && table.oid() == target && !table.schemes().isEmpty();
    return known ? found : null;
  }

  /**
   * Returns what one execution may write: {@code writes}, and of the table that the statement names
   * only the rows that it can touch.
   *
   * @param literals of the text
   * @param binds of the execution, in the order of the parameters
   * @param own whether the transaction has itself inserted the rows that it changes
   */
  public WriteSet narrowed(
      WriteSet written, @Nullable Object[] literals, @Nullable Object[] binds, boolean own) {
    if (writes == null || written.unknown()) {
      return written;
    }
    long oid = writes.table().oid();
    List<TableTag> tags = written.tags();
    for (TableTag tag : tags) {
      if (tag.oid() == oid && tag.scope() == TableTag.Scope.RELATION) {
        var rows = writes.rows(tag, literals, binds, own);
        return rows == null ? written : written.withRows(tag, rows);
      }
    }
    return written;
  }
}
