package dev.larder.watch;

import dev.larder.catalog.CatalogChange;

/** Whoever makes what a change of the catalog touches dead. */
@FunctionalInterface
public interface CatalogListener {
  /**
   * Learns of a change, after the catalog was withdrawn and before one is published.
   *
   * @param looksSame whether the catalog looks as before
   */
  void changed(CatalogChange change, boolean looksSame);
}
