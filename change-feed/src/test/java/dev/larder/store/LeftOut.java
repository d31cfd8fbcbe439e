package dev.larder.store;

/** Leaves a step of the protocol out, for the whole JVM, while this is open. */
public final class LeftOut implements AutoCloseable {
  /** Leaves it out from now on. */
  public LeftOut(ProtocolStep step) {
    ProtocolStep.leaveOut(step);
  }

  @Override
  public void close() {
    ProtocolStep.leaveOut(null);
  }
}
