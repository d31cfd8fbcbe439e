package dev.larder.jdbc.replay;

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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.postgresql.core.Oid;

/**
 * Compares a result of the cache with what the database answered, as multisets of rows: in which
 * order rows come that ORDER BY leaves open is the server's choice. Values that came in different
 * formats, because one was read before the driver changed to binary transfer, are decoded first.
 * Used once, by one thread.
 */
public final class ComparedResults {
  /** Types whose bytes are the text in both formats. */
  private static final Set<Integer> TEXTS =
      Set.of(Oid.CHAR, Oid.NAME, Oid.TEXT, Oid.BPCHAR, Oid.VARCHAR);

  /** What of a column is compared. */
  private enum How {
    /** Nothing: its values come in two formats that cannot be compared. */
    NOT,
    /** The bytes of its values. */
    BYTES,
    /** What its values are decoded to. */
    DECODED
  }

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
    List<String> columns = otherColumns();
    if (!columns.isEmpty()) {
      return result(Outcome.DIFFERENT, cached.rows().count(), columns);
    }
    List<How> all = columns(this::how);
    int unmatched = unmatched(all);
    if (unmatched == 0) {
      return result(all.contains(How.NOT) ? Outcome.INCONCLUSIVE : Outcome.SAME, 0, List.of());
    }
    boolean cut = cached.mayBeCut() || database.mayBeCut();
    boolean chosen =
        switch (cut ? Repeatability.NONE : asked.get()) {
          case EXACT -> false;
          case VALUES -> unmatched(columns(this::howRepeatable)) == 0;
          case TEXTS -> unmatched(columns(this::howRepeatableButTexts)) == 0;
          case NONE -> true;
        };
    return chosen
        ? result(Outcome.INCONCLUSIVE, unmatched, List.of())
        : result(Outcome.DIFFERENT, unmatched, differing(all));
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

  private int type(int column) {
    return cached.columns().get(column).typeOid();
  }

  /**
   * Returns whether equal values of a type are the same value, in each format; of texts unless a
   * collation takes different ones for equal. Values of bpchar may differ in blanks at the end.
   */
  private static boolean isIdentical(int type) {
    return switch (type) {
      case Oid.BOOL, Oid.INT2, Oid.INT4, Oid.INT8, Oid.OID, Oid.UUID, Oid.BYTEA -> true;
      case Oid.CHAR, Oid.NAME, Oid.TEXT, Oid.VARCHAR -> true;
      case Oid.DATE, Oid.TIMESTAMP, Oid.TIMESTAMPTZ -> true;
      default -> false;
    };
  }

  private List<How> columns(IntFunction<How> how) {
    return IntStream.range(0, cached.columns().count()).mapToObj(how).toList();
  }

  private How how(int column) {
    if (cached.columns().get(column).binary() == database.columns().get(column).binary()
        || TEXTS.contains(type(column))) {
      return How.BYTES;
    }
    return isIdentical(type(column)) || type(column) == Oid.NUMERIC ? How.DECODED : How.NOT;
  }

  /** Where equal values may be written differently the server may choose among them. */
  private How howRepeatable(int column) {
    if (type(column) == Oid.NUMERIC) {
      return How.DECODED;
    }
    return isIdentical(type(column)) ? how(column) : How.NOT;
  }

  private How howRepeatableButTexts(int column) {
    return TEXTS.contains(type(column)) ? How.NOT : howRepeatable(column);
  }

  /** Returns how many rows of either are not in the other; the higher number of the two. */
  private int unmatched(List<How> columns) throws SQLException {
    Map<List<@Nullable Object>, Integer> counts = new HashMap<>();
    rows(cached, columns).forEach(row -> counts.merge(row, 1, Integer::sum));
    rows(database, columns).forEach(row -> counts.merge(row, -1, Integer::sum));
    int missing = 0;
    int added = 0;
    for (int count : counts.values()) {
      missing += Math.max(0, count);
      added += Math.max(0, -count);
    }
    return Math.max(missing, added);
  }

  /** Returns the labels of the columns that differ from row to row; none if rows are missing. */
  private List<String> differing(List<How> columns) throws SQLException {
    List<List<@Nullable Object>> one = rows(cached, columns);
    List<List<@Nullable Object>> other = rows(database, columns);
    if (one.size() != other.size()) {
      return List.of();
    }
    return IntStream.range(0, columns.size())
        .filter(column -> !column(one, column).equals(column(other, column)))
        .mapToObj(column -> cached.columns().get(column).label())
        .toList();
  }

  private static List<@Nullable Object> column(List<List<@Nullable Object>> rows, int column) {
    List<@Nullable Object> values = new ArrayList<>();
    rows.forEach(row -> values.add(row.get(column)));
    return values;
  }

  /** Returns the values as objects that can be compared, null where they are not to be. */
  private List<List<@Nullable Object>> rows(CachedResult result, List<How> columns)
      throws SQLException {
    List<List<@Nullable Object>> rows = new ArrayList<>(result.rows().count());
    try (ResultSet replay = replays.replay(result, ReplayOptions.DEFAULT)) {
      for (int row = 0; replay.next(); row++) {
        List<@Nullable Object> values = new ArrayList<>(columns.size());
        for (int column = 0; column < columns.size(); column++) {
          values.add(
              switch (columns.get(column)) {
                case NOT -> null;
                case BYTES -> bytes(result.rows().value(row, column));
                case DECODED -> decode(replay, column);
              });
        }
        rows.add(values);
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
