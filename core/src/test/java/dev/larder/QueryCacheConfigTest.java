package dev.larder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.QueryCacheConfig.Builder;
import dev.larder.QueryCacheConfig.Invalidation;
import dev.larder.QueryCacheConfig.Mode;
import dev.larder.QueryCacheConfig.Radar;
import dev.larder.QueryCacheConfig.Unwrap;
import dev.larder.QueryCacheConfig.Writers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("each-jdk")
class QueryCacheConfigTest {
  @Test
  void defaultsAreThoseOfTheDesign() {
    QueryCacheConfig config = QueryCacheConfig.builder().build();
    assertThat(config.get(CacheOptions.ENABLED)).isTrue();
    assertThat(config.get(CacheOptions.NAME)).isEqualTo("default");
    assertThat(config.get(CacheOptions.WRITERS)).isEqualTo(Writers.UNDECLARED);
    assertThat(config.get(CacheOptions.MODE)).isEqualTo(Mode.ALL);
    assertThat(config.find(CacheOptions.MAX_BYTES)).isEmpty();
    assertThat(config.find(CacheOptions.MAX_ENTRIES)).isEmpty();
    assertThat(config.get(CacheOptions.MAX_RESULT_BYTES)).isEqualTo(524_288);
    assertThat(config.find(CacheOptions.MAX_RESULT_ROWS)).isEmpty();
    assertThat(config.find(CacheOptions.TIME_TO_LIVE)).contains(Duration.ofSeconds(5));
    assertThat(config.get(CacheOptions.UNWRAP)).isEqualTo(Unwrap.UNCACHED);
    assertThat(config.get(CacheOptions.RADAR)).isEqualTo(Radar.LIMIT);
    assertThat(config.get(CacheOptions.RADAR_INTERVAL)).isEqualTo(Duration.ofSeconds(2));
    assertThat(config.get(CacheOptions.VERIFY)).isZero();
  }

