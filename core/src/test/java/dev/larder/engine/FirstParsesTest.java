package dev.larder.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class FirstParsesTest {
  private final AtomicLong clock = new AtomicLong(Long.MAX_VALUE - 5);
  private final FirstParses parses = new FirstParses(clock::get, FirstParses.AT_ONCE);

  private int taken(int wanted) {
    int taken = 0;
    for (int i = 0; i < wanted; i++) {
      taken += parses.take() ? 1 : 0;
    }
    return taken;
  }

  @Test
  void manyAreParsedAtOnceAndThenSomeASecond() {
    assertThat(taken(5_000)).isEqualTo(FirstParses.AT_ONCE);

    clock.addAndGet(Duration.ofSeconds(1).toNanos());
    assertThat(taken(5_000)).isEqualTo(FirstParses.A_SECOND);

    clock.addAndGet(Duration.ofHours(1).toNanos());
    assertThat(taken(5_000)).isEqualTo(FirstParses.AT_ONCE);
  }
}
