package dev.larder.store;

/** How often the model did what it is about: a model in which nothing is hit shows nothing. */
final class ModelCounts {
  long states;
  long steps;
  long fastHits;
  long announceHits;
  long slowHits;
  long repeatableReadHits;
  long puts;
  long executions;

  @Override
  public String toString() {
    return String.format(
        "%,d states, %,d steps, %,d hits by epoch, %,d by announces, %,d by stamps,"
            + " %,d at REPEATABLE READ, %,d puts",
        states, steps, fastHits, announceHits, slowHits, repeatableReadHits, puts);
  }
}
