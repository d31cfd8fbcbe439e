package dev.larder.feed;

/** What follows the log of one database, until it is closed. Thread-safe; throws nothing. */
public interface RunningFeed extends AutoCloseable {
  /** Returns what goes on. */
  FeedStatus status();

  /** Ends it: the slot at the server is gone a moment later. Returns without waiting for that. */
  @Override
  void close();
}
