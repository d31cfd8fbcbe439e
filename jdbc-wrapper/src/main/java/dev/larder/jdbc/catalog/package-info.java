/**
 * Asks a database for its catalog, for what the radar looks at, and for the control table. Knows
 * PostgreSQL, but not the driver. Imports {@code postgresql}.
 */
@NullMarked
package dev.larder.jdbc.catalog;

import org.jspecify.annotations.NullMarked;
