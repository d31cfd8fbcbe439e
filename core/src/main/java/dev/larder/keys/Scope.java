package dev.larder.keys;

import dev.larder.sql.RelationName;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import net.sf.jsqlparser.expression.Alias;
import net.sf.jsqlparser.schema.Column;
import net.sf.jsqlparser.schema.Table;
import org.jspecify.annotations.Nullable;

/**
 * The tables of one FROM, and what the columns of its block are. Used while a statement is being
 * analyzed, by one thread.
 */
final class Scope {
  /** Words that are calls, unless they are quoted or behind a dot. */
  private static final Set<String> CALLS =
      Set.of(
          "current_catalog",
          "current_date",
          "current_role",
          "current_schema",
          "current_time",
          "current_timestamp",
          "current_user",
          "localtime",
          "localtimestamp",
          "session_user",
          "system_user",
          "user");

  private final QueryTree tree;
  private final Names names;
  private final @Nullable Scope around;
  private final List<Occurrence> occurrences = new ArrayList<>();

  /** One mention of a table in a FROM. Two mentions of a table are two. */
  static final class Occurrence {
    final int index;
    final KeyTable table;
    final String name;
    final @Nullable String schema;

    Occurrence(int index, KeyTable table, String name, @Nullable String schema) {
      this.index = index;
      this.table = table;
      this.name = name;
      this.schema = schema;
    }
  }

  /** A column of an occurrence. */
  record Place(Occurrence of, KeyColumn column) {
    /** Returns whether a scheme has this column and no other. */
    boolean isAllOf(KeyScheme scheme) {
      return scheme.columns().equals(List.of(column));
    }
  }

  /** Creates one without tables, of a block inside of that of {@code around}, or of none. */
  Scope(QueryTree tree, Names names, @Nullable Scope around) {
    this.tree = tree;
    this.names = names;
    this.around = around;
  }

  /** Returns what a name in the tree is called. */
  String name(String inTree) {
    return tree.name(inTree);
  }

  List<Occurrence> occurrences() {
    return occurrences;
  }

  /** Adds a table of the FROM; returns null where it is none that has keys. */
  @Nullable Occurrence add(Table table) {
    Alias alias = table.getAlias();
    boolean plain =
        table.getNameParts().size() <= 2
            && table.getPivot() == null
            && table.getUnPivot() == null
            && table.getSampleClause() == null
            && table.getIndexHint() == null
            && table.getSqlServerHints() == null
            && table.getTimeTravel() == null
            && (alias == null || alias.getAliasColumns() == null);
    if (!plain || table.getName() == null) {
      return null;
    }
    String schema = table.getSchemaName() == null ? null : tree.name(table.getSchemaName());
    String own = tree.name(table.getName());
    KeyTable found = names.table(new RelationName(schema, own));
    if (found == null) {
      return null;
    }
    Occurrence made =
        alias == null
            ? new Occurrence(occurrences.size(), found, own, schema)
            : new Occurrence(occurrences.size(), found, tree.name(alias.getName()), null);
    occurrences.add(made);
    return made;
  }

  /**
   * Returns the column that {@code column} is, of these tables or of those of the blocks around, or
   * null where it is none of one table alone.
   */
  @Nullable Place place(Column column) {
    if (column.getArrayConstructor() != null || column.getOldOracleJoinSyntax() != 0) {
      return null;
    }
    String name = tree.name(column.getColumnName());
    Table table = column.getTable();
    String qualifier = table == null || table.getName() == null ? null : tree.name(table.getName());
    String schema =
        table == null || table.getSchemaName() == null ? null : tree.name(table.getSchemaName());
    if (qualifier == null && CALLS.contains(name) && !QueryTree.isQuoted(column.getColumnName())) {
      return null;
    }
    Place found = null;
    boolean named = false;
    for (Occurrence occurrence : occurrences) {
      boolean meant =
          qualifier == null
              || (qualifier.equals(occurrence.name)
                  && (schema == null || schema.equals(occurrence.schema)));
      named |= occurrence.name.equals(qualifier);
      KeyColumn own = meant ? occurrence.table.column(name) : null;
      if (own != null) {
        if (found != null) {
          return null;
        }
        found = new Place(occurrence, own);
      }
    }
    return found == null && !named && around != null ? around.place(column) : found;
  }
}
