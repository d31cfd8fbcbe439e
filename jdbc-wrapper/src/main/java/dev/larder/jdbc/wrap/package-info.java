/**
 * Puts the cache in front of physical connections, of plain ones and of those of transaction
 * managers. Imports {@code statement} and what is below it.
 */
@NullMarked
package dev.larder.jdbc.wrap;

import org.jspecify.annotations.NullMarked;
