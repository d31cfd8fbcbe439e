package dev.larder.jdbc.postgresql;

import dev.larder.analysis.Repeatability;
import dev.larder.result.CachedResult;
import dev.larder.result.ResultColumn;
import dev.larder.result.ResultColumns;
import dev.larder.result.ResultComparison;
import dev.larder.result.ResultComparison.Outcome;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.postgresql.core.Oid;

/**
 * Compares a result of the cache with what the database answered, as multisets of rows: in which
 * order rows come that ORDER BY leaves open is the server's choice. Values that came in different
 * formats, because one was read before the driver changed to binary transfer, are decoded first.
 * Used once, by one thread.
 */
public final class ComparedResults {
  /**
   * Types of which equal values are the same value, in each format; of texts those that a collation
   * does not take for equal though they differ. Values of bpchar may differ in blanks at the end.
   */
  private static final Set<Integer> IDENTICAL =
      Set.of(
          Oid.BOOL,
          Oid.BYTEA,
          Oid.CHAR,
          Oid.NAME,
          Oid.INT8,
          Oid.INT2,
          Oid.INT4,
          Oid.TEXT,
          Oid.OID,
          Oid.VARCHAR,
          Oid.DATE,
          Oid.TIMESTAMP,
          Oid.TIMESTAMPTZ,
          Oid.UUID);

  /** Types whose bytes are the text in both formats. */
  private static final Set<Integer> TEXTS =
      Set.of(Oid.CHAR, Oid.NAME, Oid.TEXT, Oid.BPCHAR, Oid.VARCHAR);

  private final CachedResult cached;
  private final CachedResult database;
  private final ReplayStatements replays;

  private ComparedResults(CachedResult cached, CachedResult database, ReplayStatements replays) {
    this.cached = cached;
    this.database = database;
    this.replays = replays;
  }

  /**
   * Compares.
   *
   * @param repeatability says how far two answers may differ; asked only if they do
   * @param replays of the connection that the database has answered on
   */
  public static ResultComparison compare(
      CachedResult cached,
      CachedResult database,
      Supplier<Repeatability> repeatability,
      ReplayStatements replays)
      throws SQLException {
    return new ComparedResults(cached, database, replays).compare(repeatability);
  }

  private ResultComparison compare(Supplier<Repeatability> asked) throws SQLException {
    if (hasSameBytes()) {
      return result(Outcome.SAME, 0, List.of());
    }
    List<String> columns = otherColumns();
    if (!columns.isEmpty()) {
      return result(Outcome.DIFFERENT, cached.rows().count(), columns);
    }
    boolean[] known = knownColumns();
    int unmatched = unmatched(known, false);
    if (unmatched == 0) {
      return result(all(known) ? Outcome.SAME : Outcome.INCONCLUSIVE, 0, List.of());
    }
    boolean cut = cached.mayBeCut() || database.mayBeCut();
    Repeatability repeatability = cut ? Repeatability.NONE : asked.get();
    boolean chosen =
        switch (repeatability) {
          case EXACT -> false;
          case VALUES -> unmatched(repeatable(known, true), true) == 0;
          case TEXTS -> unmatched(repeatable(known, false), true) == 0;
          case NONE -> true;
        };
    return chosen
        ? result(Outcome.INCONCLUSIVE, unmatched, List.of())
        : result(Outcome.DIFFERENT, unmatched, differing(known));
  }

  private ResultComparison result(Outcome outcome, int unmatched, List<String> columns) {
    return new ResultComparison(
        outcome, cached.rows().count(), database.rows().count(), unmatched, columns);
  }

  /** Returns the labels of columns that are not described alike, whatever their format. */
  private List<String> otherColumns() {
    ResultColumns one = cached.columns();
    ResultColumns other = database.columns();
    List<String> labels = new ArrayList<>();
    for (int i = 0; i < Math.max(one.count(), other.count()); i++) {
      if (i >= one.count() || i >= other.count()) {
        labels.add((i < one.count() ? one : other).get(i).label());
      } else if (!inText(one.get(i)).equals(inText(other.get(i)))) {
        labels.add(one.get(i).label());
      }
    }
    return labels;
  }

  private static ResultColumn inText(ResultColumn column) {
    return new ResultColumn(
        column.label(),
        column.tableOid(),
        column.columnNumber(),
        column.typeOid(),
        column.typeLength(),
        column.typeModifier(),
        false);
  }

  private boolean hasSameBytes() {
    if (!cached.columns().equals(database.columns())
        || cached.rows().count() != database.rows().count()) {
      return false;
    }
    for (int row = 0; row < cached.rows().count(); row++) {
      for (int column = 0; column < cached.columns().count(); column++) {
        if (!Arrays.equals(cached.rows().value(row, column), database.rows().value(row, column))) {
          return false;
        }
      }
    }
    return true;
  }

