/**
 * Asks the database while nobody waits: for the queries that a file names as hot, after a start,
 * and for results that are outdated. A query takes the ordinary way of a miss, on a connection of
 * Larder's own; nothing here decides what is cached. Knows the core, and of this module the
 * packages below {@code statement}.
 */
@NullMarked
package dev.larder.jdbc.background;

import org.jspecify.annotations.NullMarked;
