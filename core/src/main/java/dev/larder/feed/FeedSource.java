package dev.larder.feed;

/** Starts to follow the log of a database. Thread-safe. */
@FunctionalInterface
public interface FeedSource {
  /**
   * Starts, on threads of its own, and goes on until it is closed, whatever fails.
   *
   * @param followed is told of what is found
   * @throws IllegalStateException if what reads the log is not on the class path; says what to do
   */
  RunningFeed start(FeedSettings settings, FollowedDatabase followed);
}
