/**
 * Larder's own side of one database: connections of its own, those of the feed among them, and what
 * finds out how writes ended whose connection was lost. Imports {@code feed}, {@code session} and
 * {@code effects}, whose shared memories it keeps, {@code postgresql} and the core.
 */
@NullMarked
package dev.larder.jdbc.database;

import org.jspecify.annotations.NullMarked;
