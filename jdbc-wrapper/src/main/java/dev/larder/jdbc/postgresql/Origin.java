package dev.larder.jdbc.postgresql;

import org.jspecify.annotations.Nullable;

/**
 * Who ran a write. Immutable.
 *
 * @param serverStarted when its server was started, in microseconds since 1970
 * @param backend its process, or null where a pooler chose one
 */
public record Origin(long serverStarted, @Nullable Backend backend) {}
