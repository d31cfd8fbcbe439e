package dev.larder.examples.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Percentage.withPercentage;

import org.junit.jupiter.api.Test;

final class LatenciesTest {
  @Test
  void quantilesAreWithinThreePercent() {
    Latencies latencies = new Latencies();
    for (int i = 1; i <= 100_000; i++) {
      latencies.add(i * 37L);
    }
    assertThat(latencies.quantileNanos(0.5)).isCloseTo(50_000 * 37L, withPercentage(3));
    assertThat(latencies.quantileNanos(0.99)).isCloseTo(99_000 * 37L, withPercentage(3));
    assertThat(latencies.quantileNanos(0.00001)).isCloseTo(37, withPercentage(3));
  }

  @Test
  void sumsHoldBoth() {
    Latencies fast = new Latencies();
    Latencies slow = new Latencies();
    fast.add(10);
    slow.add(3_600_000_000_000L);
    fast.add(slow);
    assertThat(fast.total()).isEqualTo(2);
    assertThat(fast.quantileNanos(1)).isCloseTo(3_600_000_000_000L, withPercentage(3));
  }
}
