package dev.larder.catalog;

import dev.larder.sql.WriteEvent;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A table, view, sequence or other relation that can be read or written. {@link CatalogBuilder}
 * fills the fields; nothing changes them once the snapshot is built.
 */
final class Relation {
  final long oid;
  final String schema;
  final String name;

  /** {@code pg_class.relkind}. */
  final char kind;

  /** Whether row-level security is on. */
  final boolean rowSecurity;

  /** Whether partitions or inheriting tables are below it. */
  boolean hasChildren;

  /** Everything above it; without itself. */
  List<Relation> ancestors = List.of();

  /** Ancestors of what is below it that are neither above nor below it: multiple inheritance. */
  List<Relation> crossAncestors = List.of();

  /** What is below it and has triggers, rules or keys that are not copies of its own. */
  List<Relation> activeDescendants = List.of();

  /** Whether a foreign table is below it. */
  boolean foreignBelow;

  /** Whether reading it locks everything below it: inheritance without partitions. */
  boolean locksBelow = true;

  /** A view's query, or a materialized view's. */
  @Nullable Expression definition;

  /** What policies for reading add to a query. */
  List<Expression> readPolicies = List.of();

  /**
   * Defaults, constraints and policies that a write evaluates, where they, or what they read, may
   * have effects.
   */
  List<Expression> evaluated = List.of();

  List<Trigger> triggers = List.of();
  List<ForeignKey> referencedBy = List.of();

  /** The events that rules are on. */
  Set<WriteEvent> rules = Set.of();

  /** The types of its columns as of {@link CatalogBuilder#columns}. */
  Set<Long> columnTypes = Set.of();

  /** The names of its columns that are dates or times. */
  Set<String> timeColumns = Set.of();

  /** The names of those of its other columns that are dates or times in another relation. */
  Set<String> otherColumns = Set.of();

  /** The names of its columns of type time, without time zone. */
  Set<String> localTimes = Set.of();

  /** The names of its columns of type time with time zone. */
  Set<String> zonedTimes = Set.of();

  Relation(long oid, String schema, String name, char kind, boolean rowSecurity) {
    this.oid = oid;
    this.schema = schema;
    this.name = name;
    this.kind = kind;
    this.rowSecurity = rowSecurity;
  }

  /** Returns whether it is part of the server's own schemas. */
  boolean system() {
    return schema.equals("pg_catalog") || schema.equals("information_schema");
  }

  /** Returns whether a write to a relation above it has effects of its own here. */
  boolean active() {
    return triggers.stream().anyMatch(trigger -> !trigger.copied())
        || referencedBy.stream().anyMatch(key -> !key.copied())
        || !rules.isEmpty()
        || !evaluated.isEmpty();
  }

  @Override
  public String toString() {
    return schema + '.' + name;
  }
}
