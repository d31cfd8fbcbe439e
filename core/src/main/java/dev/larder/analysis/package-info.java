/**
 * Shape in, facts out: says what a statement reads, writes and calls. Pure: no catalog, no
 * connection, no clock. It imports {@code bypass}, {@code lexer}, {@code sql} and JSqlParser.
 */
@NullMarked
package dev.larder.analysis;

import org.jspecify.annotations.NullMarked;
