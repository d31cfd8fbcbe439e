package dev.larder.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.testing.NeedsProgram;
import dev.larder.testing.Program;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.boot.json.JsonParserFactory;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/** {@code docs/grafana-dashboard.json} asks for what Prometheus gets from the meters. */
class GrafanaDashboardTest {
  private static final Pattern METRIC = Pattern.compile("\\b(?:cache|larder)_[a-z_]+(?=[{,])");
  private static final Pattern LABEL = Pattern.compile("([a-z_]+)(?==~?\")");
  private static final Pattern OTHERS = Pattern.compile("instance");

  /** Returns the texts of the members called {@code expr} or {@code query}. */
  private static Stream<String> expressions(Object json) {
    if (json instanceof Map<?, ?> map) {
      return map.entrySet().stream()
          .flatMap(
              entry ->
                  entry.getValue() instanceof String text
                          && Set.of("expr", "query").contains(entry.getKey())
                      ? Stream.of(text)
                      : expressions(entry.getValue()));
    }
    return json instanceof Collection<?> list
        ? list.stream().flatMap(GrafanaDashboardTest::expressions)
        : Stream.empty();
  }

  private static Set<String> found(Pattern pattern, String text) {
    return pattern
        .matcher(text)
        .results()
        .map(MatchResult::group)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  @NeedsProgram(Program.MEMCACHED)
  void everyMetricAndLabelExists() throws Exception {
    Path repository = Path.of("").toAbsolutePath();
    while (!Files.exists(repository.resolve("docs/grafana-dashboard.json"))) {
      repository = repository.getParent();
    }
    String file = Files.readString(repository.resolve("docs/grafana-dashboard.json"));
    String asked =
        expressions(JsonParserFactory.getJsonParser().parseMap(file))
            .collect(Collectors.joining("\n"));
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    CacheMeters meters = new CacheMeters();
    meters.bindTo(registry);
    String url = ShopDatabase.withBooks().larderUrl() + "&larder.name=grafana";
    String followed =
        ShopDatabase.withBooks().larderUrl()
            + "&larder.name=grafana-feed&larder.writers=any&larder.feed=wal";
    try (MemcachedProcess memcached = MemcachedProcess.start();
        Connection feed = DriverManager.getConnection(followed);
        Connection connection = DriverManager.getConnection(url + memcached.options())) {
      assertThat(feed.isValid(10)).isTrue();
      SingleConnectionDataSource source = new SingleConnectionDataSource(connection, true);
      JdbcTemplate jdbc = new JdbcTemplate(source);
      ShopDatabase.untilHit(source, () -> jdbc.queryForList("SELECT title FROM book"));
      jdbc.update("UPDATE book SET title = title");
      meters.countTables();
      String scraped = registry.scrape();
      Set<String> metrics = found(Pattern.compile("(?m)^(?:cache|larder)_[a-z_]+(?=\\{)"), scraped);
      assertThat(found(METRIC, asked)).hasSizeGreaterThan(24).isSubsetOf(metrics);
      assertThat(metrics).as("what the dashboard does not show").isEqualTo(found(METRIC, asked));
      Set<String> labels = found(LABEL, asked);
      labels.removeIf(OTHERS.asMatchPredicate());
      assertThat(labels)
          .contains("cache", "result")
          .isSubsetOf(found(Pattern.compile("[a-z_]+(?==\")"), scraped));
    } finally {
      meters.destroy();
    }
  }
}
