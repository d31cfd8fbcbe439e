package dev.larder.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.QueryCacheConfig;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class SettingsTextTest {
  @Test
  void defaultsAreWordsAndNumbers() {
    assertThat(SettingsText.words(QueryCacheConfig.builder().build(), 1_000_000))
        .startsWith(
            "larder.enabled=true, larder.name=default, larder.writers=undeclared, larder.mode=all,"
                + " larder.maxBytes=1000000 (shared by all caches of the JVM),"
                + " larder.maxResultBytes=524288, larder.timeToLive=5 s, larder.tables.exclude of ")
        .endsWith(", larder.unwrap=uncached, larder.radar=limit")
        .doesNotContain("Optional", "[", "{");
  }

  @Test
  void whatIsSetIsNamed() {
    QueryCacheConfig config =
        QueryCacheConfig.builder()
            .writers(QueryCacheConfig.Writers.THIS_JVM)
            .maxBytes(100_000)
            .maxEntries(10)
            .maxResultRows(7)
            .tableTimeToLive(Map.of("item", Duration.ofMillis(1_500)))
            .includedTables(List.of("item"))
            .readOnlyFunctions(List.of("total"))
            .verify(0.01)
            .build();

    assertThat(SettingsText.words(config, 100_000))
        .contains(
            "larder.writers=this-jvm",
            "larder.maxBytes=100000, larder.maxEntries=10, larder.maxResultBytes=100000",
            "larder.maxResultRows=7, larder.timeToLive=unlimited, larder.tables.include of item",
            "larder.tables.timeToLive of item",
            "larder.functions.readOnly of total",
            "larder.verify=0.01");
  }
}
