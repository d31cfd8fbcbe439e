package dev.larder.benchmarks.shapes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.benchmarks.suite.Results;
import dev.larder.benchmarks.suite.Spread;
import java.util.List;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BreakEvenTest {
  private final List<Results.Point> direct = line(ratio -> 100);

  private static List<Results.Point> line(DoubleUnaryOperator throughput) {
    return IntStream.rangeClosed(0, 100)
        .mapToObj(
            i -> {
              double ratio = i / 100.0;
              return new Results.Point(ratio, Spread.of(List.of(throughput.applyAsDouble(ratio))));
            })
        .toList();
  }

  @Test
  void isWhereTheLineStaysAbove() {
    assertThat(BreakEven.aheadFrom(line(ratio -> ratio * 200), direct).orElseThrow())
        .isBetween(0.50, 0.52);
    assertThat(BreakEven.aheadFrom(line(ratio -> 101), direct).orElseThrow()).isZero();
    assertThat(BreakEven.aheadFrom(line(ratio -> 99), direct)).isEmpty();
  }

  @Test
  void oneRoundThatWasDisturbedDoesNotMoveIt() {
    assertThat(
            BreakEven.aheadFrom(line(ratio -> ratio == 0.9 ? 1 : ratio * 200), direct)
                .orElseThrow())
        .isBetween(0.50, 0.52);
  }
}
