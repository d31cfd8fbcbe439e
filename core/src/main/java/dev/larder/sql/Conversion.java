package dev.larder.sql;

import org.jspecify.annotations.Nullable;

/**
 * A place where a value becomes one of a type, or may.
 *
 * @param type what is called like a type; it may be something else
 * @param operand the value, or null where nothing is known of it
 */
public record Conversion(RelationName type, @Nullable Operand operand) {}
