package dev.larder.spring;

/** A property {@code larder.*} has a value that Larder refuses. */
public final class InvalidLarderPropertyException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** As in {@code application.properties}. */
  private final String property;

  /** What to do about it. */
  private final String action;

  InvalidLarderPropertyException(String property, String reason, String action) {
    super(reason);
    this.property = property;
    this.action = action;
  }

  /** {@return the name of the property, as in {@code application.properties}} */
  public String property() {
    return property;
  }

  /** {@return what to do about it} */
  public String action() {
    return action;
  }
}
