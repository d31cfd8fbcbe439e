/**
 * Foretells whether the driver would receive a result as text or as binary, and of which types its
 * parameters are; has texts parsed again that may mean something else by now. Imports {@code
 * driver}.
 */
@NullMarked
package dev.larder.jdbc.format;

import org.jspecify.annotations.NullMarked;
