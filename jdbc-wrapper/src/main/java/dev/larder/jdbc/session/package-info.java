/**
 * The state of one session at the server: its settings, its transaction, its temporary tables, and
 * the calls that are under way on its connection. It follows what was sent, and decides nothing
 * about statements. Imports {@code effects}, {@code postgresql}, {@code format} and the core.
 */
@NullMarked
package dev.larder.jdbc.session;

import org.jspecify.annotations.NullMarked;
