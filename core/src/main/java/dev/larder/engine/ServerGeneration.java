package dev.larder.engine;

import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * One life of one server, between two events after which committed rows may be gone: a start, a
 * crash that the server survives, a promotion. Of two servers that claim to be the same database
 * the later one counts. Times are microseconds since 1970, by the server's clock.
 *
 * @param timeline the timeline, which a promotion increases
 * @param startedMicros when the server was started
 * @param recoveredMicros when it last recovered from a crash, or a later time that says less
 */
public record ServerGeneration(long timeline, long startedMicros, long recoveredMicros)
    implements Comparable<ServerGeneration> {
  /** Comes before all others: nothing is known of the server. */
  public static final ServerGeneration NONE = new ServerGeneration(0, 0, 0);

  private static final Comparator<ServerGeneration> ORDER =
      Comparator.comparingLong(ServerGeneration::timeline)
          .thenComparingLong(ServerGeneration::startedMicros)
          .thenComparingLong(ServerGeneration::recoveredMicros);

  /** Written out: each statement asks for it, and a record's own is a call of a method handle. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ServerGeneration that
        && timeline == that.timeline
        && startedMicros == that.startedMicros
        && recoveredMicros == that.recoveredMicros;
  }

  @Override
  public int hashCode() {
    return Long.hashCode(number());
  }

  @Override
  public int compareTo(ServerGeneration other) {
    return ORDER.compare(this, other);
  }

  /** Returns a number of this life, the same in every JVM and practically no other's; never 0. */
  public long number() {
    long mixed = mix(mix(mix(timeline) + startedMicros) + recoveredMicros);
    return mixed == 0 ? 1 : mixed;
  }

  /** The finalizer of SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom generators). */
  private static long mix(long value) {
    long z = value + 0x9E3779B97F4A7C15L;
    z = (z ^ z >>> 30) * 0xBF58476D1CE4E5B9L;
    z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
    return z ^ z >>> 31;
  }
}
