package dev.larder.engine;

import dev.larder.engine.ShapeStatistics.Count;

/**
 * Whether the first look-ups of a shape have been of any use. Look-ups of the background do not
 * count; a shape that has some was used much before. Thread-safe; threads that race may lose one.
 */
final class FirstLookups {
  /** How many misses there are before it is asked. */
  private static final int FIRST = 64;

  /** So many hits meanwhile are enough. */
  private static final int ENOUGH = 4;

  /** What comes so rarely costs nothing, whatever it is. */
  private static final long RARE_NANOS = 10_000_000_000L;

  /** A miss of what takes so long at the database costs nothing beside it. */
  private static final long SLOW_NANOS = 1_000_000;

  private final ShapePlan shape;
  private final long began;
  private int misses;

  FirstLookups(ShapePlan shape, long now) {
    this.shape = shape;
    this.began = now;
  }

  /** Notes a miss; returns true for the last of the first. */
  boolean missed() {
    return misses < FIRST && ++misses == FIRST;
  }

  /** Returns whether they were hardly ever hits, though they came often, and are not slow. */
  boolean areInVain(long now, double crowding) {
    ShapeStatistics counts = shape.statistics();
    long executed = counts.of(Count.MISSES);
    long hits = counts.hits() + counts.of(Count.VERIFIED);
    return now - began < RARE_NANOS
        && executed >= FIRST // Fewer where somebody has set the counts to zero.
        && counts.of(Count.BACKGROUND) == 0
        && hits < ENOUGH
        && counts.of(Count.DATABASE_NANOS) < executed * SLOW_NANOS * crowding;
  }
}
