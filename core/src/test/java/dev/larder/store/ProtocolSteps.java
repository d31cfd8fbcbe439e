package dev.larder.store;

/** Lets tests of other packages leave a step out. */
public final class ProtocolSteps {
  private ProtocolSteps() {}

  /** Runs {@code body} without {@code step}. */
  public static void without(ProtocolStep step, Runnable body) {
    ProtocolStep.leaveOut(step);
    try {
      body.run();
    } finally {
      ProtocolStep.leaveOut(null);
    }
  }
}
