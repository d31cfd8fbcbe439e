package dev.larder.benchmarks.suite;

/** How much time there is. */
public enum Scale {
  /** A first look: a quarter of an hour for everything. */
  QUICK(1),
  /** What may be quoted: at least two JVMs for every reading. */
  FULL(2);

  private final int forks;

  Scale(int forks) {
    this.forks = forks;
  }

  /** Returns in how many JVMs, one after the other, each experiment runs. */
  public int forks() {
    return forks;
  }

  /** Returns {@code quick} or {@code full}. */
  public <T> T of(T quick, T full) {
    return this == QUICK ? quick : full;
  }
}
