/**
 * An immutable version of the catalog of a database: relations, routines, operators, and what runs
 * hidden behind types. It is built of rows of the system catalogs. It imports {@code
 * dev.larder.code} for what code in the database does, {@code dev.larder.analysis}, and {@code
 * dev.larder.store} for the tags of tables.
 */
@NullMarked
package dev.larder.catalog;

import org.jspecify.annotations.NullMarked;
