package dev.larder.benchmarks.shapes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.benchmarks.suite.Results.Point;
import dev.larder.benchmarks.suite.Spread;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class WarmStartFileTest {
  /** Returns a ratio that rises by a tenth each second, and stays at 1. */
  private static List<Point> line() {
    return IntStream.rangeClosed(1, 100)
        .mapToObj(second -> new Point(second, Spread.of(List.of(Math.min(1, second / 10.0)))))
        .toList();
  }

  @Test
  void itIsWarmAtNineTenthsOfTheSteadyRatio() {
    assertThat(WarmStartFile.steady(line())).isEqualTo(1);
    assertThat(WarmStartFile.warmAt(line(), 1)).isEqualTo(9);
    assertThat(WarmStartFile.warmAt(line(), 2)).isNaN();
  }

  @Test
  void eachPointIsTheMeanOfThree() {
    assertThat(WarmStartFile.smooth(line()).get(4).y().median()).isBetween(0.499, 0.501);
    assertThat(WarmStartFile.smooth(line()).get(0).y().median()).isBetween(0.149, 0.151);
    assertThat(WarmStartFile.smooth(line())).hasSize(100);
  }
}
