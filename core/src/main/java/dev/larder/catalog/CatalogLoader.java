package dev.larder.catalog;

/**
 * Reads the database catalog. The port of this package: the JDBC module implements it on a
 * connection of Larder's own. Called by one thread at a time, never on an application's request
 * path.
 */
public interface CatalogLoader {
  /** Reads the whole catalog from one snapshot. */
  CatalogSnapshot load() throws Exception;

  /**
   * Returns a short text that differs whenever anything that {@link #load} reads, or a server-wide
   * setting, may have changed.
   */
  String fingerprint() throws Exception;

  /**
   * Returns what operators have set in the database. Asked much more often than the catalog is
   * read.
   */
  default DatabaseControls controls() throws Exception {
    return DatabaseControls.NONE;
  }

  /** Releases the connection, if one is open; {@link #load} opens it again. */
  void release();
}
