package dev.larder.engine;

import static dev.larder.lexer.LexOptions.PREPARED;
import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.analysis.SqlAnalyzer;
import dev.larder.bypass.BypassReason;
import dev.larder.lexer.LexOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("regression")
final class PlanCacheTest {
  private static final String BUSY = "SELECT name FROM item WHERE id = 1";

  /** Fewer shapes than are remembered. */
  private static final int ROOM = 1_000;

  /** More of them. */
  private static final int FLOOD = 10_000;

  private final ShapeStatistics retired = new ShapeStatistics();
  private final PlanCache plans = cache(retired);

  /** A cache for which no time passes. */
  private static PlanCache cache(ShapeStatistics retired) {
    return new PlanCache(
        retired, new SqlAnalyzer()::analyze, new FirstParses(() -> 0, FirstParses.AT_ONCE));
  }

  private Plan plan(String sql) {
    return plans.plan(sql, PREPARED);
  }

  /**
   * Asks for so many other shapes that those that are not asked for meanwhile are forgotten, by
   * texts that are kept apart from the others.
   */
  private void flood() {
    flood(FLOOD);
  }

  private void flood(int shapes) {
    for (int i = 0; i < shapes; i++) {
      String text = "SELECT c" + i + " FROM t";
      plans.plan(text, LexOptions.of(false, true));
      plans.plan(text + " ", LexOptions.of(false, true)); // The same shape again is remembered.
    }
  }

  /** As many as a large application has, of the length that object mappers write. */
  @Test
  void theStatementsOfALargeApplicationAreRememberedAllAtOnce() {
    int statements = 2_500;
    List<Plan> first = new ArrayList<>();
    for (int i = 0; i < statements; i++) {
      execute(plan(mapped(i)));
      execute(plan(mapped(i)));
      first.add(plan(mapped(i)));
    }
    for (int i = 0; i < statements; i++) {
      assertThat(plan(mapped(i)).shape()).isSameAs(first.get(i).shape());
    }
  }

  private static String mapped(int number) {
    StringBuilder columns = new StringBuilder();
    for (int i = 0; i < 30; i++) {
      columns.append(i == 0 ? "" : ", ").append("e1_0.column_number_").append(i);
    }
    return "select %s from orders e1_0 left join entity_%d j on e1_0.id = j.id where e1_0.id = ?"
        .formatted(columns, number);
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
    execute(again);
    execute(again);
    again.shape().statistics().hit();
    assertThat(isShown(again)).isTrue();
    assertThat(again.shape().statistics().hits()).isEqualTo(1);
    assertThat(plan(BUSY)).isSameAs(again);
  }

  private @Nullable BypassReason execute(Plan plan) {
    BypassReason reason = plan.shape().textBypass();
    return reason == BypassReason.SEEN_ONCE ? plans.meetAgain(plan.shape()) : reason;
  }

  @Test
  void aShapeIsParsedAtOnceWhileThereIsRoom() {
    assertThat(plan(BUSY).shape().textBypass()).isNull();
  }

  @Test
  void aTextWithLiteralsIsRememberedOnceItComesAgain() {
    for (int i = 0; i < FLOOD; i++) {
      plan("SELECT a FROM t WHERE b = " + i);
    }
    assertThat(plans.textCount()).isZero();

    Plan last = plan("SELECT a FROM t WHERE b = " + (FLOOD - 1));
    assertThat(plan(last.sql())).as("one of the last texts").isSameAs(last);
    plan("SELECT a FROM t WHERE b = 0");
    assertThat(plans.textCount()).isOne();
    plan("SELECT a FROM t WHERE b = ?");
    assertThat(plans.textCount()).isEqualTo(2);
  }

  /** As a program that loads rows by one INSERT may have written it. */
  @Test
  void aTextThatIsTooLongToBeRememberedLeavesRoomForOthers() {
    plan("INSERT INTO item (name) VALUES " + "(DEFAULT), ".repeat(800_000) + "(NULL)");

    assertThat(plan(BUSY).shape().textBypass()).isNull();
  }

  @Test
  void amongTooManyAShapeIsParsedWhenItComesAgain() {
    flood();

    assertThat(execute(plan(BUSY))).isEqualTo(BypassReason.SEEN_ONCE);
    assertThat(execute(plan(BUSY))).isNull();
    assertThat(plan(BUSY).shape().textBypass()).isNull();
  }

  @Test
  void afterManyNewShapesOneMoreIsParsedWhenItComesAgain() {
    for (int i = 0; i < FirstParses.AT_ONCE; i++) {
      assertThat(execute(plan("SELECT c" + i + " FROM t"))).isNull();
    }
    Plan late = plan(BUSY);
    assertThat(execute(late)).isEqualTo(BypassReason.SEEN_ONCE);
    assertThat(plan(BUSY)).isSameAs(late);
    assertThat(execute(late)).isNull();
    assertThat(isShown(late)).isTrue();
  }

  @Test
  void amongTooManyTwoTextsOfAShapeHaveOnePlanOfItInTheEnd() {
    String other = BUSY.replace('1', '2');
    flood();
    Plan first = plan(BUSY);
    assertThat(execute(first)).isEqualTo(BypassReason.SEEN_ONCE);
    assertThat(execute(plan(other))).isNull();
    assertThat(execute(plan(BUSY))).isNull();

    assertThat(plan(BUSY).shape()).isSameAs(plan(other).shape());
    assertThat(isShown(plan(BUSY))).isTrue();
    first.shape().statistics().hit(); // A statement that holds the plan is counted, too.
    assertThat(retired.hits()).isEqualTo(1);
  }

