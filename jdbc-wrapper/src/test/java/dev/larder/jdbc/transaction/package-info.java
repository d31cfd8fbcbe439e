/**
 * What is seen and kept inside a transaction, at each level of isolation, and by savepoints and two
 * phases.
 */
@NullMarked
package dev.larder.jdbc.transaction;

import org.jspecify.annotations.NullMarked;
