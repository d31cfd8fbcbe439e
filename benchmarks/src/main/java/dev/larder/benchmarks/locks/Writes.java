package dev.larder.benchmarks.locks;

/** How often tables are written. */
public enum Writes {
  /** Never. */
  NONE("read-only", 0, 0),
  /** By somebody else, as in Percona's measurement of MySQL's query cache. */
  SOME_A_SECOND("65 invalidations a second", 65, 0),
  /** By the readers, rarely. */
  ONE_PERCENT("1 % writes", 0, 10),
  /** By the readers, often. */
  TEN_PERCENT("10 % writes", 0, 100);

  private final String label;
  private final int perSecond;
  private final int perMille;

  Writes(String label, int perSecond, int perMille) {
    this.label = label;
    this.perSecond = perSecond;
    this.perMille = perMille;
  }

  /** Returns the name on a figure. */
  public String label() {
    return label;
  }

  int perSecond() {
    return perSecond;
  }

  /** Returns how many of a thousand accesses are writes. */
  int perMille() {
    return perMille;
  }
}
