package dev.larder.memcached.format;

import dev.larder.result.CachedResult;
import java.util.List;

/**
 * A result with the versions of what it read. Immutable.
 *
 * @param tokens captured before the statement was sent, in the order of the query's version keys
 */
public record RemoteEntry(List<Token> tokens, CachedResult result) {
  public RemoteEntry {
    tokens = List.copyOf(tokens);
  }
}
