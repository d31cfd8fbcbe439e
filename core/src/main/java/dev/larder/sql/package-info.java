/**
 * The facts of a statement: what it is, reads, writes and calls, as far as its text says. It
 * imports {@code bypass} only.
 */
@NullMarked
package dev.larder.sql;

import org.jspecify.annotations.NullMarked;
