/** How old an answer may be where an age is declared; and who finds rows that are older. */
@NullMarked
package dev.larder.jdbc.freshness;

import org.jspecify.annotations.NullMarked;
