package dev.larder.spring;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.larder.CacheOptions;
import dev.larder.Option;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Locale;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** What the properties make of the URL of Spring Boot's own pool. */
class LarderPropertiesTest {
  private static final String LARDER = "jdbc:larder:postgresql://db.invalid/shop";
  private static final String PLAIN = "jdbc:postgresql://db.invalid/shop";

  private static ApplicationContextRunner with(String url, String... properties) {
    return Boot.withDataSource()
        .withPropertyValues("spring.datasource.url=" + url)
        .withPropertyValues(properties);
  }

  private static void assertUrl(ApplicationContextRunner application, String url) {
    application.run(
        context -> assertThat(context.getBean(HikariDataSource.class).getJdbcUrl()).isEqualTo(url));
  }

  private static void assertFailure(
      ApplicationContextRunner application, Consumer<InvalidLarderPropertyException> says) {
    application.run(
        context -> {
          assertThat(context).hasFailed();
          Throwable failure = context.getStartupFailure();
          while (failure != null && !(failure instanceof InvalidLarderPropertyException)) {
            failure = failure.getCause();
          }
          assertThat(failure).isInstanceOfSatisfying(InvalidLarderPropertyException.class, says);
        });
  }

  @Test
  void nothingIsPutBelowAnOrdinaryUrlUnasked() {
    assertUrl(with(PLAIN), PLAIN);
    assertUrl(with(PLAIN, "larder.enabled=false", "larder.writers=this-jvm"), PLAIN);
  }

  @Test
  void enabledPutsLarderBelowAnOrdinaryUrl() {
    with(PLAIN, "larder.enabled=true")
        .run(
            context -> {
              HikariDataSource pool = context.getBean(HikariDataSource.class);
              assertThat(pool.getJdbcUrl()).isEqualTo(LARDER);
              assertThat(pool.getDriverClassName()).isEqualTo(LarderUrl.DRIVER_CLASS);
            });
  }

  @Test
  void disabledLeavesLardersUrlButStartsSwitchedOff() {
    assertUrl(with(LARDER, "larder.enabled=false"), LARDER + "?larder.enabled=false");
  }

  @Test
  void everyOptionReachesTheDriver() {
    assertUrl(
        with(
            LARDER,
            "larder.writers=this-jvm",
            "larder.mode=demand",
            "larder.max-bytes=32MB",
            "larder.max-entries=1000",
            "larder.max-result-bytes=64KB",
            "larder.max-result-rows=50",
            "larder.time-to-live=90s",
            "larder.unwrap=refuse",
            "larder.verify=0.01",
            "larder.radar=bypass",
            "larder.radar-interval=3s",
            "larder.name=shop",
            "larder.tables.include=book,shelf",
            "larder.tables.exclude=audit_*",
            "larder.tables.time-to-live=book=30s,order_item=1m",
            "larder.functions.read-only=price_of",
            "larder.functions.writes=sell=orders|stock",
            "larder.triggers.writes=set_updated_at="),
        LARDER
            + "?larder.functions.readOnly=price_of"
            + "&larder.functions.writes=sell%3Dorders%7Cstock"
            + "&larder.maxBytes=32MB"
            + "&larder.maxEntries=1000"
            + "&larder.maxResultBytes=64KB"
            + "&larder.maxResultRows=50"
            + "&larder.mode=demand"
            + "&larder.name=shop"
            + "&larder.radar=bypass"
            + "&larder.radarInterval=3s"
            + "&larder.tables.exclude=audit_*"
            + "&larder.tables.include=book%2Cshelf"
            + "&larder.tables.timeToLive=book%3D30s%2Corder_item%3D1m"
            + "&larder.timeToLive=90s"
            + "&larder.triggers.writes=set_updated_at%3D"
            + "&larder.unwrap=refuse"
            + "&larder.verify=0.01"
            + "&larder.writers=this-jvm");
  }

  @Test
  void optionOfABackendThatIsNotChosenStopsTheApplication() {
    assertFailure(
        with(LARDER, "larder.memcached.on-unreachable=failCommit"),
        failure ->
            assertThat(failure)
                .hasMessageContaining("larder.memcached.onunreachable")
                .hasMessageContaining("larder.backend is local"));
  }

  @Test
  void everyOptionOfTheDriverIsAPropertyThatAnEditorKnows() throws IOException {
    StringBuilder metadata = new StringBuilder();
    for (URL url :
        Collections.list(
            getClass()
                .getClassLoader()
                .getResources("META-INF/spring-configuration-metadata.json"))) {
      try (InputStream in = url.openStream()) {
        metadata.append(new String(in.readAllBytes(), StandardCharsets.UTF_8));
      }
    }
    for (Option<?> option : CacheOptions.all()) {
      String property = option.key().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
      assertThat(metadata).contains("\"name\": \"" + property + '"');
    }
  }

