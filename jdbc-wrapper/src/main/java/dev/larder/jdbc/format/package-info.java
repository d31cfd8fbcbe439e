/**
 * Foretells whether the driver would receive a result as text or as binary, and of which types its
 * parameters are. Imports {@code driver}.
 */
@NullMarked
package dev.larder.jdbc.format;

import org.jspecify.annotations.NullMarked;
