package dev.larder.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.CacheOptions;
import dev.larder.QueryCacheConfig;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class SettingsTextTest {
  @Test
  void defaultsAreWordsAndNumbers() {
    assertThat(SettingsText.words(QueryCacheConfig.builder().build(), 1_000_000))
        .startsWith(
            "larder.enabled=true, larder.writers=undeclared, larder.backend=local,"
                + " larder.maxBytes=1000000 (shared by all caches of the JVM),"
                + " larder.maxResultBytes=524288, larder.timeToLive=5s, larder.mode=all,"
                + " larder.admission=profit, larder.invalidation=key,"
                + " larder.tables.exclude of ")
        .endsWith(
            ", larder.unwrap=uncached, larder.holdBack=true, larder.verify=0, larder.radar=limit,"
                + " larder.radarInterval=2s, larder.lazyConnections=off, larder.lazyLease=15s,"
                + " larder.pooler=auto, larder.pooler.interval=2s, larder.name=default")
        .doesNotContain("Optional", "[", "{");
  }

  @Test
  void whatIsSetIsNamed() {
    QueryCacheConfig config =
        QueryCacheConfig.builder()
            .set(CacheOptions.WRITERS, QueryCacheConfig.Writers.THIS_JVM)
            .set(CacheOptions.MAX_BYTES, 100_000L)
            .set(CacheOptions.MAX_ENTRIES, 10L)
            .set(CacheOptions.MAX_RESULT_ROWS, 7L)
            .set(CacheOptions.TABLES_TIME_TO_LIVE, Map.of("item", Duration.ofMillis(1_500)))
            .set(CacheOptions.TABLES_INCLUDE, Set.of("item"))
            .set(CacheOptions.FUNCTIONS_READ_ONLY, Set.of("total"))
            .set(CacheOptions.VERIFY, 0.01)
            .build();

    assertThat(SettingsText.words(config, 100_000))
        .contains(
            "larder.writers=this-jvm",
            "larder.maxBytes=100000, larder.maxEntries=10, larder.maxResultBytes=100000",
            "larder.maxResultRows=7, larder.timeToLive=unlimited, larder.mode=all,"
                + " larder.admission=profit, larder.invalidation=key,"
                + " larder.tables.include of item",
            "larder.tables.timeToLive of item",
            "larder.functions.readOnly of total",
            "larder.verify=0.01");
  }
}
