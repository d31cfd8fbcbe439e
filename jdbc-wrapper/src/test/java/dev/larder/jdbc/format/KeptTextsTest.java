package dev.larder.jdbc.format;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.postgresql.core.CachedQuery;
import org.postgresql.util.LruCache;

/** What is forgotten here is what the driver's own cache of statements forgets, and no sooner. */
final class KeptTextsTest {
  private static final int THRESHOLD = 1_000_000;

  /** A statement that is open: as the driver has it, and as Larder has. */
  private record Open(CachedQuery query, CountedText text) {}

  @ParameterizedTest
  @CsvSource({
    "0, 5000000, 1",
    "1, 5000000, 2",
    "2, 5000000, 3",
    "7, 5000000, 4",
    "256, 0, 5",
    "256, 600, 6",
    "256, 1500, 7",
    "5, 3000, 8",
    "3, 900, 9",
    "256, 5000000, 10"
  })
  void keepsWhatTheDriverKeeps(int maxTexts, long maxBytes, int seed) throws Exception {
    Random random = new Random(seed);
    LruCache<Object, CachedQuery> driver =
        new LruCache<>(
            maxTexts, maxBytes, false, key -> new CachedQuery(key, null, false), query -> {});
    KeptTexts larder = new KeptTexts(maxTexts, maxBytes);
    List<Open> open = new ArrayList<>();
    for (int step = 0; step < 5_000; step++) {
      if (open.isEmpty() || (open.size() < 6 && random.nextBoolean())) {
        int number = random.nextInt(12);
        String sql = "x".repeat(number * 10) + number;
        CountedText text = larder.take(sql, sql);
        if (text.isUnknown()) {
          text.begin(0, THRESHOLD, 0);
        }
        open.add(new Open(driver.borrow(sql), text));
      } else if (random.nextInt(3) > 0) {
        Open one = open.get(random.nextInt(open.size()));
        one.query().increaseExecuteCount();
        one.text().next(THRESHOLD, false, 0, 0);
        assertThat(one.text().executions())
            .as("step %d, %s", step, one.query().key)
            .isEqualTo(one.query().getExecuteCount());
      } else {
        Open one = open.remove(random.nextInt(open.size()));
        driver.put(one.query().key, one.query());
        larder.putBack(one.text());
      }
    }
  }

  @Test
  void takesATextForWhatTheDriverTakesItFor() {
    String sql = "SELECT 1";
    assertThat(new CountedText(sql, sql).bytes())
        .isEqualTo(new CachedQuery(sql, null, false).getSize());
  }

  /** A statement that is never closed is remembered for a while only. */
  @Test
  void statementsThatAreNeverClosedDoNotAddUp() {
    KeptTexts larder = new KeptTexts(10, 5_000_000);
    for (int i = 0; i < 10_000; i++) {
      take(larder, "SELECT " + i);
    }
    assertThat(larder.size()).isLessThan(1_000);
  }

  @Test
  void noMoreIsRememberedThanAFewThousandTexts() {
    KeptTexts larder = new KeptTexts(1_000_000, Long.MAX_VALUE / 4);
    CountedText first = take(larder, "SELECT");
    larder.putBack(first);
    for (int i = 0; i < 10_000; i++) {
      larder.putBack(take(larder, "SELECT " + i));
    }
    assertThat(larder.size()).isLessThan(3_000);
    assertThat(take(larder, "SELECT").isUnknown()).as("the driver may still know it").isTrue();
  }

  private static CountedText take(KeptTexts texts, String sql) {
    return texts.take(sql, sql);
  }
}
