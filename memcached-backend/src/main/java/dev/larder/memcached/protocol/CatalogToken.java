package dev.larder.memcached.protocol;

import dev.larder.memcached.format.Token;
import dev.larder.remote.RemoteCatalogVersion;
import org.jspecify.annotations.Nullable;

/**
 * What tells a version of the catalog from the catalog as it is now. Immutable.
 *
 * @param token the version of the catalog, read before the catalog was read
 * @param serverGeneration the server generation at which it was taken
 */
public record CatalogToken(Token token, long serverGeneration) implements RemoteCatalogVersion {
  /**
   * Returns the token in {@code reading}, of {@link RemoteVersions#keysOfCatalog}, for a catalog
   * that is read <em>after</em> it; null where an old catalog could not be told from it.
   */
  public static @Nullable CatalogToken in(VersionReading reading, long serverGeneration) {
    return reading.verdict() == VersionReading.Verdict.READABLE
        ? new CatalogToken(reading.token(0), serverGeneration)
        : null;
  }

  /**
   * Returns whether {@code reading}, of {@link RemoteVersions#keys}, shows that it is still true.
   */
  public boolean isTrueIn(VersionReading reading) {
    return reading.isReadable(0) && reading.token(0).equals(token);
  }
}
