package dev.larder.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

final class QuietPeriodsTest {
  private static final long PERIOD = Duration.ofMinutes(10).toNanos();

  private final QuietPeriods<String> periods = new QuietPeriods<>(Duration.ofMinutes(10));

  @Test
  void eachKindIsLetThroughOnceInAPeriod() {
    long start = Long.MAX_VALUE - 5; // The clock may overflow.
    assertThat(periods.isDue("a", start)).isTrue();
    assertThat(periods.isDue("a", start)).isFalse();
    assertThat(periods.isDue("a", start + PERIOD - 1)).isFalse();
    assertThat(periods.isDue("b", start + PERIOD - 1)).isTrue();
    assertThat(periods.isDue("a", start + PERIOD)).isTrue();
    assertThat(periods.isDue("a", start + PERIOD + 1)).isFalse();
    assertThat(periods.isDue("b", start + PERIOD + 1)).isFalse();
  }
}
