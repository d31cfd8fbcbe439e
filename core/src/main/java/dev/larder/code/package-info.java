/**
 * What code that is stored in a database does, by its text: the server's own functions, known
 * libraries, bodies of users' routines, and expressions in stored form. It imports {@code
 * dev.larder.bypass}, {@code dev.larder.lexer}, {@code dev.larder.sql} and {@code
 * dev.larder.analysis}, which reads the SQL in bodies.
 */
@NullMarked
package dev.larder.code;

import org.jspecify.annotations.NullMarked;
