package dev.larder.jdbc.replay;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.larder.result.CachedResult;
import dev.larder.result.RawRows;
import dev.larder.result.ResultColumn;
import dev.larder.result.ResultColumns;
import dev.larder.result.ResultRows;
import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.math.BigDecimal;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.core.Oid;
import org.postgresql.util.ByteConverter;

/** Measures on the heap, after a collection, what results say that they weigh. */
@Tag("proof")
class ResultWeightTest {
  /** What other tests have left is let go in the background, and would count as negative weight. */
  @BeforeAll
  static void theHeapIsAtRest() {
    long before = Long.MAX_VALUE;
    int same = 0;
    for (int i = 0; i < 30 && same < 3; i++) {
      LockSupport.parkNanos(100_000_000L);
      long used = usedAfterCollection();
      same = Math.abs(before - used) < 100_000 ? same + 1 : 0;
      before = used;
    }
  }

  private static final long MEASURED_BYTES = 48L << 20;

  private final RandomGenerator random = RandomGenerator.of("L64X128MixRandom");

  @ParameterizedTest
  @CsvSource({
    "0, 4, 0",
    "1, 1, 4",
    "1, 4, 20",
    "1, 10, 100",
    "100, 10, 12",
    "20, 3, 0",
    "7, 1, 4000"
  })
  void resultsWeighWhatTheyOccupy(int rows, int columns, int valueBytes) {
    ResultColumns shared = columns("shared " + rows + " " + valueBytes, columns);
    CachedResult first = result(shared, rows, valueBytes);
    long each = result(shared, rows, valueBytes).weightBytes();
    int count = (int) Math.min(200_000, MEASURED_BYTES / each);

    long weight = weighAndCompare(count, i -> result(shared, rows, valueBytes));

    assertThat(weight).isEqualTo(count * each);
    assertThat(first.weightBytes()).isEqualTo(each + shared.weightBytes());
  }

  @Test
  void resultsOfDistinctColumnsWeighTheColumnsToo() {
    weighAndCompare(40_000, i -> result(columns("of statement " + i, 5), 1, 20));
  }

  @Test
  void rowsWithoutTheDriverWeighWhatTheyOccupy() {
    ResultColumns shared = columns("raw", 4);
    weighAndCompare(200_000, i -> CachedResult.of(shared, rawRows(2, 4, 20), false));
  }

