package dev.larder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.QueryCacheConfig.Builder;
import dev.larder.QueryCacheConfig.Mode;
import dev.larder.QueryCacheConfig.Radar;
import dev.larder.QueryCacheConfig.Unwrap;
import dev.larder.QueryCacheConfig.Writers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class QueryCacheConfigTest {
  @Test
  void defaultsAreThoseOfTheDesign() {
    QueryCacheConfig config = QueryCacheConfig.builder().build();
    assertThat(config.enabled()).isTrue();
    assertThat(config.name()).isEqualTo("default");
    assertThat(config.writers()).isEqualTo(Writers.UNDECLARED);
    assertThat(config.mode()).isEqualTo(Mode.ALL);
    assertThat(config.maxBytes()).isEmpty();
    assertThat(config.maxEntries()).isEmpty();
    assertThat(config.maxResultBytes()).isEqualTo(524_288);
    assertThat(config.maxResultRows()).isEqualTo(Long.MAX_VALUE);
    assertThat(config.timeToLive()).contains(Duration.ofSeconds(5));
    assertThat(config.unwrap()).isEqualTo(Unwrap.UNCACHED);
    assertThat(config.radar()).isEqualTo(Radar.LIMIT);
    assertThat(config.radarInterval()).isEqualTo(Duration.ofSeconds(2));
    assertThat(config.verify()).isZero();
  }

  @Test
  void theShareOfVerifiedHitsIsFromZeroToOne() {
    assertThat(QueryCacheConfig.builder().verify(1).build().verify()).isEqualTo(1);
    assertThat(QueryCacheConfig.builder().verify(-0.0).build())
        .isEqualTo(QueryCacheConfig.builder().build());
    for (double share : new double[] {-0.01, 1.01, Double.NaN, Double.POSITIVE_INFINITY}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> QueryCacheConfig.builder().verify(share))
          .withMessage(
              "larder.verify is %s; it must be from 0 to 1. For one hit in a hundred set 0.01.",
              share);
    }
  }

  @Test
  void entriesLiveAtMostFiveSecondsUntilTheWritersAreDeclared() {
    Builder builder = QueryCacheConfig.builder().timeToLive(Duration.ofMinutes(1));
    assertThat(builder.build().timeToLive()).contains(Duration.ofSeconds(5));
    assertThat(builder.timeToLive(Duration.ofSeconds(2)).build().timeToLive())
        .contains(Duration.ofSeconds(2));
    builder.writers(Writers.THIS_JVM);
    assertThat(builder.build().timeToLive()).contains(Duration.ofSeconds(2));
    assertThat(QueryCacheConfig.builder().writers(Writers.THIS_JVM).build().timeToLive()).isEmpty();
  }

  @Test
  void theShortestAgeThatMatchesATableCounts() {
    Builder builder =
        QueryCacheConfig.builder()
            .writers(Writers.THIS_JVM)
            .tableTimeToLive(
                Map.of(
                    "audit_*", Duration.ofSeconds(60),
                    "log.*", Duration.ofSeconds(30),
                    "Orders", Duration.ofSeconds(10)));
    QueryCacheConfig config = builder.build();
    assertThat(config.timeToLive("public", "audit_x")).contains(Duration.ofSeconds(60));
    assertThat(config.timeToLive("log", "audit_x")).contains(Duration.ofSeconds(30));
    assertThat(config.timeToLive("public", "orders")).contains(Duration.ofSeconds(10));
    assertThat(config.timeToLive("public", "Orders")).isEmpty();
    assertThat(builder.timeToLive(Duration.ofSeconds(20)).build().timeToLive("log", "audit_x"))
        .contains(Duration.ofSeconds(20));
  }

  @Test
  void coordinationTablesAreExcludedUnlessAskedFor() {
    QueryCacheConfig config = QueryCacheConfig.builder().build();
    for (String table :
        List.of(
            "spring_session",
            "spring_session_attributes",
            "qrtz_triggers",
            "shedlock",
            "int_lock",
            "batch_job_execution",
            "oauth2_authorization",
            "flyway_schema_history",
            "larder_control",
            "databasechangelog",
            "databasechangeloglock")) {
      assertThat(config.excludes("app", table)).as(table).isTrue();
    }
    assertThat(config.excludes("app", "orders")).isFalse();
    assertThat(config.excludedTables()).contains("qrtz_*", "int_lock").doesNotContain("*");

    QueryCacheConfig everything =
        QueryCacheConfig.builder().includedTables(List.of("*", "app.*", "shedlock")).build();
    assertThat(everything.excludes("app", "qrtz_triggers")).isTrue();
    assertThat(everything.excludes("app", "shedlock")).isFalse();
  }

  @Test
  void anExclusionOfTheUserWinsOverAnInclusion() {
    QueryCacheConfig config =
        QueryCacheConfig.builder()
            .includedTables(List.of("orders"))
            .excludedTables(List.of("archive.*"))
            .build();
    assertThat(config.includes("public", "orders")).isTrue();
    assertThat(config.includes("public", "items")).isFalse();
    assertThat(config.excludes("public", "orders")).isFalse();
    assertThat(config.excludes("archive", "orders")).isTrue();
  }

  @Test
  void namesAreFoldedAsPostgresDoes() {
    QueryCacheConfig config =
        QueryCacheConfig.builder()
            .readOnlyFunctions(List.of("Public.Price_Of", "\"Price Of\""))
            .functionWrites(Map.of("Refresh", List.of("Totals", "public.\"Log\""), "g", Set.of()))
            .triggerWrites(Map.of("Orders.Audit", List.of("audit_log")))
            .includedTables(List.of("Public.\"Orders\"", "KILIT_*"))
            .build();
    assertThat(config.readOnlyFunctions()).containsExactly("public.price_of", "Price Of");
    assertThat(config.functionWrites())
        .isEqualTo(Map.of("refresh", Set.of("totals", "public.Log"), "g", Set.of()));
    assertThat(config.triggerWrites()).isEqualTo(Map.of("orders.audit", Set.of("audit_log")));
    assertThat(config.includedTables()).containsExactly("public.\"Orders\"", "kilit_*");
    assertThat(config.includes("public", "Orders")).isTrue();
    assertThat(config.includes("public", "orders")).isFalse();
    assertThat(config.includes("x", "kilit_1")).isTrue();
  }

  @Test
  void starsStandForAnyCharacters() {
    record Case(String pattern, String table, boolean match) {}
    for (Case c :
        List.of(
            new Case("a*", "a", true),
            new Case("a*", "ab.c", true),
            new Case("*a", "aba", true),
            new Case("*a", "ab", false),
            new Case("a*b*c", "axxbxbxc", true),
            new Case("a*b*c", "axxbxbx", false),
            new Case("**", "", true),
            new Case("a", "ab", false),
            new Case("ab", "a", false),
            new Case("\"ab\"", "ab", true),
            new Case("\"ab\"", "a", false))) {
      assertThat(TablePattern.parse("key", c.pattern).matches("s", c.table))
          .as("%s on %s", c.pattern, c.table)
          .isEqualTo(c.match);
    }
  }

  @Test
  void patternsReadBackAsTheyWereWritten() {
    Set<String> patterns = Set.of("public.\"a b\"", "qrtz_*", "\"X\".y");
    QueryCacheConfig config = QueryCacheConfig.builder().includedTables(patterns).build();
    assertThat(config.includedTables()).isEqualTo(patterns);
    assertThat(QueryCacheConfig.builder().includedTables(config.includedTables()).build())
        .isEqualTo(config);
  }

  @Test
  void equalSettingsAreEqualAndEverySettingCounts() {
    List<UnaryOperator<Builder>> changes =
        List.of(
            b -> b.enabled(false),
            b -> b.name("other"),
            b -> b.writers(Writers.THIS_JVM),
            b -> b.mode(Mode.DEMAND),
            b -> b.maxBytes(1 << 20),
            b -> b.maxEntries(7),
            b -> b.maxResultBytes(4096),
            b -> b.maxResultRows(9),
            b -> b.timeToLive(Duration.ofSeconds(1)),
            b -> b.tableTimeToLive(Map.of("t", Duration.ofSeconds(1))),
            b -> b.includedTables(List.of("t")),
            b -> b.excludedTables(List.of("t")),
            b -> b.readOnlyFunctions(List.of("f")),
            b -> b.functionWrites(Map.of("f", List.of("t"))),
            b -> b.triggerWrites(Map.of("f", List.of("t"))),
            b -> b.radar(Radar.REPORT),
            b -> b.radarInterval(Duration.ofSeconds(3)),
            b -> b.unwrap(Unwrap.REFUSE));
    List<QueryCacheConfig> configs =
        changes.stream().map(change -> change.apply(QueryCacheConfig.builder()).build()).toList();
    assertThat(configs).doesNotHaveDuplicates().doesNotContain(QueryCacheConfig.builder().build());
    for (int i = 0; i < changes.size(); i++) {
      QueryCacheConfig again = changes.get(i).apply(QueryCacheConfig.builder()).build();
      assertThat(again).isEqualTo(configs.get(i)).hasSameHashCodeAs(configs.get(i));
    }
  }

  @Test
  void badValuesAreRefusedWithTheKeyTheValueAndTheRule() {
    Builder builder = QueryCacheConfig.builder();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder.maxResultBytes(0))
        .withMessage(
            "larder.maxResultBytes is 0; it must be at least 1024. To switch caching off set "
                + "larder.enabled=false.");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder.maxBytes(65_535))
        .withMessageStartingWith("larder.maxBytes is 65535; it must be at least 65536.");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder.maxEntries(0))
        .withMessageStartingWith("larder.maxEntries is 0; it must be at least 1.");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder.maxResultRows(-1))
        .withMessageStartingWith("larder.maxResultRows is -1; it must be at least 1.");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder.timeToLive(Duration.ZERO))
        .withMessageStartingWith("larder.timeToLive is PT0S; it must be positive.");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder.tableTimeToLive(Map.of("t", Duration.ofSeconds(-1))))
        .withMessageStartingWith("larder.tables.timeToLive is PT-1S; it must be positive.");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder.name("a b"))
        .withMessageStartingWith("larder.name is \"a b\"; it must be 1 to 64 letters");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder.functionWrites(Map.of("f", List.of(), "F", List.of())).build())
        .withMessageContaining("twice");
  }

  @Test
  void badNamesAreRefused() {
    for (String name :
        List.of(
            "", "a.b.c", "a b", "a..b", ".a", "a.", "\"a", "\"a\"b", "\"\"", "\"a.b\"", "f()",
            "t*")) {
      assertThatThrownBy(() -> QueryCacheConfig.builder().readOnlyFunctions(List.of(name)))
          .as(name)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith("larder.functions.readOnly holds \"" + name + "\", which ");
    }
  }

  @Test
  void contradictionsAreRefusedByBuild() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> QueryCacheConfig.builder().maxBytes(65_536).maxResultBytes(65_537).build())
        .withMessageContaining("larder.maxResultBytes is 65537")
        .withMessageContaining("65536");
    assertThat(QueryCacheConfig.builder().maxBytes(65_536).build().maxResultBytes())
        .isEqualTo(65_536);
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                QueryCacheConfig.builder()
                    .readOnlyFunctions(List.of("f"))
                    .functionWrites(Map.of("f", List.of("t")))
                    .build())
        .withMessageContaining("both name f");
  }

  @Test
  void noSettingCanBeChangedAfterwards() {
    QueryCacheConfig config =
        QueryCacheConfig.builder().functionWrites(Map.of("f", List.of("t"))).build();
    assertThatThrownBy(() -> config.functionWrites().clear())
        .isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> config.functionWrites().get("f").clear())
        .isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> config.excludedTables().clear())
        .isInstanceOf(UnsupportedOperationException.class);
  }
}
