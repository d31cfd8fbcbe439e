package dev.larder.memcached.protocol;

import dev.larder.memcached.format.VersionValue;

/**
 * A value with what a compare-and-swap needs. Immutable.
 *
 * @param cas the server's number of the value
 * @param life the life of the server in which the number holds: a server that was started again
 *     counts from the beginning, and the same number stands for another value
 */
public record VersionItem(String key, VersionValue value, long cas, long life) {}
