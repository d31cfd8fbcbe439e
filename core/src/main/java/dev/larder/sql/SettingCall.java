package dev.larder.sql;

/**
 * One call of {@code set_config(name, value, local)} in a query that does nothing else. Immutable.
 *
 * @param name the setting
 * @param value what it is set to
 * @param local whether that ends with the transaction
 */
public record SettingCall(Argument name, Argument value, Argument local) {
  /** Where the value of an argument comes from. */
  public enum Source {
    /** A literal that was taken out of the text. */
    LITERAL,
    /** A parameter of the statement. */
    PARAMETER,
    /** TRUE: its index says nothing. */
    TRUE,
    /** FALSE: its index says nothing. */
    FALSE
  }

  /**
   * An argument.
   *
   * @param index of the literal or parameter, from 0
   */
  public record Argument(Source source, int index) {}
}
