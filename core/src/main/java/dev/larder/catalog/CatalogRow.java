package dev.larder.catalog;

import dev.larder.sql.RowWrite;
import dev.larder.sql.WriteEvent;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A row of the system catalogs; those of pg_proc are {@link dev.larder.code.RoutineRow}s.
 * Immutable. Two rows with the same text say the same, so sets in them have an order.
 */
public interface CatalogRow {
  /** Returns the relation that it belongs to, or 0. */
  default long relation() {
    return 0;
  }

  /**
   * A schema.
   *
   * @param relation its oid, negated
   * @param rights its owner, and who may use it
   */
  record Schema(long relation, String name, String rights) implements CatalogRow {}

  /**
   * A relation of {@code relkind} r, p, v, m, f or S, or an index with the name of one; {@code
   * rights} say who may read it.
   */
  record Table(long oid, String schema, String name, char kind, boolean rowSecurity, String rights)
      implements CatalogRow {}

  /**
   * The columns of a relation or composite type.
   *
   * @param types those of its types that are a user's, take part in a user's cast, or are time,
   *     time with time zone, jsonpath, or shown by the catalog, as regclass is
   * @param zonedTimes the names of its columns of type time with time zone
   * @param localTimes the names of its columns of type time
   * @param times the names of its columns that are dates or times
   * @param others the names of its other columns that are dates or times in another relation
   * @param content a text that differs when any column does
   */
  record Columns(
      long relation,
      Set<Long> types,
      Set<String> zonedTimes,
      Set<String> localTimes,
      Set<String> times,
      Set<String> others,
      @Nullable String content)
      implements CatalogRow {
    static final Columns NONE =
        new Columns(0, Set.of(), Set.of(), Set.of(), Set.of(), Set.of(), null);
  }

  /**
   * A column of a table that rows may be told apart by.
   *
   * @param type {@code atttypid}
   * @param modifier {@code atttypmod}
   * @param filled whether the server may choose a value: a default, an identity, a generated column
   * @param exact whether texts that its collation calls equal are the same, in UTF-8
   * @param isEnum whether its type is an enum
   */
  record Column(
      long relation,
      int number,
      String name,
      long type,
      int modifier,
      long collation,
      boolean filled,
      boolean computed,
      boolean exact,
      boolean isEnum)
      implements CatalogRow {}

  /**
   * An index of a table.
   *
   * @param columns their numbers, of which 0 is an expression
   * @param unique whether it keeps rows from having equal values at any moment, by the plain
   *     equality of their types and collations
   * @param anyUnique whether it is a unique index, by whatever equality and of whichever rows
   */
  record Index(
      long relation, List<Integer> columns, boolean primary, boolean unique, boolean anyUnique)
      implements CatalogRow {}

  /**
   * The columns of a foreign key.
   *
   * @param certain whether it holds for each row at any moment
   */
  record Reference(
      long relation,
      List<Integer> columns,
      long parent,
      List<Integer> parentColumns,
      boolean certain)
      implements CatalogRow {}

  /** {@code child} inherits from, or is a partition of, {@code parent}. */
  record Parent(long child, long parent) implements CatalogRow {}

  /**
   * A foreign key from {@code child} to {@code parent}, with the actions of pg_constraint.
   *
   * @param referenced the columns of the parent, where an UPDATE of others does nothing to the
   *     child; empty where that is not known
   */
  record ForeignKey(
      long child, long parent, char onDelete, char onUpdate, boolean copied, Set<String> referenced)
      implements CatalogRow {
    @Override
    public long relation() {
      return parent;
    }

    /** Returns what a write to the referenced table does to the child, or null. */
    public @Nullable WriteEvent follows(RowWrite write) {
      return switch (write.event()) {
        case DELETE -> onDelete == 'c' ? WriteEvent.DELETE : sets(onDelete);
        case UPDATE ->
            keeps(write.set()) ? null : onUpdate == 'c' ? WriteEvent.UPDATE : sets(onUpdate);
        case TRUNCATE -> write.cascade() ? WriteEvent.TRUNCATE : null;
        case INSERT, REFRESH -> null;
      };
    }

    private boolean keeps(@Nullable Set<String> set) {
      return set != null && !referenced.isEmpty() && Collections.disjoint(set, referenced);
    }

    private static @Nullable WriteEvent sets(char action) {
      return action == 'n' || action == 'd' ? WriteEvent.UPDATE : null;
    }
  }

