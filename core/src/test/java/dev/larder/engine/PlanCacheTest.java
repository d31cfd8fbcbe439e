package dev.larder.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.sql.LexOptions;
import org.junit.jupiter.api.Test;

final class PlanCacheTest {
  private static final String BUSY = "SELECT name FROM item WHERE id = 1";

  private final ShapeStatistics retired = new ShapeStatistics();
  private final PlanCache plans = new PlanCache(retired);

  private Plan plan(String sql) {
    return plans.plan(sql, LexOptions.PREPARED);
  }

  /**
   * Asks for so many other shapes that those that are not asked for meanwhile are forgotten, by
   * texts that are kept apart from the others.
   */
  private void flood() {
    for (int i = 0; i < 20_000; i++) {
      plans.plan("SELECT c" + i + " FROM t", new LexOptions(false, true));
    }
  }

  private boolean isShown(Plan plan) {
    return plans.shapes().contains(plan.shape());
  }

  @Test
  void whatIsCountedForAShapeThatWasForgottenIsNotLost() {
    Plan kept = plan(BUSY);
    kept.shape().statistics().hit();
    flood();
    assertThat(isShown(kept)).isFalse();

    kept.shape().statistics().hit();
    assertThat(retired.hits()).isEqualTo(2);
  }

  @Test
  void aTextWhoseShapeWasForgottenIsShownAgainWhenItIsAskedFor() {
    Plan before = plan(BUSY);
    flood();
    assertThat(isShown(before)).isFalse();

    Plan again = plan(BUSY);
    again.shape().statistics().hit();
    assertThat(isShown(again)).isTrue();
    assertThat(again.shape().statistics().hits()).isEqualTo(1);
    assertThat(plan(BUSY)).isSameAs(again);
  }
}
