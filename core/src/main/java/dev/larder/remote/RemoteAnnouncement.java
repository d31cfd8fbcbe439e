package dev.larder.remote;

/**
 * A write that other JVMs have been told of, or not. {@link RemoteCache#publish} ends it, unless
 * its outcome is unknown. Immutable.
 */
public interface RemoteAnnouncement {
  /** Returns whether every mark is there: only then do other JVMs know of the write. */
  boolean acknowledged();
}