  @Test
  void theOptionsOfAFeedAreCheckedTogether() {
    with(LARDER, "larder.feed=wal", "larder.writers=any", "larder.feed.max-lag=2s")
        .run(context -> assertThat(context).hasNotFailed());
    with(LARDER, "larder.feed=wal", "larder.feed.position=cookie")
        .run(
            context ->
                assertThat(context.getStartupFailure())
                    .rootCause()
                    .hasMessageContaining("set larder.writers=any"));
    with(LARDER, "larder.feed=wal", "larder.writers=any", "larder.feed.max-lag=10ms")
        .run(
            context ->
                assertThat(context.getStartupFailure())
                    .rootCause()
                    .hasMessageContaining("larder.feed.askInterval is 250ms"));
    with(LARDER, "larder.feed.max-lag=soon")
        .run(
            context ->
                assertThat(context.getStartupFailure())
                    .rootCause()
                    .hasMessageContaining("larder.feed.maxLag is \"soon\""));
  }

  @Test
  void optionsOfOneDataSourceWin() {
    assertUrl(
        with(
            LARDER,
            "larder.writers=this-jvm",
            "larder.mode=all",
            "larder.data-sources.overrides.data-source.mode=demand"),
        LARDER + "?larder.mode=demand&larder.writers=this-jvm");
  }

  @Test
  void excludedDataSourceIsNotCachedButItsWritesAreSeen() {
    assertUrl(
        with(PLAIN, "larder.enabled=true", "larder.data-sources.exclude=data*"),
        LARDER + "?larder.enabled=false");
    assertUrl(
        with(PLAIN, "larder.enabled=true", "larder.data-sources.include=orders*"),
        LARDER + "?larder.enabled=false");
  }

  @Test
  void aBadValueIsNamedAsItIsWrittenInTheProperties() {
    assertFailure(
        with(LARDER, "larder.max-bytes=1KB"),
        failure -> {
          assertThat(failure.property()).isEqualTo("larder.max-bytes");
          assertThat(failure).hasMessageContaining("larder.maxBytes is 1024");
        });
    assertFailure(
        with(LARDER, "larder.data-sources.overrides.dataSource.time-to-live=-1s"),
        failure ->
            assertThat(failure.property())
                .isEqualTo("larder.data-sources.overrides.dataSource.time-to-live"));
    assertFailure(
        with(LARDER, "larder.tables.time-to-live=book"),
        failure -> assertThat(failure.property()).isEqualTo("larder.tables.time-to-live"));
    assertFailure(
        with(LARDER, "larder.max-bytes=64KB", "larder.max-result-bytes=1MB"),
        failure -> assertThat(failure.property()).isEqualTo("larder.max-result-bytes"));
  }

  @Test
  void aNameOfNoDataSourceIsRefused() {
    assertFailure(
        with(LARDER, "larder.data-sources.overrides.orders.mode=demand"),
        failure -> {
          assertThat(failure.property()).isEqualTo("larder.data-sources.overrides.orders");
          assertThat(failure.action()).contains("dataSource");
        });
    assertFailure(
        with(LARDER, "larder.data-sources.exclude=orders"),
        failure -> assertThat(failure.property()).isEqualTo("larder.data-sources.exclude"));
  }

  @Test
  void anUnknownPropertyIsRefused() {
    with(LARDER, "larder.time-to-life=5s")
        .run(
            context ->
                assertThat(context)
                    .getFailure()
                    .rootCause()
                    .hasMessageContaining("larder.time-to-life"));
  }

  @Test
  void aFailedStartSaysWhatToDo() {
    FailureAnalysis analysis =
        new InvalidLarderPropertyFailureAnalyzer()
            .analyze(
                new IllegalStateException(
                    new InvalidLarderPropertyException("larder.name", "it is empty.", "Name it.")));
    assertThat(analysis.getDescription())
        .isEqualTo("The property larder.name is not valid: it is empty.");
    assertThat(analysis.getAction()).isEqualTo("Name it.");
  }

  @Test
  void theDriverBelowGivesWayToLardersAndAnyOtherIsKept() {
    with(LARDER, "spring.datasource.driver-class-name=org.postgresql.Driver")
        .run(
            context ->
                assertThat(context.getBean(HikariDataSource.class).getDriverClassName())
                    .isEqualTo(LarderUrl.DRIVER_CLASS));
    with(LARDER, "spring.datasource.driver-class-name=" + OtherDriver.class.getName())
        .run(
            context ->
                assertThat(context.getBean(HikariDataSource.class).getDriverClassName())
                    .isEqualTo(OtherDriver.class.getName()));
  }

  /** A driver of the application's own. */
  public static class OtherDriver extends org.postgresql.Driver {}

  @Test
  void theStarterStandsBackWithoutTheDriver() {
    with(PLAIN)
        .withClassLoader(
            new org.springframework.boot.test.context.FilteredClassLoader(
                dev.larder.jdbc.LarderDriver.class))
        .run(context -> assertThat(context).doesNotHaveBean(LarderSettings.class));
  }
}
