package dev.larder.remote;

/**
 * What tells a version of the catalog from the catalog as it is now, for all JVMs. Immutable,
 * compared by content.
 */
public interface RemoteCatalogVersion {}
