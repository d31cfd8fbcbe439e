package dev.larder;

/**
 * A text that no message shows.
 *
 * @param text what it is
 */
public record SecretText(String text) {
  @Override
  public String toString() {
    return "(not shown)";
  }
}
