package dev.larder.benchmarks.suite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.benchmarks.locks.Strategy;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CellPlanTest {
  @Test
  void fullPlanHasEveryPairOfLevelsInAtMost120Cells() {
    List<CellPlan.Cell> cells = CellPlan.of(Scale.FULL);
    Set<List<Object>> pairs = new HashSet<>();
    cells.forEach(cell -> pairs.addAll(cell.pairs()));
    Set<List<Object>> all = new HashSet<>();
    CellPlan.everything().forEach(cell -> all.addAll(cell.pairs()));

    assertThat(cells).hasSizeLessThanOrEqualTo(CellPlan.MOST_CELLS).doesNotHaveDuplicates();
    assertThat(all)
        .hasSize(6 * 6 + 6 * 4 + 6 * 2 + 6 * 2 + 6 * 4 + 6 * 2 + 6 * 2 + 4 * 2 + 4 * 2 + 4);
    assertThat(pairs).isEqualTo(all);
  }

  @ParameterizedTest
  @EnumSource
  void everyStrategyHasAlmostTheSameCells(Scale scale) {
    List<CellPlan.Cell> cells = CellPlan.of(scale);
    for (Strategy strategy : Strategy.values()) {
      assertThat(cells.stream().filter(cell -> cell.strategy() == strategy).count())
          .isBetween(4L, 30L);
    }
  }
}
