/**
 * Text in, shape, literals and tokens out, by the rules of PostgreSQL's scanner. Pure: no grammar,
 * no catalog, no connection. It imports the JDK only.
 */
@NullMarked
package dev.larder.lexer;

import org.jspecify.annotations.NullMarked;
