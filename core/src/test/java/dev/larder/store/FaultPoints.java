package dev.larder.store;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Lets tests of other packages inject faults. */
public final class FaultPoints {
  private FaultPoints() {}

  /** Has {@code injected} run at every point from now on, or nothing. */
  public static void inject(@Nullable Consumer<FaultPoint> injected) {
    FaultPoint.inject(injected);
  }
}
