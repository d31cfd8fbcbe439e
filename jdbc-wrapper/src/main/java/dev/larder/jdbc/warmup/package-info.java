/**
 * Notes which queries are hot in a file, and asks for them again after the next start. A query
 * takes the ordinary way of a miss, on a connection of Larder's own; nothing here decides what is
 * cached. Outdated results are asked for again in the same way. Knows the core, and of this module
 * the packages below {@code statement}.
 */
@NullMarked
package dev.larder.jdbc.warmup;

import org.jspecify.annotations.NullMarked;
