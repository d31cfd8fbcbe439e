package dev.larder.curve;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

/** Keys that are asked for often, among many that are not. */
final class HotKeysTest {
  private static final int ACCESSES = 1_000_000;

  private final HotKeys keys = new HotKeys();
  private final Random random = new Random(1);

  @Test
  void whoHasAPartOfAllAccessesIsHotAndNobodyElse() {
    int hot = 0;
    int others = 0;
    for (int i = 0; i < ACCESSES; i++) {
      keys.outOf(i);
      if (i % 100 == 0) {
        hot += keys.access(-7) ? 1 : 0;
      } else {
        others += keys.access(random.nextInt(ACCESSES)) ? 1 : 0;
      }
    }
    assertThat(hot).isGreaterThan(ACCESSES / 100 * 9 / 10);
    assertThat(others).isZero();
    assertThat(keys.isHot(-7)).isTrue();
    assertThat(keys.isHot(7)).isFalse();
  }

  @Test
  void whoIsNoLongerAskedForIsNotHotForEver() {
    for (int i = 0; i < ACCESSES; i++) {
      keys.outOf(i);
      keys.access(i < ACCESSES / 10_000 ? -7 : random.nextInt());
      if (i == ACCESSES / 10_000) {
        assertThat(keys.isHot(-7)).isTrue();
      }
    }
    assertThat(keys.isHot(-7)).isFalse();
  }
}
