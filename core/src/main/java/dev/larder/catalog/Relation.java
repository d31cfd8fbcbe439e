package dev.larder.catalog;

import dev.larder.code.TriggerPlace;
import dev.larder.sql.WriteEvent;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A table, view, sequence or other relation that can be read or written. Immutable.
 *
 * @param kind {@code pg_class.relkind}
 * @param rowSecurity whether row-level security is on
 * @param definition the query of a view or materialized view
 * @param readPolicies what policies for reading add to a query
 * @param lockPolicies what policies for UPDATE add to a query that locks rows
 * @param evaluated defaults, constraints and policies that a write evaluates, where they, or what
 *     they read, may have effects
 * @param referencedBy the foreign keys that reference it
 * @param rules the events that rules are on
 */
public record Relation(
    long oid,
    String schema,
    String name,
    char kind,
    boolean rowSecurity,
    CatalogRow.Columns columns,
    @Nullable Expression definition,
    List<Expression> readPolicies,
    List<Expression> lockPolicies,
    List<Expression> evaluated,
    List<Trigger> triggers,
    List<CatalogRow.ForeignKey> referencedBy,
    Set<WriteEvent> rules) {

  /** Returns whether it is part of the server's own schemas. */
  public boolean system() {
    return schema.equals("pg_catalog") || schema.equals("information_schema");
  }

  /** Returns whether it has rows of its own that are read: a table or materialized view. */
  public boolean hasRows() {
    return kind == 'r' || kind == 'p' || kind == 'm';
  }

  /** Returns whether a write to a relation above it has effects of its own here. */
  boolean active() {
    return triggers.stream().anyMatch(trigger -> !trigger.copied())
        || referencedBy.stream().anyMatch(key -> !key.copied())
        || !rules.isEmpty()
        || !evaluated.isEmpty();
  }

  /**
   * Returns what the function of {@code trigger} is told of it; null for a table whose partitions
   * have copies of it, which are told their own names.
   */
  public @Nullable TriggerPlace place(Trigger trigger) {
    return kind == 'p' ? null : TriggerPlace.of(schema, name, trigger.arguments());
  }

  /** Returns {@code schema.name}. */
  @Override
  public String toString() {
    return schema + '.' + name;
  }

  /**
   * An enabled trigger of a user's. Immutable.
   *
   * @param function what it runs
   * @param type the bits of {@code pg_trigger.tgtype}, and one more where it is DEFERRABLE
   * @param copied whether it was made for a partition from its parent's trigger
   * @param condition its WHEN, or null
   * @param arguments {@code tgargs} in the format {@code escape}; null if not known
   */
  public record Trigger(
      String name,
      Routine function,
      int type,
      boolean copied,
      @Nullable Expression condition,
      @Nullable String arguments) {
    /** Returns whether it fires for {@code event}. */
    public boolean firesFor(WriteEvent event) {
      int bit =
          switch (event) {
            case INSERT -> 4;
            case DELETE -> 8;
            case UPDATE -> 16;
            case TRUNCATE -> 32;
            case REFRESH -> 0;
          };
      return (type & bit) != 0;
    }

    /** Returns whether it runs before a write of each row, which it may change. */
    public boolean beforeRow() {
      return (type & 3) == 3;
    }

    /** Returns whether it may fire at COMMIT (DEFERRABLE). */
    public boolean deferrable() {
      return (type & 128) != 0;
    }

    /** Returns whether it replaces the write (INSTEAD OF). */
    public boolean insteadOf() {
      return (type & 64) != 0;
    }
  }
}
