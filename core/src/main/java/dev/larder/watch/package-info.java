/**
 * Keeps the catalog version of a database current, over a connection of Larder's own, and looks at
 * what operators have set and at what the server counts. It imports {@code dev.larder.catalog} and
 * {@code dev.larder.store}; the connection is a port that the JDBC module implements.
 */
@NullMarked
package dev.larder.watch;

import org.jspecify.annotations.NullMarked;
