package dev.larder.memcached.protocol;

import dev.larder.memcached.format.Buckets;
import dev.larder.memcached.format.Mark;
import dev.larder.memcached.format.Token;
import dev.larder.memcached.format.VersionValue;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A writer's way to leave its mark at the version of everything that it has written, before it
 * commits. Immutable: {@link #requests} says what to send, {@link #accept} returns what follows
 * from the replies.
 *
 * <p>To be started only once the primary knows the writer: after its statements have run, so that
 * its transaction has a number, or once it holds the announce lock. From there on either its mark
 * is at the version or the primary names it: a version that is evicted comes back RAW, and becomes
 * ready only after the primary has been asked.
 *
 * <p>A version with very many marks is replaced: under contention some writers {@linkplain
 * Publication give up} to take theirs away, and where nobody reads the table, nobody has the
 * barrier do it. The others' marks get lost as in an eviction.
 *
 * <p>Every mark must be acknowledged. Otherwise the writer must not commit.
 *
 * @param writer its mark
 * @param seed the token of a version that has to be made
 * @param check whether what it writes was looked up in a true version of the catalog, to be found
 *     out; null once that is done
 */
public record Announcement(Token writer, Token seed, List<Place> places, @Nullable Check check) {
  /** The most marks that are left; more take each commit time, and memcached's room in the end. */
  static final int MOST_MARKS = 200;

  /** How far the mark at one key is. */
  enum Phase {
    APPEND,
    ADD,
    APPEND_AGAIN,
    /** The version has no room for a mark, or too many. */
    REPLACE,
    APPEND_LAST,
    ACKNOWLEDGED,
    FAILED
  }

  /**
   * One key.
   *
   * @param rows what is written of it; null for any rows
   * @param item the value with the mark, for the publish; null if it was not read
   */
  record Place(String key, @Nullable Buckets rows, Phase phase, @Nullable VersionItem item) {
    Place at(Phase next, @Nullable VersionItem found) {
      return new Place(key, rows, next, found);
    }

    boolean isOpen() {
      return phase.compareTo(Phase.ACKNOWLEDGED) < 0;
    }
  }

  /**
   * The question whether the version is true, put with the first marks. If it is not, the writer
   * may have written anything.
   *
   * @param catalogToken null if there is none that could be
   */
  record Check(String catalog, String everything, @Nullable CatalogToken catalogToken) {
    boolean isPassedBy(VersionReply reply) {
      return catalogToken != null
          && catalogToken.isTrueIn(
              VersionReading.of(List.of(catalog), List.of(reply), catalogToken.serverGeneration()));
    }
  }

  public Announcement {
    places = List.copyOf(places);
  }

  /**
   * Returns an announcement that has not begun.
   *
   * @param written what is written of each key
   */
  static Announcement of(Token writer, Token seed, List<Written> written, @Nullable Check check) {
    List<Place> places =
        written.stream()
            .map(each -> new Place(each.key(), each.need().rows(), Phase.APPEND, null))
            .toList();
    return new Announcement(writer, seed, places, check);
  }

  /** What is written of one version. */
  record Written(String key, Need need) {
    static Written wholly(String key) {
      return new Written(key, Need.WHOLE);
    }
  }

  /** Returns what to send now, in one go; nothing when the announcement has ended. */
  List<VersionRequest> requests() {
    List<VersionRequest> requests = new ArrayList<>();
    if (failed()) {
      return requests;
    }
    for (Place place : places) {
      if (place.isOpen()) {
        if (place.phase() == Phase.REPLACE) {
          requests.add(new VersionRequest.Remove(place.key()));
        }
        Mark mark = new Mark(writer, place.rows());
        requests.add(
            place.phase() == Phase.ADD || place.phase() == Phase.REPLACE
                ? new VersionRequest.Add(place.key(), VersionValue.raw(seed).announced(mark))
                : new VersionRequest.Append(place.key(), mark));
        if (place.phase() != Phase.REPLACE) {
          requests.add(new VersionRequest.Gets(place.key()));
        }
      }
    }
    if (check != null) {
      requests.add(new VersionRequest.Gets(check.catalog()));
    }
    return requests;
  }

  /** Returns the announcement after {@code replies} to {@link #requests}. */
  Announcement accept(List<VersionReply> replies) {
    List<Place> next = new ArrayList<>();
    int reply = 0;
    for (Place place : places) {
      next.add(place.isOpen() ? after(place, replies.get(reply++), replies.get(reply++)) : place);
    }
    if (check != null && !check.isPassedBy(replies.get(reply))) {
      next.add(new Place(check.everything(), null, Phase.APPEND, null));
    }
    return new Announcement(writer, seed, next, null);
  }

  private static Place after(Place place, VersionReply first, VersionReply second) {
    boolean replaced = place.phase() == Phase.REPLACE;
    VersionReply mark = replaced ? second : first;
    VersionItem item = replaced ? null : second.item();
    if (mark.outcome() == VersionReply.Outcome.STORED) {
      boolean many = item != null && item.value().marks().size() > MOST_MARKS;
      // Not what was added just now: the seed would be the token of two versions.
      return many && (place.phase() == Phase.APPEND || place.phase() == Phase.APPEND_AGAIN)
          ? place.at(Phase.REPLACE, null)
          : place.at(Phase.ACKNOWLEDGED, item);
    }
    Phase next =
        mark.outcome() != VersionReply.Outcome.NOT_STORED
            ? Phase.FAILED
            : switch (place.phase()) {
              case APPEND -> Phase.ADD;
              case ADD -> Phase.APPEND_AGAIN;
              // Something is there, and nothing can be appended.
              case APPEND_AGAIN -> Phase.REPLACE;
              case REPLACE -> Phase.APPEND_LAST;
              default -> Phase.FAILED;
            };
    return place.at(next, null);
  }

  /** Returns whether every mark is acknowledged: the writer may commit. */
  boolean acknowledged() {
    return check == null && places.stream().allMatch(place -> place.phase() == Phase.ACKNOWLEDGED);
  }

  /** Returns whether the writer must not commit. */
  boolean failed() {
    return places.stream().anyMatch(place -> place.phase() == Phase.FAILED);
  }
}
