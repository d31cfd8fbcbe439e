/**
 * Finds out which tables the log tells of: what the publication has, what is logged at all, and
 * whether it has been so long enough. Imports {@code feed} and {@code sql} of the core, and nothing
 * of the module.
 */
@NullMarked
package dev.larder.changefeed.coverage;

import org.jspecify.annotations.NullMarked;