  private int type(int column) {
    return cached.columns().get(column).typeOid();
  }

  private boolean isOfOneFormat(int column) {
    return cached.columns().get(column).binary() == database.columns().get(column).binary()
        || TEXTS.contains(type(column));
  }

  /** Returns which columns can be compared at all. */
  private boolean[] knownColumns() {
    boolean[] known = new boolean[cached.columns().count()];
    for (int i = 0; i < known.length; i++) {
      known[i] = isOfOneFormat(i) || IDENTICAL.contains(type(i)) || type(i) == Oid.NUMERIC;
    }
    return known;
  }

  /** Returns those of the known columns in which not even values may differ. */
  private boolean[] repeatable(boolean[] known, boolean texts) {
    boolean[] repeatable = known.clone();
    for (int i = 0; i < known.length; i++) {
      repeatable[i] &= IDENTICAL.contains(type(i)) || type(i) == Oid.NUMERIC;
      repeatable[i] &= texts || !TEXTS.contains(type(i));
    }
    return repeatable;
  }

  private static boolean all(boolean[] columns) {
    for (boolean column : columns) {
      if (!column) {
        return false;
      }
    }
    return true;
  }

  /** Returns how many rows of either are not in the other; the higher number of the two. */
  private int unmatched(boolean[] columns, boolean byValue) throws SQLException {
    Map<List<@Nullable Object>, Integer> counts = new HashMap<>();
    rows(cached, columns, byValue).forEach(row -> counts.merge(row, 1, Integer::sum));
    rows(database, columns, byValue).forEach(row -> counts.merge(row, -1, Integer::sum));
    int missing = 0;
    int added = 0;
    for (int count : counts.values()) {
      missing += Math.max(0, count);
      added += Math.max(0, -count);
    }
    return Math.max(missing, added);
  }

  /** Returns the labels of the columns that differ from row to row; none if rows are missing. */
  private List<String> differing(boolean[] known) throws SQLException {
    List<List<@Nullable Object>> one = rows(cached, known, false);
    List<List<@Nullable Object>> other = rows(database, known, false);
    List<String> labels = new ArrayList<>();
    for (int column = 0; column < known.length && one.size() == other.size(); column++) {
      boolean same = true;
      for (int row = 0; row < one.size(); row++) {
        Object value = one.get(row).get(column);
        same &=
            value == null
                ? other.get(row).get(column) == null
                : value.equals(other.get(row).get(column));
      }
      if (!same) {
        labels.add(cached.columns().get(column).label());
      }
    }
    return labels;
  }

  /** Returns the values of {@code columns}, null in the others, as objects that can be compared. */
  private List<List<@Nullable Object>> rows(CachedResult result, boolean[] columns, boolean byValue)
      throws SQLException {
    List<List<@Nullable Object>> rows = new ArrayList<>(result.rows().count());
    try (ResultSet replay = replays.replay(result, ReplayOptions.DEFAULT)) {
      for (int row = 0; replay.next(); row++) {
        @Nullable Object[] values = new @Nullable Object[columns.length];
        for (int column = 0; column < columns.length; column++) {
          boolean decoded = !isOfOneFormat(column) || (byValue && type(column) == Oid.NUMERIC);
          if (columns[column]) {
            values[column] =
                decoded ? decode(replay, column) : bytes(result.rows().value(row, column));
          }
        }
        rows.add(Arrays.asList(values));
      }
    }
    return rows;
  }

  private @Nullable Object decode(ResultSet replay, int column) throws SQLException {
    int at = column + 1;
    return switch (type(column)) {
      case Oid.BYTEA -> bytes(replay.getBytes(at));
      case Oid.DATE -> replay.getObject(at, LocalDate.class);
      case Oid.TIMESTAMP -> replay.getObject(at, LocalDateTime.class);
      case Oid.TIMESTAMPTZ -> instant(replay.getObject(at, OffsetDateTime.class));
      case Oid.NUMERIC -> byValue(replay.getObject(at));
      default -> replay.getObject(at);
    };
  }

  private static @Nullable Object instant(@Nullable OffsetDateTime time) {
    return time == null ? null : time.toInstant();
  }

  private static @Nullable Object byValue(@Nullable Object number) {
    return number instanceof BigDecimal decimal ? decimal.stripTrailingZeros() : number;
  }

  private static @Nullable Object bytes(byte @Nullable [] value) {
    return value == null ? null : ByteBuffer.wrap(value);
  }
}
