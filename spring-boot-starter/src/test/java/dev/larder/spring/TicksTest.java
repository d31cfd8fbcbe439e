package dev.larder.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("each-boot")
class TicksTest {
  private static final AtomicInteger NAMES = new AtomicInteger();

  /** Threads of other tests may still be ending. */
  private final String thread = "ticks-of-test-" + NAMES.incrementAndGet();

  private final AtomicInteger turns = new AtomicInteger();
  private final CountDownLatch twice = new CountDownLatch(2);

  /** An error may be that of one moment: the memory is full, or the stack. */
  @ParameterizedTest
  @ValueSource(classes = {IllegalStateException.class, OutOfMemoryError.class})
  void whatTheTaskThrowsDoesNotEndIt(Class<? extends Throwable> kind) throws Exception {
    Throwable thrown = kind.getConstructor(String.class).newInstance("as a test has it");
    Ticks ticks =
        new Ticks(
            thread,
            Duration.ofMillis(1),
            () -> {
              twice.countDown();
              if (thrown instanceof Error error) {
                throw error;
              }
              throw (RuntimeException) thrown;
            });
    ticks.begin();
    try {
      assertThat(twice.await(60, TimeUnit.SECONDS)).isTrue();
    } finally {
      ticks.end();
    }
  }

  @Test
  void thereIsNoThreadBeforeItBeginsAndAfterItEnds() throws Exception {
    Ticks ticks = new Ticks(thread, Duration.ofMillis(1), turns::incrementAndGet);
    assertThat(threads()).isZero();
    ticks.begin();
    ticks.begin();
    assertThat(threads()).isEqualTo(1);
    ticks.end();
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (threads() > 0) {
      assertThat(System.nanoTime()).isLessThan(deadline);
      Thread.onSpinWait();
    }
  }

  private long threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(running -> running.getName().equals(thread))
        .count();
  }
}
