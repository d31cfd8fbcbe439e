package dev.larder.jdbc.session;

import org.jspecify.annotations.Nullable;

/**
 * How the server has answered what was sent. Immutable.
 *
 * @param thrown what the driver has thrown, or null
 * @param wroteUnknown whether a write of everything may have been committed, DDL also, and of a
 *     transaction that was prepared long ago
 * @param counted how many rows it has written; negative where nobody has counted
 */
public record Outcome(@Nullable Throwable thrown, boolean wroteUnknown, long counted) {}
