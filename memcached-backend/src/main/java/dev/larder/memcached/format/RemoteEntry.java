package dev.larder.memcached.format;

import dev.larder.remote.RemoteTokens;
import dev.larder.result.CachedResult;

/**
 * A result with what it depends on. Immutable.
 *
 * @param tokens read before the statement was sent
 */
public record RemoteEntry(RemoteTokens tokens, CachedResult result) {}