  @Test
  void columnsAreForgottenWithTheirLastResult() throws InterruptedException {
    ResultColumns columns = columns("forgotten", 3);
    CachedResult result = result(columns, 1, 1);
    WeakReference<ResultColumns> weak = new WeakReference<>(result.columns());
    assertThat(result(columns("forgotten", 3), 1, 1).columns()).isSameAs(weak.get());
    Reference.reachabilityFence(result);
    Reference.reachabilityFence(columns);

    columns = null;
    result = null;
    long deadline = System.nanoTime() + 10_000_000_000L;
    while (weak.get() != null && System.nanoTime() < deadline) {
      System.gc();
    }
    assertThat(weak.get()).isNull();
    assertThat(columns).isNull();
    assertThat(result).isNull();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void decodedValuesWeighWhatTheyOccupy(boolean binary) {
    ResultColumns columns =
        new ResultColumns(
            List.of(
                new ResultColumn("i", 1, 1, Oid.INT4, 4, -1, binary),
                new ResultColumn("l", 1, 2, Oid.INT8, 8, -1, binary),
                new ResultColumn("d", 1, 3, Oid.FLOAT8, 8, -1, binary),
                new ResultColumn("n", 1, 4, Oid.NUMERIC, -1, -1, binary),
                new ResultColumn("t", 1, 5, Oid.TEXT, -1, -1, binary),
                new ResultColumn("e", 1, 6, Oid.VARCHAR, -1, -1, binary),
                new ResultColumn("small", 1, 7, Oid.INT4, 4, -1, binary),
                new ResultColumn("ts", 1, 8, Oid.TIMESTAMPTZ, 8, -1, binary)));
    weighAndCompare(
        1_000,
        i -> {
          CachedResult result = CachedResult.of(columns, decodableRows(i, binary), false);
          result.askForRoom(DecodedWeight.of(result));
          result.giveRoom();
          decode(result, i, binary);
          return result;
        });
  }

  private static RawRows decodableRows(int i, boolean binary) {
    byte[][][] rows = new byte[20][][];
    for (int row = 0; row < rows.length; row++) {
      long number = 1_000_000_000L + i * 20L + row;
      rows[row] =
          new byte[][] {
            binary ? new byte[] {1, 2, 3, (byte) row} : utf8("" + number),
            binary ? new byte[] {1, 0, 0, 0, 1, 2, 3, (byte) row} : utf8(number + "0"),
            binary ? new byte[8] : utf8("1.5"),
            binary ? ByteConverter.numeric(decimal(number)) : utf8("" + decimal(number)),
            utf8("text of row " + number),
            utf8("Zeile \u20ac \u00fc " + number),
            binary ? new byte[] {0, 0, 0, 100} : utf8("42"),
            binary ? new byte[8] : utf8("2024-03-31 02:30:00+00")
          };
    }
    return new RawRows(rows);
  }

  /** As the driver does, which makes a BigDecimal of a BigInteger where the format is binary. */
  private static void decode(CachedResult result, int i, boolean binary) {
    @Nullable Object[] values = result.decoded();
    int at = 0;
    for (int row = 0; row < 20; row++) {
      long number = 1_000_000_000L + i * 20L + row;
      BigDecimal decimal = decimal(number);
      values[at++] = Integer.valueOf((int) number);
      values[at++] = Long.valueOf(number * 10);
      values[at++] = Double.valueOf(1.5);
      values[at] =
          binary ? new BigDecimal(decimal.unscaledValue(), 2) : new BigDecimal("" + decimal);
      assertThat(values[at++].toString()).isNotEmpty();
      values[at++] = new String(result.rows().value(row, 4), UTF_8);
      values[at++] = new String(result.rows().value(row, 5), UTF_8);
      values[at++] = Integer.valueOf(100);
      values[at++] = OffsetDateTime.of(2024, 3, 31, i % 24, row, 0, 0, ZoneOffset.UTC);
    }
  }

  private static BigDecimal decimal(long number) {
    return BigDecimal.valueOf(number, 2);
  }

  private static byte[] utf8(String text) {
    return text.getBytes(UTF_8);
  }

  private static long weighAndCompare(int count, IntFunction<CachedResult> factory) {
    CachedResult[] results = new CachedResult[count];
    // What was collected leaves the table of shared columns only when that is used again.
    for (int i = 0; i < 2_000; i++) {
      Reference.reachabilityFence(factory.apply(i));
    }
    results[0] = factory.apply(0);
    long weight = results[0].weightBytes();
    long before = usedAfterCollection();
    for (int i = 1; i < count; i++) {
      results[i] = factory.apply(i);
      weight += results[i].weightBytes();
    }
    long used = usedAfterCollection() - before;
    Reference.reachabilityFence(results);
    assertThat(weight).isCloseTo(used, withinPercentage(3));
    return weight;
  }

  @SuppressWarnings("ThreadPriorityCheck")
  private static long usedAfterCollection() {
    Runtime runtime = Runtime.getRuntime();
    long used = Long.MAX_VALUE;
    for (int i = 0; i < 4; i++) {
      System.gc();
      used = Math.min(used, runtime.totalMemory() - runtime.freeMemory());
      Thread.yield();
    }
    return used;
  }

  private CachedResult result(ResultColumns columns, int rows, int valueBytes) {
    ResultRows raw = rawRows(rows, columns.count(), valueBytes);
    return CachedResult.of(columns, TupleRows.of(raw, columns.count()), false);
  }

  private RawRows rawRows(int rows, int columns, int valueBytes) {
    byte[][][] values = new byte[rows][columns][];
    for (byte[][] row : values) {
      for (int column = 0; column < columns; column++) {
        byte[] value = new byte[valueBytes];
        random.nextBytes(value);
        row[column] = column % 4 == 3 ? null : value;
      }
    }
    return new RawRows(values);
  }

  private static ResultColumns columns(String label, int count) {
    List<ResultColumn> columns = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      columns.add(new ResultColumn(label + " " + i, 1, i, Oid.TEXT, -1, -1, true));
    }
    return new ResultColumns(columns);
  }
}
