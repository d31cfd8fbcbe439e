package dev.larder.engine;

/** What a hit and a miss of one shape take beyond the time at the database. Not thread-safe. */
final class ShapeCosts {
  private static final double USUAL_HIT_NANOS = 1_000;
  private static final double USUAL_MISS_NANOS = 5_000;

  /** What a miss usually costs where results are large, as a share of the time at the database. */
  private static final double USUAL_MISS_SHARE = 0.05;

  /** While hardly any is looked up, a miss takes at most so many times as long as it will. */
  private static final double COLD = 20;

  private final boolean shared;
  private final MeanCost hit = new MeanCost(USUAL_HIT_NANOS);
  private final MeanCost miss = new MeanCost(USUAL_MISS_NANOS);

  /**
   * Creates costs that were not measured yet.
   *
   * @param shared whether a miss asks another process, too
   */
  ShapeCosts(boolean shared) {
    this.shared = shared;
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

  double hitNanos() {
    return hit.nanos();
  }

  double missNanos() {
    return miss.nanos();
  }

  /**
   * Returns what a miss will cost where hardly any is looked up now, so that its code is not
   * compiled, or not in the processor's caches. One that asks another process waits for that most
   * of the time, and costs what it does now.
   */
  double missNanosOnceWarm(double databaseNanos) {
    double measured = miss.nanos();
    double usual = Math.max(USUAL_MISS_NANOS, databaseNanos * USUAL_MISS_SHARE);
    return shared ? measured : Math.min(measured, Math.max(usual, measured / COLD));
  }
}
