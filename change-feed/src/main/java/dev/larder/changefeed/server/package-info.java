/**
 * The feed of one database: two connections, a thread that reads the log on one and a thread that
 * asks on the other, and what happens when something fails. Imports {@code pgoutput} and {@code
 * coverage}, {@code feed}, {@code log}, {@code sql} and {@code store} of the core, and the port of
 * the JDBC module.
 */
@NullMarked
package dev.larder.changefeed.server;

import org.jspecify.annotations.NullMarked;