  /** The query of a view or materialized view. */
  record View(long relation, String query) implements CatalogRow {}

  /** A rule: {@code ev_type} 2, 3 or 4 (UPDATE, INSERT, DELETE). */
  record Rule(long relation, char event, String source) implements CatalogRow {}

  /**
   * A trigger that is not disabled.
   *
   * @param type {@code tgtype}, and 128 where it is DEFERRABLE
   * @param copied whether it was made from the trigger of a parent
   * @param condition its WHEN, or null
   * @param arguments {@code tgargs} in the format {@code escape}, where not too long; else null
   */
  record TableTrigger(
      long relation,
      String name,
      long routine,
      int type,
      boolean copied,
      @Nullable String condition,
      @Nullable String arguments)
      implements CatalogRow {}

  /** A row security policy: {@code polcmd} and its expressions, or null for none. */
  record Policy(
      long relation, char command, @Nullable String using, @Nullable String check, String roles)
      implements CatalogRow {
    boolean reads() {
      return command == '*' || command == 'r';
    }

    /** Whether a query that locks rows runs it: it is held to what an UPDATE may see. */
    boolean locks() {
      return command == 'w';
    }
  }

  /** A default, generation expression, check constraint or index expression of a table. */
  record Evaluated(long relation, String nodeTree) implements CatalogRow {}

  /**
   * A user's type.
   *
   * @param kind {@code typtype}
   * @param base a domain's or range's type, or 0
   * @param element an array's element, or 0
   * @param relation a composite type's relation, or 0
   * @param functions the functions that read and write its values, first the one that reads texts
   * @param byDefault a domain's default, or null
   */
  record Type(
      long oid,
      String schema,
      String name,
      char kind,
      long base,
      long element,
      long relation,
      List<Long> functions,
      @Nullable String byDefault)
      implements CatalogRow {
    /** Returns whether it consists of nothing else: only a superuser can make such a type. */
    boolean isBase() {
      return kind == 'b' && element == 0;
    }

    /** Returns the function that reads a text as a value of a base type, or 0. */
    long input() {
      return functions.isEmpty() ? 0 : functions.get(0);
    }
  }

  /** A type of the server's whose input depends on more than settings of every key. */
  record ClockType(long oid, String schema, String name) implements CatalogRow {}

  /** A check constraint of a domain. */
  record DomainCheck(long domain, String nodeTree) implements CatalogRow {}

  /**
   * A user's cast, or one of the server's that is implicit: its function, or 0, {@code castmethod}
   * and {@code castcontext}.
   */
  record Cast(long oid, long source, long target, long routine, char method, char context)
      implements CatalogRow {}

  /** An operator, of the server's or a user's. */
  record Operator(
      long oid, String schema, String symbol, long left, long right, long routine, long result)
      implements CatalogRow {}

  /** An operator, of the server's or a user's, that may return a text or an array of texts. */
  record TextOperator(String symbol) implements CatalogRow {}

  /** A function that an operator class of a user's runs for values of two types. */
  record OperatorClass(long routine, long left, long right) implements CatalogRow {}

  /** What the names of an extension's settings begin with, or those of a module that is loaded. */
  record Module(String prefix) implements CatalogRow {}

  /**
   * What concerns the whole database.
   *
   * @param eventTriggers whether there is a trigger behind DDL, which may do anything
   * @param looseTexts whether by some collation texts may be equal that are not the same
   * @param content a text that differs when roles, settings and the like do
   */
  record Surroundings(boolean eventTriggers, boolean looseTexts, String content)
      implements CatalogRow {}
}
