package dev.larder.store;

import org.jspecify.annotations.Nullable;

/** Leaves a step of the protocol out, for the whole JVM, while this is open. */
public final class LeftOut implements AutoCloseable {
  /** Leaves it out from now on. */
  public LeftOut(ProtocolStep step) {
    leaveOut(step);
  }

  /** Leaves {@code step} out from now on, and no other; null for none. */
  public static void leaveOut(@Nullable ProtocolStep step) {
    ProtocolStep.leaveOut(step);
  }

  @Override
  public void close() {
    leaveOut(null);
  }
}
