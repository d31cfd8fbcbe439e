package dev.larder.examples.wrongrows;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.testing.NeedsProgram;
import dev.larder.testing.Program;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who has wrong rows in the example, and who has none. */
@Tag("proof")
@NeedsProgram(Program.MEMCACHED)
final class WrongRowsTest {
  private static final Pattern ROW =
      Pattern.compile("(?m)^  (reads a second|wrong rows) +([0-9,]+) +([0-9,]+) +([0-9,]+)$");

  /** The phases of the table at the end. */
  private static final int QUIET = 0;

  private static final int FOREIGN = 1;
  private static final int NOTICED = 2;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  private int run(String... arguments) {
    return WrongRows.run(
        new PrintStream(out, true, StandardCharsets.UTF_8),
        new PrintStream(err, true, StandardCharsets.UTF_8),
        arguments);
  }

  private String report() {
    return out.toString(StandardCharsets.UTF_8);
  }

  /** Returns a row of the table for each phase, a number for each side. */
  private List<long[]> rows(String name) {
    List<long[]> rows = new ArrayList<>();
    Matcher row = ROW.matcher(report());
    while (row.find()) {
      if (row.group(1).equals(name)) {
        long[] numbers = new long[Side.values().length];
        for (Side side : Side.values()) {
          numbers[side.index()] = Long.parseLong(row.group(side.index() + 2).replace(",", ""));
        }
        rows.add(numbers);
      }
    }
    assertThat(rows).as(report()).hasSize(3);
    return rows;
  }

  private long wrong(Side side, int phase) {
    return rows("wrong rows").get(phase)[side.index()];
  }

  private void assertEverybodyReads() {
    assertThat(rows("reads a second"))
        .allSatisfy(row -> assertThat(row).as(report()).doesNotContain(0));
    assertThat(report().lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
  }

  private void assertTheRadarFindsTheOutsider() {
    assertThat(report()).contains("LRD-002", "public.product_larder");
    assertThat(wrong(Side.LARDER, NOTICED)).as(report()).isZero();
    for (int phase : new int[] {QUIET, FOREIGN, NOTICED}) {
      assertThat(wrong(Side.PLAIN, phase)).as(report()).isZero();
    }
    assertThat(wrong(Side.BY_HAND, FOREIGN) + wrong(Side.BY_HAND, NOTICED))
        .as(report())
        .isPositive();
  }

  @Test
  void larderThatSharesItsResultsHasNoWrongRowAndTheCacheByHandHas() {
    int code = run("--seconds=10");
    assertThat(err.toString(StandardCharsets.UTF_8)).isEmpty();
    assertThat(code).as(report()).isEqualTo(WrongRows.RIGHT);
    assertEverybodyReads();
    assertThat(wrong(Side.LARDER, QUIET)).as(report()).isZero();
    assertThat(wrong(Side.BY_HAND, QUIET)).as(report()).isPositive();
    assertTheRadarFindsTheOutsider();
  }

  /** So the count is able to find wrong rows of Larder's, too. */
  @Test
  void larderThatSharesNothingIsAsOldAsACacheByHand() {
    int code = run("--seconds=10", "--without-memcached");
    assertThat(err.toString(StandardCharsets.UTF_8)).isEmpty();
    assertThat(code).as(report()).isEqualTo(WrongRows.RIGHT);
    assertEverybodyReads();
    assertThat(wrong(Side.LARDER, QUIET)).as(report()).isPositive();
    assertThat(wrong(Side.LARDER, FOREIGN)).as(report()).isPositive();
    assertTheRadarFindsTheOutsider();
  }

  @Test
  void larderThatFollowsTheLogHasNoRowThatIsOlderThanASecond() {
    int code = run("--seconds=10", "--feed");
    assertThat(err.toString(StandardCharsets.UTF_8)).isEmpty();
    assertThat(code).as(report()).isEqualTo(WrongRows.RIGHT);
    Matcher late =
        Pattern.compile("(?m)^  older than 1 s +([0-9,]+) +([0-9,]+) +([0-9,]+)$")
            .matcher(report());
    assertThat(late.results())
        .as(report())
        .hasSize(2)
        .allSatisfy(
            row -> {
              assertThat(row.group(1)).isEqualTo("0");
              assertThat(row.group(2)).isNotEqualTo("0");
              assertThat(row.group(3)).isEqualTo("0");
            });
  }

  @ParameterizedTest
  @CsvSource({
    "--seconds=5, --seconds is '5'; it must be a whole number from 10 to 3600.",
    "--ttl=soon, --ttl is 'soon'; it must be a whole number from 1 to 3600.",
    "--memcached, '--memcached' is no option. Options are",
  })
  void aBadOptionIsExplained(String argument, String message) {
    assertThat(run(argument)).isEqualTo(WrongRows.FAILED);
    assertThat(err.toString(StandardCharsets.UTF_8)).contains(message, "Try --help.");
    assertThat(report()).isEmpty();
  }

  @Test
  void helpNamesEveryOption() {
    assertThat(run("--help")).isEqualTo(WrongRows.RIGHT);
    assertThat(report())
        .contains("--seconds", "--ttl", "--without-memcached", "--feed", "Exit code");
  }
}