  @Test
  void theShareOfVerifiedHitsIsFromZeroToOne() {
    assertThat(
            QueryCacheConfig.builder()
                .set(CacheOptions.VERIFY, 1.0)
                .build()
                .get(CacheOptions.VERIFY))
        .isEqualTo(1);
    assertThat(QueryCacheConfig.builder().set(CacheOptions.VERIFY, -0.0).build())
        .isEqualTo(QueryCacheConfig.builder().build());
    for (double share : new double[] {-0.01, 1.01, Double.NaN, Double.POSITIVE_INFINITY}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> QueryCacheConfig.builder().set(CacheOptions.VERIFY, share))
          .withMessage(
              "larder.verify is %s; it must be from 0 to 1. For one hit in a hundred set 0.01.",
              share);
    }
  }

  @Test
  void entriesLiveAtMostFiveSecondsUntilTheWritersAreDeclared() {
    Builder builder =
        QueryCacheConfig.builder().set(CacheOptions.TIME_TO_LIVE, Duration.ofMinutes(1));
    assertThat(builder.build().find(CacheOptions.TIME_TO_LIVE)).contains(Duration.ofSeconds(5));
    assertThat(
            builder
                .set(CacheOptions.TIME_TO_LIVE, Duration.ofSeconds(2))
                .build()
                .find(CacheOptions.TIME_TO_LIVE))
        .contains(Duration.ofSeconds(2));
    builder.set(CacheOptions.WRITERS, Writers.THIS_JVM);
    assertThat(builder.build().find(CacheOptions.TIME_TO_LIVE)).contains(Duration.ofSeconds(2));
    assertThat(
            QueryCacheConfig.builder()
                .set(CacheOptions.WRITERS, Writers.THIS_JVM)
                .build()
                .find(CacheOptions.TIME_TO_LIVE))
        .isEmpty();
  }

  @Test
  void theShortestAgeThatMatchesATableCounts() {
    QueryCacheConfig config =
        QueryCacheConfig.builder()
            .set(
                CacheOptions.TABLES_TIME_TO_LIVE,
                Map.of(
                    "audit_*", Duration.ofSeconds(60),
                    "log.*", Duration.ofSeconds(30),
                    "Orders", Duration.ofSeconds(10)))
            .build();
    assertThat(config.tables().timeToLive("public.audit_x")).contains(Duration.ofSeconds(60));
    assertThat(config.tables().timeToLive("log.audit_x")).contains(Duration.ofSeconds(30));
    assertThat(config.tables().timeToLive("public.orders")).contains(Duration.ofSeconds(10));
    assertThat(config.tables().timeToLive("public.Orders")).isEmpty();
  }

  @Test
  void ofPatternsThatDisagreeTheWholeTableWins() {
    TableRules tables =
        QueryCacheConfig.builder()
            .set(CacheOptions.INVALIDATION, Invalidation.KEY)
            .set(
                CacheOptions.TABLES_INVALIDATION,
                Map.of(
                    "audit_*", Invalidation.TABLE,
                    "audit_log", Invalidation.KEY,
                    "log.*", Invalidation.KEY))
            .build()
            .tables()
            .excluding(Set.of("x"))
            .limiting("y", Duration.ofSeconds(1));
    assertThat(tables.invalidation("public.orders")).isEqualTo(Invalidation.KEY);
    assertThat(tables.invalidation("public.audit_log")).isEqualTo(Invalidation.TABLE);
    assertThat(tables.invalidation("log.orders")).isEqualTo(Invalidation.KEY);
  }

  @Test
  void aSingleTableMayBeInvalidatedByKey() {
    Builder builder = QueryCacheConfig.builder().set(CacheOptions.INVALIDATION, Invalidation.TABLE);
    assertThat(builder.build().tables().mayInvalidateByKey()).isFalse();
    builder.set(CacheOptions.TABLES_INVALIDATION, Map.of("orders", Invalidation.KEY));
    TableRules tables = builder.build().tables();
    assertThat(tables.mayInvalidateByKey()).isTrue();
    assertThat(tables.invalidation("public.orders")).isEqualTo(Invalidation.KEY);
    assertThat(tables.invalidation("public.item")).isEqualTo(Invalidation.TABLE);
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
            "databasechangeloglock",
            "scheduled_tasks",
            "jobrunr_backgroundjobservers",
            "jgroupsping",
            "jgroups_ping",
            "act_ru_job",
            "act_ru_timer_job",
            "act_ru_ext_task",
            "act_ge_property",
            "token_entry",
            "int_channel_message",
            "batch_job_instance",
            "batch_job_execution_params",
            "batch_step_execution_context")) {
      assertThat(config.tables().excludes("app." + table)).as(table).isTrue();
    }
    for (String table :
        List.of("orders", "batch_numbers", "batch_jobs", "oauth2_clients", "act_ru_task")) {
      assertThat(config.tables().excludes("app." + table)).as(table).isFalse();
    }
    assertThat(config.tables().excluded()).contains("qrtz_*", "int_lock").doesNotContain("*");

    QueryCacheConfig everything =
        QueryCacheConfig.builder()
            .set(CacheOptions.TABLES_INCLUDE, Set.of("*", "app.*", "shedlock"))
            .build();
    assertThat(everything.tables().excludes("app.qrtz_triggers")).isTrue();
    assertThat(everything.tables().excludes("app.shedlock")).isFalse();
  }

  @Test
  void anExclusionOfTheUserWinsOverAnInclusion() {
    QueryCacheConfig config =
        QueryCacheConfig.builder()
            .set(CacheOptions.TABLES_INCLUDE, Set.of("orders"))
            .set(CacheOptions.TABLES_EXCLUDE, Set.of("archive.*"))
            .build();
    assertThat(config.tables().includes("public.orders")).isTrue();
    assertThat(config.tables().includes("public.items")).isFalse();
    assertThat(config.tables().excludes("public.orders")).isFalse();
    assertThat(config.tables().excludes("archive.orders")).isTrue();
  }

  @Test
  void namesAreFoldedAsPostgresDoes() {
    QueryCacheConfig config =
        QueryCacheConfig.builder()
            .set(CacheOptions.FUNCTIONS_READ_ONLY, Set.of("Public.Price_Of", "\"Price Of\""))
            .set(
                CacheOptions.FUNCTIONS_WRITES,
                Map.of("Refresh", Set.of("Totals", "public.\"Log\""), "g", Set.of()))
            .set(CacheOptions.TRIGGERS_WRITES, Map.of("Orders.Audit", Set.of("audit_log")))
            .set(CacheOptions.TABLES_INCLUDE, Set.of("Public.\"Orders\"", "KILIT_*"))
            .build();
    assertThat(config.get(CacheOptions.FUNCTIONS_READ_ONLY))
        .containsExactlyInAnyOrder("public.price_of", "Price Of");
    assertThat(config.get(CacheOptions.FUNCTIONS_WRITES))
        .isEqualTo(Map.of("refresh", Set.of("totals", "public.Log"), "g", Set.of()));
    assertThat(config.get(CacheOptions.TRIGGERS_WRITES))
        .isEqualTo(Map.of("orders.audit", Set.of("audit_log")));
    assertThat(config.get(CacheOptions.TABLES_INCLUDE))
        .containsExactlyInAnyOrder("public.\"Orders\"", "kilit_*");
    assertThat(config.tables().includes("public.Orders")).isTrue();
    assertThat(config.tables().includes("public.orders")).isFalse();
    assertThat(config.tables().includes("x.kilit_1")).isTrue();
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
      assertThat(TablePattern.parse("key", c.pattern).matches("s." + c.table))
          .as("%s on %s", c.pattern, c.table)
          .isEqualTo(c.match);
    }
  }

  @Test
  void patternsReadBackAsTheyWereWritten() {
    Set<String> patterns = Set.of("public.\"a b\"", "qrtz_*", "\"X\".y");
    QueryCacheConfig config =
        QueryCacheConfig.builder().set(CacheOptions.TABLES_INCLUDE, patterns).build();
    assertThat(config.get(CacheOptions.TABLES_INCLUDE)).isEqualTo(patterns);
    assertThat(
            QueryCacheConfig.builder()
                .set(CacheOptions.TABLES_INCLUDE, config.get(CacheOptions.TABLES_INCLUDE))
                .build())
        .isEqualTo(config);
  }

  @Test
  void equalSettingsAreEqualAndEverySettingCounts() {
    List<UnaryOperator<Builder>> changes =
        List.of(
            b -> b.set(CacheOptions.ENABLED, false),
            b -> b.set(CacheOptions.NAME, "other"),
            b -> b.set(CacheOptions.WRITERS, Writers.THIS_JVM),
            b -> b.set(CacheOptions.MODE, Mode.DEMAND),
            b -> b.set(CacheOptions.MAX_BYTES, 1L << 20),
            b -> b.set(CacheOptions.MAX_ENTRIES, 7L),
            b -> b.set(CacheOptions.MAX_RESULT_BYTES, 4096L),
            b -> b.set(CacheOptions.MAX_RESULT_ROWS, 9L),
            b -> b.set(CacheOptions.TIME_TO_LIVE, Duration.ofSeconds(1)),
            b -> b.set(CacheOptions.TABLES_TIME_TO_LIVE, Map.of("t", Duration.ofSeconds(1))),
            b -> b.set(CacheOptions.TABLES_STALENESS, Map.of("t", Duration.ofSeconds(1))),
            b -> b.set(CacheOptions.INVALIDATION, Invalidation.TABLE),
            b -> b.set(CacheOptions.TABLES_INVALIDATION, Map.of("t", Invalidation.KEY)),
            b -> b.set(CacheOptions.TABLES_INCLUDE, Set.of("t")),
            b -> b.set(CacheOptions.TABLES_EXCLUDE, Set.of("t")),
            b -> b.set(CacheOptions.FUNCTIONS_READ_ONLY, Set.of("f")),
            b -> b.set(CacheOptions.FUNCTIONS_WRITES, Map.of("f", Set.of("t"))),
            b -> b.set(CacheOptions.TRIGGERS_WRITES, Map.of("f", Set.of("t"))),
            b -> b.set(CacheOptions.RADAR, Radar.REPORT),
            b -> b.set(CacheOptions.RADAR_INTERVAL, Duration.ofSeconds(3)),
            b -> b.set(CacheOptions.UNWRAP, Unwrap.REFUSE));
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
        .isThrownBy(() -> builder.set(CacheOptions.MAX_RESULT_BYTES, 0L))
        .withMessage(
            "larder.maxResultBytes is 0; it must be at least 1024. To switch caching off set "
                + "larder.enabled=false.");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder.set(CacheOptions.MAX_BYTES, 65_535L))
        .withMessageStartingWith("larder.maxBytes is 65535; it must be at least 65536.");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder.set(CacheOptions.MAX_ENTRIES, 0L))
        .withMessageStartingWith("larder.maxEntries is 0; it must be at least 1.");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder.set(CacheOptions.MAX_RESULT_ROWS, -1L))
        .withMessageStartingWith("larder.maxResultRows is -1; it must be at least 1.");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder.set(CacheOptions.TIME_TO_LIVE, Duration.ZERO))
        .withMessageStartingWith("larder.timeToLive is PT0S; it must be positive.");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                builder.set(CacheOptions.TABLES_TIME_TO_LIVE, Map.of("t", Duration.ofSeconds(-1))))
        .withMessageStartingWith("larder.tables.timeToLive is PT-1S; it must be positive.");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder.set(CacheOptions.NAME, "a b"))
        .withMessageStartingWith("larder.name is \"a b\"; it must be 1 to 64 letters");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> builder.set(CacheOptions.FUNCTIONS_WRITES, Map.of("f", Set.of(), "F", Set.of())))
        .withMessageContaining("twice");
  }

  @Test
  void badNamesAreRefused() {
    for (String name :
        List.of(
            "", "a.b.c", "a b", "a..b", ".a", "a.", "\"a", "\"a\"b", "\"\"", "\"a.b\"", "f()",
            "t*")) {
      assertThatThrownBy(
              () -> QueryCacheConfig.builder().set(CacheOptions.FUNCTIONS_READ_ONLY, Set.of(name)))
          .as(name)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith("larder.functions.readOnly holds \"" + name + "\", which ");
    }
  }

  @Test
  void contradictionsAreRefusedByBuild() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                QueryCacheConfig.builder()
                    .set(CacheOptions.MAX_BYTES, 65_536L)
                    .set(CacheOptions.MAX_RESULT_BYTES, 65_537L)
                    .build())
        .withMessageContaining("larder.maxResultBytes is 65537")
        .withMessageContaining("65536");
    assertThat(
            QueryCacheConfig.builder()
                .set(CacheOptions.MAX_BYTES, 65_536L)
                .build()
                .get(CacheOptions.MAX_RESULT_BYTES))
        .isEqualTo(65_536);
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                QueryCacheConfig.builder()
                    .set(CacheOptions.FUNCTIONS_READ_ONLY, Set.of("f"))
                    .set(CacheOptions.FUNCTIONS_WRITES, Map.of("f", Set.of("t")))
                    .build())
        .withMessageContaining("both name f");
  }

  @Test
  void noSettingCanBeChangedAfterwards() {
    QueryCacheConfig config =
        QueryCacheConfig.builder()
            .set(CacheOptions.FUNCTIONS_WRITES, Map.of("f", Set.of("t")))
            .build();
    assertThatThrownBy(() -> config.get(CacheOptions.FUNCTIONS_WRITES).clear())
        .isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> config.get(CacheOptions.FUNCTIONS_WRITES).get("f").clear())
        .isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> config.tables().excluded().clear())
        .isInstanceOf(UnsupportedOperationException.class);
  }
}
