package dev.larder.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.CacheOptions;
import dev.larder.Option;
import dev.larder.QueryCacheConfig;
import dev.larder.QueryCacheConfig.Invalidation;
import dev.larder.QueryCacheConfig.Mode;
import dev.larder.QueryCacheConfig.Radar;
import dev.larder.QueryCacheConfig.Unwrap;
import dev.larder.QueryCacheConfig.Writers;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CacheOptionsTest {
  @Test
  void everyOptionReachesTheConfiguration() throws SQLException {
    QueryCacheConfig config =
        config(
            "larder.enabled=off",
            "larder.writers=this-jvm",
            "larder.maxBytes=64MB",
            "larder.maxEntries=1000",
            "larder.maxResultBytes=512kB",
            "larder.maxResultRows=500",
            "larder.timeToLive=5m",
            "larder.mode=demand",
            "larder.tables.include=orders, public.items",
            "larder.tables.exclude=audit_*",
            "larder.tables.timeToLive=orders=30s,audit_*=5m",
            "larder.invalidation=key",
            "larder.tables.invalidation=public.orders = Key,audit_*=table",
            "larder.functions.readOnly=price_of,app.tax",
            "larder.functions.writes=book=orders|public.stock,touch=",
            "larder.triggers.writes=audit_orders=audit_log,orders.audit=audit_log|x",
            "larder.unwrap=refuse",
            "larder.verify=0.01",
            "larder.radar=report",
            "larder.radarInterval=4s",
            "larder.name=shop");
    assertThat(config)
        .isEqualTo(
            QueryCacheConfig.builder()
                .set(CacheOptions.ENABLED, false)
                .set(CacheOptions.WRITERS, Writers.THIS_JVM)
                .set(CacheOptions.MAX_BYTES, 64L << 20)
                .set(CacheOptions.MAX_ENTRIES, 1000L)
                .set(CacheOptions.MAX_RESULT_BYTES, 512L << 10)
                .set(CacheOptions.MAX_RESULT_ROWS, 500L)
                .set(CacheOptions.TIME_TO_LIVE, Duration.ofMinutes(5))
                .set(CacheOptions.MODE, Mode.DEMAND)
                .set(CacheOptions.TABLES_INCLUDE, Set.of("orders", "public.items"))
                .set(CacheOptions.TABLES_EXCLUDE, Set.of("audit_*"))
                .set(
                    CacheOptions.TABLES_TIME_TO_LIVE,
                    Map.of("orders", Duration.ofSeconds(30), "audit_*", Duration.ofMinutes(5)))
                .set(CacheOptions.INVALIDATION, Invalidation.KEY)
                .set(
                    CacheOptions.TABLES_INVALIDATION,
                    Map.of("public.orders", Invalidation.KEY, "audit_*", Invalidation.TABLE))
                .set(CacheOptions.FUNCTIONS_READ_ONLY, Set.of("price_of", "app.tax"))
                .set(
                    CacheOptions.FUNCTIONS_WRITES,
                    Map.of("book", Set.of("orders", "public.stock"), "touch", Set.of()))
                .set(
                    CacheOptions.TRIGGERS_WRITES,
                    Map.of(
                        "audit_orders",
                        Set.of("audit_log"),
                        "orders.audit",
                        Set.of("audit_log", "x")))
                .set(CacheOptions.UNWRAP, Unwrap.REFUSE)
                .set(CacheOptions.VERIFY, 0.01)
                .set(CacheOptions.RADAR, Radar.REPORT)
                .set(CacheOptions.RADAR_INTERVAL, Duration.ofSeconds(4))
                .set(CacheOptions.NAME, "shop")
                .build());
  }

  @Test
  void noOptionMeansEveryDefault() throws SQLException {
    assertThat(config()).isEqualTo(QueryCacheConfig.builder().build());
  }

  @Test
  void everyDefaultThatIsAValueIsTheDefault() throws SQLException {
    for (Option<?> property : CacheOptions.all()) {
      if (!property.defaultText().isEmpty() && !property.defaultText().contains(" ")) {
        assertThat(config(property.key() + '=' + property.defaultText()))
            .as(property.key())
            .isEqualTo(config());
      }
    }
  }

  @Test
  void everyChoiceIsAValue() throws SQLException {
    for (Option<?> property : CacheOptions.all()) {
      for (String choice : property.type().choices()) {
        if (property != CacheOptions.BACKEND || choice.equals("local")) {
          String writers = choice.equals("wal") ? "any" : "this-jvm"; // A feed needs that.
          String set = property.key() + '=' + choice;
          assertThat(config("larder.writers=" + writers, set)).as(choice).isNotNull();
        }
      }
    }
  }

  @Test
  void backendThatIsNotOnTheClassPathIsAnErrorThatNamesItsArtifact() {
    assertThatThrownBy(() -> config("larder.backend=memcached"))
        .hasMessageContaining("larder.backend is memcached")
        .hasMessageContaining("dev.larder:larder-memcached")
        .extracting("SQLState")
        .isEqualTo("22023");
    assertThatThrownBy(() -> config("larder.backend=redis"))
        .hasMessageContaining("larder.backend is \"redis\"")
        .hasMessageContaining("local or memcached");
    assertThatThrownBy(() -> config("larder.memcached.servers=127.0.0.1:11211"))
        .hasMessageContaining("larder.memcached.servers is set, but larder.backend is local");
  }

  @ParameterizedTest
  @CsvSource({
    "larder.warmup.file=, is empty",
    "larder.warmup.file=/, names no file",
    "larder.warmup.queries=0, it must be at least 1",
    "larder.warmup.queries=100001, it must be at most 100000",
    "larder.warmup.queriesPerSecond=fast, a whole number",
    "larder.warmup.interval=10ms, it must be at least 1s",
  })
  void aWarmStartThatCannotBeIsAnErrorThatSaysWhy(String option, String why) {
    assertThatThrownBy(() -> config(option))
        .hasMessageContaining(option.substring(0, option.indexOf('=')))
        .hasMessageContaining(why)
        .extracting("SQLState")
        .isEqualTo("22023");
  }

  @Test
  void anAddressThatMayHoldAPasswordIsNotShown() {
    assertThatThrownBy(() -> config("larder.feed.url=localhost?password=p"))
        .hasMessageContaining(
            "larder.feed.url is \"…\", which does not begin with jdbc:postgresql:; it must be a URL"
                + " jdbc:postgresql:….");
  }

  @Test
  void everyOptionIsFoundByItsNameAlone() {
    assertThat(CacheOptions.all().stream().map(Option::key))
        .doesNotHaveDuplicates()
        .allMatch(key -> key.startsWith("larder."))
        .allMatch(key -> CacheOptions.of(key).orElseThrow().key().equals(key));
    assertThat(CacheOptions.of("larder.Enabled")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "65536,65536",
    "64kB,65536",
    "64KB,65536",
    "64kb,65536",
    "2MB,2097152",
    "2 mb,2097152",
    "1GB,1073741824",
    "70000B,70000",
    "100MB,104857600"
  })
  void sizesHaveUnitsOf1024(String text, long bytes) throws SQLException {
    assertThat(config("larder.maxBytes=" + text).find(CacheOptions.MAX_BYTES)).hasValue(bytes);
  }

  @ParameterizedTest
  @CsvSource({
    "500ms,500",
    "30s,30000",
    "5m,300000",
    "2h,7200000",
    "1d,86400000",
    "PT30S,30000",
    "pt1M,60000",
    "10 s,10000"
  })
  void durationsHaveUnits(String text, long millis) throws SQLException {
    assertThat(
            config("larder.writers=this-jvm", "larder.timeToLive=" + text)
                .find(CacheOptions.TIME_TO_LIVE))
        .contains(Duration.ofMillis(millis));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "larder.enabled=",
        "larder.enabled=maybe",
        "larder.writers=undeclared",
        "larder.writers=everybody",
        "larder.maxBytes=64XB",
        "larder.maxBytes=-1",
        "larder.maxBytes=1.5MB",
        "larder.maxBytes=9999999999999GB",
        "larder.maxBytes=99999999999999999999",
        "larder.maxBytes=1kB",
        "larder.maxEntries=many",
        "larder.maxEntries=0",
        "larder.maxResultBytes=0",
        "larder.maxResultRows=0",
        "larder.timeToLive=30",
        "larder.timeToLive=0s",
        "larder.timeToLive=PT-5S",
        "larder.timeToLive=soon",
        "larder.timeToLive=99999999999999999999d",
        "larder.timeToLive=9223372036854775807d",
        "larder.mode=some",
        "larder.tables.include=a,,b",
        "larder.tables.exclude=a b",
        "larder.tables.timeToLive=orders",
        "larder.tables.timeToLive=orders=",
        "larder.tables.timeToLive=orders=30",
        "larder.tables.timeToLive=orders=30s,orders=40s",
        "larder.tables.invalidation=orders",
        "larder.tables.invalidation=orders=row",
        "larder.tables.invalidation=orders=key,orders=table",
        "larder.functions.readOnly=f()",
        "larder.functions.writes=f",
        "larder.functions.writes=f=a,f=b",
        "larder.functions.writes=f=a||b",
        "larder.triggers.writes==a",
        "larder.triggers.writes=a.b.c=x",
        "larder.unwrap=never",
        "larder.verify=-0.1",
        "larder.verify=NaN",
        "larder.verify=1%25",
        "larder.verify=1.5",
        "larder.radar=loud",
        "larder.radarInterval=1s",
        "larder.name=",
        "larder.name=a b"
      })
  void aBadValueIsAnErrorThatNamesOptionValueAndRule(String option) {
    String key = option.substring(0, option.indexOf('='));
    String value = option.substring(option.indexOf('=') + 1);
    assertThatThrownBy(() -> config(option))
        .isInstanceOf(SQLException.class)
        .hasMessageStartingWith("LRD-040 " + key)
        .extracting(Throwable::getMessage, InstanceOfAssertFactories.STRING)
        .satisfiesAnyOf(
            message -> assertThat(message).contains("is \"" + value + "\"").contains("must be"),
            message -> assertThat(message).contains("must be at least"),
            message -> assertThat(message).contains("must be positive"),
            message -> assertThat(message).contains("must be from 0 to 1"),
            message -> assertThat(message).contains("a name is written"));
    assertThatThrownBy(() -> config(option)).extracting("SQLState").isEqualTo("22023");
  }

  @Test
  void messagesAreSentences() {
    assertThatThrownBy(() -> config("larder.timeToLive=30"))
        .hasMessage(
            "LRD-040 larder.timeToLive is \"30\", which has no unit; it must be a duration: a"
                + " positive whole number with the unit ms, s, m, h or d, such as 30s, or as in ISO"
                + " 8601, such as PT30S.");
    assertThatThrownBy(() -> config("larder.mode=some"))
        .hasMessage("LRD-040 larder.mode is \"some\"; it must be all, demand or observe.");
  }

  @ParameterizedTest
  @CsvSource({
    "larder.enable,larder.enabled",
    "larder.Enabled,larder.enabled",
    "LARDER.MODE,larder.mode",
    "larder.maxbyte,larder.maxBytes",
    "larder.time-to-live,larder.timeToLive",
    "larder.table.exclude,larder.tables.exclude",
    "larder.trigger.write,larder.triggers.writes"
  })
  void anUnknownOptionIsAnErrorThatNamesTheNearest(String name, String nearest) {
    assertThatThrownBy(() -> config(name + "=secret"))
        .isInstanceOf(SQLException.class)
        .hasMessage(
            "LRD-040 There is no option %s. Did you mean %s? docs/configuration.md lists them all.",
            name, nearest)
        .extracting("SQLState")
        .isEqualTo("22023");
  }

  @Test
  void namesInDoubleQuotesMayHoldSeparators() throws SQLException {
    QueryCacheConfig config =
        config("larder.tables.exclude=\"A,b\",c", "larder.functions.writes=\"F=,\"=\"x|y\"|z");
    assertThat(config.tables().excludes("public.A,b")).isTrue();
    assertThat(config.get(CacheOptions.FUNCTIONS_WRITES))
        .isEqualTo(Map.of("F=,", Set.of("x|y", "z")));
  }

  @Test
  void textIsReadAlikeInEveryLocale() throws SQLException {
    Locale before = Locale.getDefault();
    try {
      Locale.setDefault(new Locale("tr", "TR"));
      assertThat(config("larder.writers=THIS-JVM", "larder.maxBytes=1MB").get(CacheOptions.WRITERS))
          .isEqualTo(Writers.THIS_JVM);
      assertThat(config("larder.timeToLive=5M").find(CacheOptions.TIME_TO_LIVE)).isPresent();
      assertThat(config("larder.tables.exclude=TITLE").tables().excludes("public.title")).isTrue();
    } finally {
      Locale.setDefault(before);
    }
  }

  @Test
  void memcachedWithoutItsBackendIsAnErrorThatSaysSo() throws SQLException {
    QueryCacheConfig config = config("larder.writers=memcached");
    assertThatThrownBy(() -> ConnectionWrapper.check(config))
        .isInstanceOf(SQLException.class)
        .hasMessageContaining("larder.writers is memcached")
        .hasMessageContaining("not on the class path")
        .extracting("SQLState")
        .isEqualTo("22023");
  }

  private static QueryCacheConfig config(String... options) throws SQLException {
    Properties properties = new Properties();
    for (String option : options) {
      int equals = option.indexOf('=');
      properties.setProperty(option.substring(0, equals), option.substring(equals + 1));
    }
    return LarderOptions.of("jdbc:postgresql:db", properties).config();
  }
}
