package dev.larder.store;

/** Moments of this JVM: nanoseconds since one of them, above 0. Stateless. */
public final class Moment {
  private static final long ORIGIN = System.nanoTime() - 1;

  private Moment() {}

  /** Returns the present moment. */
  public static long now() {
    return System.nanoTime() - ORIGIN;
  }
}
