package dev.larder.examples.adoption;

/** Makes a framework roll back. */
final class InVain extends RuntimeException {
  private static final long serialVersionUID = 1;

  InVain() {
    super("rolled back on purpose");
  }
}
