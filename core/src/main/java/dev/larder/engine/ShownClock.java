package dev.larder.engine;

/** A result that depends on the time of its query. */
final class ShownClock extends ShownTimed {
  /**
   * Creates what is kept beside a result that is there.
   *
   * @param epoch is of now
   * @param sent a moment before the query was sent
   */
  ShownClock(long epoch, long sent) {
    super(epoch, sent);
  }
}
