/**
 * Which rows a statement can touch: the equalities that restrict its tables, as values that are
 * found once for a shape and filled in with the literals and bind values of each execution. Pure.
 * It may import {@code lexer}, {@code sql}, {@code result}, {@code store}, and JSqlParser.
 */
@NullMarked
package dev.larder.keys;

import org.jspecify.annotations.NullMarked;
