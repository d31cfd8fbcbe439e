package dev.larder.benchmarks.suite;

import dev.larder.benchmarks.locks.Strategy;
import dev.larder.benchmarks.locks.Writes;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Which combinations of the factors of {@link dev.larder.benchmarks.locks.LockStrategies} are
 * measured: for every strategy the same few, which make the lines of the figures, and then single
 * ones until every pair of levels of two factors has occurred. Stateless.
 */
final class CellPlan {
  static final int MOST_CELLS = 120;
  static final List<Integer> THREADS = List.of(1, 2, 4, 8, 16, 32);

  private static final int SMALL = 32;
  private static final int LARGE = 10_000;
  private static final int FEW = 1_000;
  private static final int MANY = 1_000_000;
  private static final List<Integer> SIZES = List.of(SMALL, LARGE);
  private static final List<Integer> ENTRIES = List.of(FEW, MANY);

  private CellPlan() {}

  /** One combination. */
  record Cell(Strategy strategy, int threads, Writes writes, int resultBytes, int entries) {
    /** Returns every pair of levels of two factors. */
    Set<List<Object>> pairs() {
      List<Object> levels =
          List.of(strategy, "t" + threads, writes, "b" + resultBytes, "e" + entries);
      Set<List<Object>> pairs = new HashSet<>();
      for (int i = 0; i < levels.size(); i++) {
        for (int j = 0; j < i; j++) {
          pairs.add(List.of(levels.get(j), levels.get(i)));
        }
      }
      return pairs;
    }
  }

  /** Returns the cells, the strategies of one combination next to each other. */
  static List<Cell> of(Scale scale) {
    List<Cell> cells = new ArrayList<>();
    for (int threads : scale.of(List.of(1, 8), THREADS)) {
      addAll(cells, threads, Writes.NONE, SMALL, FEW);
      addAll(cells, threads, Writes.SOME_A_SECOND, SMALL, scale.of(FEW, MANY));
    }
    if (scale == Scale.FULL) {
      for (int threads : new int[] {1, 8, 32}) {
        addAll(cells, threads, Writes.ONE_PERCENT, LARGE, FEW);
        addAll(cells, threads, Writes.TEN_PERCENT, LARGE, FEW);
      }
      cover(cells);
    }
    return cells;
  }

  private static void addAll(List<Cell> cells, int threads, Writes writes, int bytes, int entries) {
    for (Strategy strategy : Strategy.values()) {
      cells.add(new Cell(strategy, threads, writes, bytes, entries));
    }
  }

  /** Adds the cell with the most pairs that are missing, until none is. */
  private static void cover(List<Cell> cells) {
    List<Cell> all = everything();
    Set<List<Object>> missing = new HashSet<>();
    all.forEach(cell -> missing.addAll(cell.pairs()));
    cells.forEach(cell -> missing.removeAll(cell.pairs()));
    while (!missing.isEmpty()) {
      Cell best = all.get(0);
      long most = 0;
      for (Cell cell : all) {
        long found = cell.pairs().stream().filter(missing::contains).count();
        if (found > most) {
          most = found;
          best = cell;
        }
      }
      cells.add(best);
      missing.removeAll(best.pairs());
    }
  }

  static List<Cell> everything() {
    List<Cell> all = new ArrayList<>();
    for (int threads : THREADS) {
      for (Writes writes : Writes.values()) {
        for (int bytes : SIZES) {
          for (int entries : ENTRIES) {
            addAll(all, threads, writes, bytes, entries);
          }
        }
      }
    }
    return all;
  }
}
