/**
 * Bind values, typed as the setters got them, as parts of a key. Imports {@code delegate}, {@code
 * postgresql} and the core.
 */
@NullMarked
package dev.larder.jdbc.bind;

import org.jspecify.annotations.NullMarked;
