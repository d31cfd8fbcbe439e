package dev.larder.memcached.protocol;

import dev.larder.memcached.format.Token;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A writer's way to take its mark away and to give what it has written a new version, once the
 * outcome of its transaction is definite: committed and visible, or undone. Immutable: {@link
 * #requests} says what to send, {@link #accept} returns what follows from the replies.
 *
 * <p>It also takes away the marks of other writers of its JVM that are publishing. Where many
 * threads write one table, each changes its version under the others' hands. But the first of them
 * whose swap succeeds has published for all.
 *
 * <p>Where it gives up, the mark stays, and the {@linkplain BarrierPass barrier} takes it away;
 * where nobody reads by the version, it goes with it once there are {@linkplain Announcement too
 * many}.
 *
 * @param writer its mark
 * @param fresh the new version
 */
public record Publication(Token writer, Token fresh, List<Place> places) {
  /** How often another's change is looked at again before it gives up. */
  private static final int ATTEMPTS = 8;

  /**
   * One key.
   *
   * @param item what is there as far as is known; null if it has to be read, or if it is done
   * @param attempts how many more times it may be changed
   */
  record Place(String key, @Nullable VersionItem item, int attempts, boolean done) {
    /** Returns whether what is there is read: after a swap only where others write as well. */
    boolean reads() {
      return !done && (item == null || item.value().marks().size() > 1);
    }
  }

  public Publication {
    places = List.copyOf(places);
  }

  /** Returns the publication of what {@code announcement} has announced, finished or not. */
  static Publication of(Announcement announcement, Token fresh) {
    List<Place> places = new ArrayList<>();
    for (Announcement.Place place : announcement.places()) {
      places.add(new Place(place.key(), place.item(), ATTEMPTS, false));
    }
    return new Publication(announcement.writer(), fresh, places);
  }

  /**
   * Returns what to send now, in one go; nothing when the publication has ended.
   *
   * @param finished the writers of this JVM whose outcome is definite, this one among them
   */
  List<VersionRequest> requests(Set<Token> finished) {
    List<VersionRequest> requests = new ArrayList<>();
    for (Place place : places) {
      VersionItem item = place.item();
      if (item != null) {
        // Whose mark was lost may have written anything, and is to begin a new life.
        Set<Token> ended = isMarked(item) ? finished : Set.of(writer);
        requests.add(new VersionRequest.Cas(item, item.value().published(ended, fresh)));
      }
      if (place.reads()) {
        requests.add(new VersionRequest.Gets(place.key()));
      }
    }
    return requests;
  }

  /** Returns the publication after {@code replies} to {@link #requests}. */
  Publication accept(List<VersionReply> replies) {
    List<Place> next = new ArrayList<>();
    Iterator<VersionReply> reply = replies.iterator();
    for (Place place : places) {
      VersionReply swap = place.item() == null ? null : reply.next();
      VersionReply read = place.reads() ? reply.next() : null;
      next.add(place.done() ? place : after(place, swap, read));
    }
    return new Publication(writer, fresh, next);
  }

  /** Returns the place after the replies to what was sent, null for what was not. */
  private Place after(Place place, @Nullable VersionReply swap, @Nullable VersionReply read) {
    boolean changed = swap != null && swap.outcome() == VersionReply.Outcome.CHANGED;
    if (swap != null && (!changed || place.attempts() == 0)) {
      return new Place(place.key(), null, 0, true);
    }
    VersionItem item = read == null ? null : read.item();
    boolean marked = item != null && isMarked(item);
    int attempts = place.attempts() - (changed ? 1 : 0);
    return new Place(place.key(), marked ? item : null, attempts, read != null && !marked);
  }

  private boolean isMarked(VersionItem item) {
    return item.value().writers().contains(writer);
  }
}
