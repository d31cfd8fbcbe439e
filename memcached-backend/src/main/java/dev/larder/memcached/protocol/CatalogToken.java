package dev.larder.memcached.protocol;

import dev.larder.memcached.format.Token;
import dev.larder.remote.RemoteCatalogVersion;

/**
 * What tells a version of the catalog from the catalog as it is now. Immutable.
 *
 * @param token the version of the catalog, read before the catalog was read
 * @param serverGeneration the run of the server at which it was taken
 */
public record CatalogToken(Token token, long serverGeneration) implements RemoteCatalogVersion {
  /**
   * Returns whether {@code reading}, of {@link RemoteVersions#keys}, shows that it is still true.
   */
  public boolean isTrueIn(VersionReading reading) {
    return reading.verdict() == VersionReading.Verdict.READABLE
        && reading.tokens().get(0).equals(token);
  }
}
