package dev.larder.watch;

import dev.larder.catalog.CatalogStamps;
import dev.larder.catalog.CatalogVersion;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * Reads the catalog of a database over a connection of Larder's own, which the JDBC module opens.
 * Called by one thread at a time, never on an application's request path.
 */
public interface CatalogLoader {
  /** Reads the whole catalog as it is at one moment. */
  CatalogVersion load() throws Exception;

  /**
   * Returns a short text that differs whenever anything that {@link #load} reads, or a server-wide
   * setting, may have changed, also if it has changed back since.
   */
  String fingerprint() throws Exception;

  /**
   * Returns what the rows that {@link #load} reads are known by; asked where the fingerprint
   * differs.
   */
  default CatalogStamps stamps() throws Exception {
    return CatalogStamps.of(fingerprint());
  }

  /** Returns what operators have set in the database; asked often. */
  default DatabaseControls controls() throws Exception {
    return DatabaseControls.NONE;
  }

  /**
   * Returns what the server counts, or null where it refuses to tell.
   *
   * @param announcement a comment that the query begins with, so that others can read it as long as
   *     the connection is idle
   * @param name the name that the connection gets
   * @param tables whose counts are asked for, those of all that is below them included
   */
  default @Nullable RadarSample sample(String announcement, String name, Collection<Long> tables)
      throws Exception {
    return null;
  }

  /** Releases the connection, if one is open; {@link #load} opens it again. */
  void release();
}
