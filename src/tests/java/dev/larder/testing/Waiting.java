package dev.larder.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * How tests wait: for something that comes true, and, where time itself is what they are about, for
 * time. Meanwhile the processor is left to what is waited for. Stateless.
 */
public final class Waiting {
  private static final Duration LONGEST = Duration.ofMinutes(2);

  /**
   * Between two looks: as many milliseconds as there were looks, so that short waits end at once.
   */
  private static final int MOST_MILLIS = 20;

  private Waiting() {}

  /** Something that comes true. */
  @FunctionalInterface
  public interface Condition<E extends Exception> {
    /** Returns whether it has. */
    boolean holds() throws E;
  }

  /** Asks until the answer is yes, and fails with {@code what} if it is not in two minutes. */
  public static <E extends Exception> void until(String what, Condition<E> condition) throws E {
    until(LONGEST, () -> what, condition);
  }

  /** Asks until the answer is yes, and fails with {@code what} if it is not in time. */
  public static <E extends Exception> void until(
      Duration atMost, Supplier<String> what, Condition<E> condition) throws E {
    long begun = System.nanoTime();
    for (int look = 1; !condition.holds(); look++) {
      assertThat(Duration.ofNanos(System.nanoTime() - begun)).as(what).isLessThan(atMost);
      LockSupport.parkNanos(Math.min(look, MOST_MILLIS) * 1_000_000L);
    }
  }

  /**
   * Lets time pass, for what only time brings about: an entry's age, how long an outage lasts, a
   * client that thinks. Never for something to have happened.
   */
  public static void pass(Duration time) {
    long end = System.nanoTime() + time.toNanos();
    for (long left = time.toNanos(); left > 0; left = end - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }
}
