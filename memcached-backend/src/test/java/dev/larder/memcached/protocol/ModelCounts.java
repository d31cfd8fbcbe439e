package dev.larder.memcached.protocol;

/** How often the model did what it is about: a model in which nothing is hit shows nothing. */
final class ModelCounts {
  long states;
  long steps;
  long hits;
  long fills;
  long commits;
  long settled;
  long settledInALaterPass;
  long publishRetries;

  @Override
  public String toString() {
    return String.format(
        "%,d states, %,d steps, %,d hits, %,d fills, %,d commits, %,d settled (%,d later), %,d retries",
        states, steps, hits, fills, commits, settled, settledInALaterPass, publishRetries);
  }
}
