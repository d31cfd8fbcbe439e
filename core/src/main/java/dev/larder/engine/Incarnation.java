package dev.larder.engine;

import java.util.Comparator;

/**
 * One life of one server, between two events after which committed rows may be gone: a start, a
 * crash that the server survives, a promotion. Of two servers that claim to be the same database
 * the later one counts. Times are microseconds since 1970, by the server's clock.
 *
 * @param timeline the timeline, which a promotion increases
 * @param startedMicros when the server was started
 * @param recoveredMicros when it last recovered from a crash, or a later time that says less
 */
public record Incarnation(long timeline, long startedMicros, long recoveredMicros)
    implements Comparable<Incarnation> {
  /** Comes before all others: nothing is known of the server. */
  public static final Incarnation NONE = new Incarnation(0, 0, 0);

  private static final Comparator<Incarnation> ORDER =
      Comparator.comparingLong(Incarnation::timeline)
          .thenComparingLong(Incarnation::startedMicros)
          .thenComparingLong(Incarnation::recoveredMicros);

  @Override
  public int compareTo(Incarnation other) {
    return ORDER.compare(this, other);
  }
}
