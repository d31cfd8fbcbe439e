/**
 * Puts the cache in front of physical connections, of plain ones and of those of transaction
 * managers. Imports {@code statement}, {@code connection}, {@code database}, {@code session},
 * {@code delegate}, {@code postgresql} and the core.
 */
@NullMarked
package dev.larder.jdbc.wrap;

import org.jspecify.annotations.NullMarked;
