package dev.larder.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class SamplingTest {
  private final Sampling sampling = new Sampling(100, 8);

  @Test
  void theFirstAreAllChosenAndStandForThemselves() {
    for (int i = 0; i < 100; i++) {
      assertThat(sampling.weight()).isEqualTo(1);
    }
  }

  @Test
  void theOthersAreChosenAtRandomAndStandForAll() {
    for (int i = 0; i < 100; i++) {
      sampling.weight();
    }
    int chosen = 0;
    long sum = 0;
    for (int i = 0; i < 80_000; i++) {
      int weight = sampling.weight();
      assertThat(weight).isIn(0, 8);
      chosen += weight > 0 ? 1 : 0;
      sum += weight;
    }
    assertThat(chosen).isBetween(9_000, 11_000);
    assertThat(sum).isCloseTo(80_000, within(8_000L));
  }
}
