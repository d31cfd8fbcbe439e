package dev.larder.memcached.protocol;

import dev.larder.memcached.format.Token;
import dev.larder.remote.RemotePicture;

/**
 * What tells a picture of the catalog from the catalog as it is now. Immutable.
 *
 * @param token the version of the catalog, read before the picture was taken
 * @param incarnation the run of the server at which it was taken
 */
public record CatalogPicture(Token token, long incarnation) implements RemotePicture {
  /**
   * Returns whether {@code reading}, of {@link RemoteVersions#keys}, shows that it is still true.
   */
  public boolean isTrueIn(VersionReading reading) {
    return reading.verdict() == VersionReading.Verdict.READABLE
        && reading.tokens().get(0).equals(token);
  }
}
