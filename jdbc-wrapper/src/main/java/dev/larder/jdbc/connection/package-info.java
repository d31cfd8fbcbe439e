/**
 * One physical connection, below any pool: everything that belongs to it, what finds out what a
 * text may write, and the one way to send anything, between announce and publish. Imports {@code
 * database}, {@code session}, {@code effects}, {@code postgresql} and the core.
 */
@NullMarked
package dev.larder.jdbc.connection;

import org.jspecify.annotations.NullMarked;
