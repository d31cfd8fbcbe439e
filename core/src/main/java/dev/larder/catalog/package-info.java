/**
 * Names to tables: an immutable version of the database catalog, and what a statement reads and
 * writes in it. It imports {@code dev.larder.sql}, and {@code dev.larder.store} for the tags of
 * tables; the loading of a version is a port that the JDBC module implements.
 */
@NullMarked
package dev.larder.catalog;

import org.jspecify.annotations.NullMarked;
