package dev.larder.memcached.protocol;

import dev.larder.remote.RemoteAnnouncement;

/**
 * A write that has left its marks, or tried to. {@link RemoteVersions#publish} ends it, unless its
 * outcome is unknown: the marks then stay until the primary does not name the writer any more.
 * Immutable.
 *
 * @param announcement how far the marks are
 */
public record RemoteWrite(Announcement announcement) implements RemoteAnnouncement {
  @Override
  public boolean acknowledged() {
    return announcement.acknowledged();
  }
}
