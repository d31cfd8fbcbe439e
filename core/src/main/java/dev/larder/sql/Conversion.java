package dev.larder.sql;

import org.jspecify.annotations.Nullable;

/**
 * A place where a value is, or may be, converted to a type.
 *
 * @param type the name of the type; it may be that of something else
 * @param operand the value, or null where nothing is known of it
 */
public record Conversion(RelationName type, @Nullable Operand operand) {}
