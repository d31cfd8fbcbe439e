package dev.larder.sql;

/**
 * What a statement does to a relation that it writes; decides which triggers, rules and foreign
 * keys follow.
 */
public enum WriteEvent {
  INSERT,
  UPDATE,
  DELETE,
  TRUNCATE,
  /** Materialized views only. */
  REFRESH
}
