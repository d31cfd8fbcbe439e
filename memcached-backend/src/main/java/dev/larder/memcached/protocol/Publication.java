package dev.larder.memcached.protocol;

import dev.larder.memcached.format.Token;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A writer's way to take its mark away and to give what it has written a new version, once the
 * outcome of its transaction is definite: committed and visible, or undone. Immutable: {@link
 * #requests} says what to send, {@link #accept} returns what follows from the replies.
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
   * @param item what is there as far as is known; null if it has to be read
   * @param attempts how many more times it may be changed
   */
  record Place(String key, @Nullable VersionItem item, int attempts, boolean done) {}

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

  /** Returns what to send now, in one go; nothing when the publication has ended. */
  List<VersionRequest> requests() {
    List<VersionRequest> requests = new ArrayList<>();
    for (Place place : places) {
      if (!place.done()) {
        VersionItem item = place.item();
        requests.add(
            item == null
                ? new VersionRequest.Gets(place.key())
                : new VersionRequest.Cas(item, item.value().published(writer, fresh)));
      }
    }
    return requests;
  }

  /** Returns the publication after {@code replies} to {@link #requests}. */
  Publication accept(List<VersionReply> replies) {
    List<Place> next = new ArrayList<>();
    int reply = 0;
    for (Place place : places) {
      next.add(place.done() ? place : after(place, replies.get(reply++)));
    }
    return new Publication(writer, fresh, next);
  }

  private Place after(Place place, VersionReply reply) {
    VersionItem item = reply.item();
    boolean marked = item != null && item.value().writers().contains(writer);
    boolean again = reply.outcome() == VersionReply.Outcome.CHANGED && place.attempts() > 0;
    return new Place(
        place.key(), marked ? item : null, place.attempts() - (again ? 1 : 0), !marked && !again);
  }
}
