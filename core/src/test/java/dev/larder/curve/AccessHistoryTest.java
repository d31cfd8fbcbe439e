package dev.larder.curve;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The sums against adding everything up. */
final class AccessHistoryTest {
  @ParameterizedTest
  @ValueSource(ints = {1, 15, 16, 17, 31, 32, 33, 500, 1_024})
  void whatIsBehindAPositionIsTheSumOfItsWeights(int positions) {
    AccessHistory history = new AccessHistory(positions);
    long[] weights = new long[positions + 1];
    Random random = new Random(positions);
    for (int i = 0; i < 2_000; i++) {
      int position = 1 + random.nextInt(positions);
      int weight = random.nextInt(4) == 0 ? 0 : random.nextInt(1_000);
      history.weigh(position, weight);
      weights[position] = weight;
      int asked = 1 + random.nextInt(positions);
      long behind = 0;
      for (int j = asked + 1; j <= positions; j++) {
        behind += weights[j];
      }
      assertThat(history.after(asked)).as("after %s of %s", asked, positions).isEqualTo(behind);
      assertThat(history.weight(asked)).isEqualTo(weights[asked]);
    }
  }

  @Test
  void heavyWeightsDoNotOverflow() {
    AccessHistory history = new AccessHistory(100);
    for (int position = 1; position <= 100; position++) {
      history.weigh(position, Integer.MAX_VALUE);
    }
    assertThat(history.after(1)).isEqualTo(99L * Integer.MAX_VALUE);
  }

  @Test
  void nothingWeighsAnythingOnceItIsCleared() {
    AccessHistory history = new AccessHistory(100);
    history.weigh(7, 5);
    history.weigh(70, 6);
    history.clear();
    assertThat(history.after(1)).isZero();
    assertThat(history.weight(70)).isZero();
  }
}
