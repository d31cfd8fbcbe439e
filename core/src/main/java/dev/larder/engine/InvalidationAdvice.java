package dev.larder.engine;

import dev.larder.engine.StatusTable.Row;
import dev.larder.keys.Dependence;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What to do about tables that are written often while the results that read them depend on the
 * whole of them. Used for one answer, by one thread.
 */
final class InvalidationAdvice {
  /** With fewer look-ups, or fewer writes, nothing is advised. */
  private static final long ENOUGH_LOOKUPS = 1_000;

  private static final long ENOUGH_WRITES = 100;

  /** Where fewer of the look-ups are misses, the writes do no harm. */
  private static final double WORTHWHILE = 0.05;

  private final QueryCache cache;
  private final Map<String, Long> writes;
  private final Map<String, Readers> byTable = new TreeMap<>();

  /** What reads one table for one reason as a whole. */
  private static final class Readers {
    final String table;
    final String because;
    long lookups;
    long misses;
    long most = -1;
    String worst = "";

    Readers(String table, String because) {
      this.table = table;
      this.because = because;
    }

    void add(ShapePlan shape) {
      long more = shape.statistics().misses();
      lookups += shape.statistics().lookups();
      misses += more;
      if (more > most) {
        most = more;
        worst = shape.shape().shownText();
      }
    }
  }

  private InvalidationAdvice(QueryCache cache) {
    this.cache = cache;
    this.writes = TableStatus.invalidations(cache);
  }

  /** Returns the rows for {@code SHOW larder.advice}, by table. */
  static List<Row> rows(QueryCache cache) {
    return new InvalidationAdvice(cache).rows();
  }

  private List<Row> rows() {
    for (ShapePlan shape : cache.plans().shapes()) {
      for (Dependence each : TableStatus.dependences(cache, shape)) {
        if (each.whole()) {
          String because = each.because() == null ? "" : each.because();
          byTable
              .computeIfAbsent(
                  each.table() + ' ' + because, key -> new Readers(each.table(), because))
              .add(shape);
        }
      }
    }
    List<Row> rows = new ArrayList<>();
    for (Readers each : byTable.values()) {
      if (each.lookups >= ENOUGH_LOOKUPS
          && each.misses >= each.lookups * WORTHWHILE
          && writes.getOrDefault(each.table, 0L) >= ENOUGH_WRITES) {
        rows.addAll(advice(each));
      }
    }
    return rows;
  }

  private List<Row> advice(Readers readers) {
    String seen =
        "the table was written %d times, and %d of %d queries that depend on the whole of it missed"
            .formatted(writes.get(readers.table), readers.misses, readers.lookups);
    if (!readers.because.isEmpty()) {
      String reason = seen + ", because " + readers.because + " Most were of: " + readers.worst;
      return List.of(Advice.row("whole table", readers.table, reason));
    }
    return TableStatus.mayBeByKey(cache, readers.table)
        ? List.of(
            Advice.row(
                "larder.tables.invalidation",
                readers.table + "=key",
                seen + "; by key, a write leaves the results that it cannot change"))
        : List.of();
  }
}
