package dev.larder.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.CacheOptions;
import dev.larder.QueryCacheConfig;
import dev.larder.QueryCacheConfig.Writers;
import dev.larder.feed.Coverage;
import dev.larder.lexer.QueryHints;
import dev.larder.resolve.ResolvedStatement;
import dev.larder.resolve.StatementKeys;
import dev.larder.store.RowAccount;
import dev.larder.store.WriteSet;
import dev.larder.watch.DatabaseControls;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** How long results live. */
final class CachePolicyTest {
  private static final QueryCacheConfig CONFIG =
      QueryCacheConfig.builder()
          .set(CacheOptions.WRITERS, Writers.THIS_JVM)
          .set(CacheOptions.TIME_TO_LIVE, Duration.ofSeconds(20))
          .set(
              CacheOptions.TABLES_TIME_TO_LIVE,
              Map.of("log", Duration.ofSeconds(30), "orders", Duration.ofSeconds(10)))
          .set(
              CacheOptions.TABLES_STALENESS,
              Map.of("report_*", Duration.ofSeconds(5), "report_day", Duration.ofSeconds(2)))
          .build();

  private static Duration age(
      DatabaseControls controls, Set<String> demoted, QueryHints hints, String... tables) {
    CachePolicy policy = CachePolicy.of(CONFIG, controls, demoted, Coverage.UNKNOWN);
    return Duration.ofNanos(policy.timeToLiveNanos(reading(tables), hints));
  }

  private static ResolvedStatement reading(String... tables) {
    return new ResolvedStatement(
        null,
        ResolvedStatement.Clock.UNREAD,
        List.of(),
        Set.of(),
        Set.of(tables),
        WriteSet.NONE,
        false,
        false,
        false,
        false,
        Set.of(),
        Set.of(),
        RowAccount.NONE,
        0,
        false,
        StatementKeys.NONE);
  }

  private static Duration staleness(QueryHints hints, String... tables) {
    CachePolicy policy = CachePolicy.of(CONFIG, DatabaseControls.NONE, Set.of(), Coverage.UNKNOWN);
    return Duration.ofNanos(policy.stalenessNanos(reading(tables), hints));
  }

  @Test
  void allTablesMustBeDeclaredToBeOutdatedUnlessTheQueryIs() {
    assertThat(staleness(QueryHints.NONE, "app.report_week")).hasSeconds(5);
    assertThat(staleness(QueryHints.NONE, "app.report_week", "app.report_day")).hasSeconds(2);
    assertThat(staleness(QueryHints.NONE, "app.report_week", "app.orders")).isZero();
    assertThat(staleness(QueryHints.NONE)).isZero();
    QueryHints hints = new QueryHints(QueryHints.Caching.DEFAULT, null, Duration.ofSeconds(7));
    assertThat(staleness(hints, "app.orders", "app.report_day")).hasSeconds(7);
  }

  @Test
  void theShortestAgeThatAppliesCounts() {
    DatabaseControls none = DatabaseControls.NONE;
    assertThat(age(none, Set.of(), QueryHints.NONE, "app.log")).hasSeconds(20);
    assertThat(age(none, Set.of(), QueryHints.NONE, "app.log", "app.orders")).hasSeconds(10);
    assertThat(age(none, Set.of("app.orders"), QueryHints.NONE, "app.orders")).hasSeconds(1);
    QueryHints hints = new QueryHints(QueryHints.Caching.DEFAULT, Duration.ofSeconds(5), null);
    assertThat(age(none, Set.of(), hints, "app.orders")).hasSeconds(5);
    DatabaseControls row =
        new DatabaseControls(
            Map.of(), List.of(new DatabaseControls.Row("table", "log", "timeToLive", "7s")), null);
    assertThat(age(row, Set.of(), QueryHints.NONE, "app.log")).hasSeconds(7);
    assertThat(age(row, Set.of(), QueryHints.NONE, "app.orders")).hasSeconds(10);
  }
}
