package dev.larder.engine;

/**
 * What a hit and a miss of one shape take beyond the time at the database.
 *
 * <p>While hardly any is looked up, the code of these is not compiled, or not in the processor's
 * caches, so that they take up to {@value #COLD} times as long as they would if all were looked up.
 * What they would take is guessed then: it decides whether they are. Once the shape was given up,
 * it is known what a miss took while all were looked up. What asks another process waits for that
 * most of the time, and takes what is measured.
 *
 * <p>Not thread-safe.
 */
final class ShapeCosts {
  private static final double USUAL_HIT_NANOS = 1_000;
  private static final double USUAL_MISS_NANOS = 5_000;

  /** What they usually take where results are large, as a share of the time at the database. */
  private static final double USUAL_SHARE = 0.05;

  private static final double COLD = 20;

  private final boolean shared;
  private final MeanCost hit;
  private final MeanCost miss;
  private double lastMissNanos;

  /**
   * Creates costs that were not measured yet.
   *
   * @param shared whether a look-up asks another process, too
   */
  ShapeCosts(boolean shared) {
    this.shared = shared;
    this.hit = new MeanCost(USUAL_HIT_NANOS, shared);
    this.miss = new MeanCost(USUAL_MISS_NANOS, shared);
  }

  void hit(long nanos) {
    hit.add(nanos);
  }

  void missed(long nanos) {
    miss.add(nanos);
  }

  /** Has what was taken so far weigh little beside what is taken from now on. */
  void weighLess() {
    hit.weighLess();
    miss.weighLess();
  }

  /** Notes that all were looked up until now. */
  void givenUp() {
    lastMissNanos = miss.nanos();
  }

  double hitNanos() {
    return hit.nanos();
  }

  double missNanos() {
    return miss.nanos();
  }

  /** Returns what a hit would take if all were looked up. */
  double hitNanosOfAll(double databaseNanos) {
    return ofAll(hit.nanos(), USUAL_HIT_NANOS, databaseNanos);
  }

  /** Returns what a miss would take if all were looked up. */
  double missNanosOfAll(double databaseNanos) {
    return ofAll(miss.nanos(), Math.max(USUAL_MISS_NANOS, lastMissNanos), databaseNanos);
  }

  private double ofAll(double measured, double usualNanos, double databaseNanos) {
    double usual = Math.max(usualNanos, databaseNanos * USUAL_SHARE);
    return shared ? measured : Math.min(measured, Math.max(usual, measured / COLD));
  }
}
