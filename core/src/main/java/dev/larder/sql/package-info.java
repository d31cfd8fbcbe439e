/**
 * Text in, facts out: lexes SQL into shapes and literals and says what a shape reads, writes and
 * calls. Pure: no catalog, no connection, no clock. It may import the JDK, JSqlParser and {@code
 * bypass} only.
 */
@NullMarked
package dev.larder.sql;

import org.jspecify.annotations.NullMarked;
