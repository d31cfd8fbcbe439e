package dev.larder.remote;

/**
 * What tells a picture of the catalog from the catalog as it is now, for all JVMs. Immutable,
 * compared by content.
 */
public interface RemotePicture {}
