package dev.larder.jdbc.proof.history;

/**
 * A read that no database without a cache could have answered so.
 *
 * @param rule what it breaks
 * @param story what was read and which versions there were, to be read by a person
 */
public record Anomaly(String rule, String story) {
  @Override
  public String toString() {
    return rule + "\n" + story;
  }
}