  @Test
  void amongTooManyWhatComesOnceIsCountedAndNotRemembered() {
    flood();
    long before = plans.shapes().size();
    long bypassesBefore = retired.of(ShapeStatistics.Count.BYPASSES);
    for (int i = 0; i < 100; i++) {
      plan("SELECT name AS n" + i + " FROM item")
          .shape()
          .statistics()
          .bypass(BypassReason.SEEN_ONCE);
    }

    assertThat(plans.shapes().size()).isEqualTo(before);
    assertThat(retired.of(ShapeStatistics.Count.BYPASSES)).isEqualTo(bypassesBefore + 100);

    Plan stays = plan(BUSY);
    execute(stays);
    execute(stays);
    stays.shape().statistics().hit();
    assertThat(stays.shape().statistics().hits()).isEqualTo(1);
    assertThat(retired.hits()).isZero();
    assertThat(isShown(stays)).isTrue();
  }

  @Test
  void amongTooManyAPlanThatIsHeldIsParsedWhenItIsExecutedAgain() {
    flood();
    Plan held = plan(BUSY);

    assertThat(execute(held)).isEqualTo(BypassReason.SEEN_ONCE);
    assertThat(execute(held)).isNull();
    assertThat(held.shape().textBypass()).isNull();
    assertThat(held.only()).isEqualTo(cache(retired).plan(BUSY, PREPARED).only());
  }

  @Test
  void amongTooManyAShapeThatWasForgottenMeanwhileIsParsedWhenItComesAgain() {
    flood();
    Plan before = plan(BUSY);
    execute(before);
    flood(1_000);
    assertThat(isShown(before)).isFalse();

    assertThat(execute(plan(BUSY))).isNull();
  }

  @Test
  void amongTooManyWhatWritesIsAsWellKnownAsEver() {
    String[] texts = {
      "UPDATE item SET name = 'a' WHERE id IN (SELECT id FROM old_item)",
      "WITH gone AS (DELETE FROM item RETURNING id) SELECT id FROM gone",
      "SELECT name INTO copy FROM item",
      "SELECT name FROM item; DELETE FROM item",
    };
    flood();
    for (String text : texts) {
      assertThat(plan(text).statements())
          .isEqualTo(cache(retired).plan(text, PREPARED).statements());
    }
  }

  /** Where the driver would still have room, a statement must not fail for want of the parser's. */
  @Test
  void wantOfRoomForTheParserCostsACachedAnswerAndNothingThatLasts() {
    SqlAnalyzer analyzer = new SqlAnalyzer();
    AtomicBoolean full = new AtomicBoolean(true);
    PlanCache narrow =
        new PlanCache(
            retired,
            shape -> {
              if (full.get()) {
                throw new StackOverflowError();
              }
              return analyzer.analyze(shape);
            },
            new FirstParses(() -> 0, FirstParses.AT_ONCE));

    Plan made = narrow.plan(BUSY, PREPARED);
    assertThat(made.shape().textBypass()).isEqualTo(BypassReason.UNPARSED);
    assertThat(made.shape().isRetired()).isTrue();

    full.set(false);
    assertThat(narrow.plan(BUSY, PREPARED).shape().textBypass()).isNull();
  }

  @Test
  void aStackThatIsNearlyFullLeavesNothingThatLasts() throws InterruptedException {
    String nested = "SELECT a FROM t%d WHERE f(g(a)) = ANY (SELECT b FROM u WHERE c IN (1, 2))";
    AtomicLong nanos = new AtomicLong();
    FirstParses any = new FirstParses(() -> nanos.addAndGet(Duration.ofSeconds(1).toNanos()), 1);
    PlanCache cache = new PlanCache(retired, new SqlAnalyzer()::analyze, any);
    cache.plan(nested.formatted(0), PREPARED);
    int[] outcomes = new int[3];
    Thread thread =
        new Thread(
            null, () -> diveUntilTheEnd(cache, nested, outcomes, 1), "nearly full", 256 * 1024);
    thread.start();
    thread.join();

    assertThat(outcomes[0]).as("cacheable").isPositive();
    assertThat(outcomes[1]).as("not cacheable, but for want of room").isZero();
    for (int i = 1; i <= outcomes[2]; i++) {
      assertThat(cache.plan(nested.formatted(i), PREPARED).shape().textBypass()).isNull();
    }
  }

  private static int diveUntilTheEnd(PlanCache cache, String sql, int[] outcomes, int depth) {
    try {
      BypassReason bypass = cache.plan(sql.formatted(depth), PREPARED).shape().textBypass();
      outcomes[0] += bypass == null ? 1 : 0;
      outcomes[1] += bypass == null || bypass == BypassReason.UNPARSED ? 0 : 1;
      outcomes[2] = Math.max(depth, outcomes[2]);
      return depth < ROOM ? diveUntilTheEnd(cache, sql, outcomes, depth + 1) : depth;
    } catch (StackOverflowError e) {
      return depth;
    }
  }
}
