package dev.larder.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.jdbc.LarderDriver;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.observation.ObservationRegistry;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.TypeReference;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.web.filter.OncePerRequestFilter;
import org.springframework.web.servlet.function.RouterFunction;

/** What is there, and when. */
@Tag("each-boot")
class ConditionsTest {
  private static final String HEALTH = "larderHealthIndicator";

  private static ApplicationContextRunner everything() {
    return new ApplicationContextRunner()
        .withConfiguration(
            AutoConfigurations.of(
                LarderAutoConfiguration.class,
                LarderEndpointAutoConfiguration.class,
                LarderMetricsAutoConfiguration.class,
                LarderHealthAutoConfiguration.class,
                LarderHealth4AutoConfiguration.class));
  }

  @Test
  void metersAreThereWithMicrometer() {
    everything().run(context -> assertThat(context).hasSingleBean(CacheMeters.class));
    everything()
        .withClassLoader(new FilteredClassLoader(MeterBinder.class))
        .run(context -> assertThat(context).doesNotHaveBean("larderCacheMeters"));
  }

  @Test
  void endpointIsThereWhereItIsExposed() {
    everything().run(context -> assertThat(context).doesNotHaveBean(LarderEndpoint.class));
    everything()
        .withPropertyValues("management.endpoints.web.exposure.include=larder")
        .run(context -> assertThat(context).hasSingleBean(LarderEndpoint.class));
    everything()
        .withPropertyValues(
            "management.endpoints.web.exposure.include=larder",
            "management.endpoint.larder.access=NONE")
        .run(context -> assertThat(context).doesNotHaveBean(LarderEndpoint.class));
    everything()
        .withPropertyValues("management.endpoints.web.exposure.include=larder")
        .withClassLoader(new FilteredClassLoader(Endpoint.class.getPackageName()))
        .run(context -> assertThat(context).hasNotFailed());
  }

  @Test
  void healthIsThereUntilItIsSwitchedOff() {
    everything().run(context -> assertThat(context).hasBean(HEALTH));
    everything()
        .withPropertyValues("management.health.larder.enabled=false")
        .run(context -> assertThat(context).doesNotHaveBean(HEALTH));
    everything()
        .withPropertyValues("management.health.defaults.enabled=false")
        .run(context -> assertThat(context).doesNotHaveBean(HEALTH));
  }

  @Test
  void consoleIsThereWhereSpringMvcIsAndItIsWanted() {
    WebApplicationContextRunner web =
        new WebApplicationContextRunner()
            .withConfiguration(
                AutoConfigurations.of(
                    LarderAutoConfiguration.class, LarderConsoleAutoConfiguration.class));
    web.run(context -> assertThat(context).doesNotHaveBean("larderConsole"));
    web.withPropertyValues("larder.console.enabled=false")
        .run(context -> assertThat(context).doesNotHaveBean("larderConsole"));
    web.withPropertyValues("larder.console.enabled=true")
        .run(context -> assertThat(context).hasBean("larderConsole"));
    web.withPropertyValues("larder.console.enabled=true")
        .withClassLoader(new FilteredClassLoader("org.springframework.security"))
        .run(context -> assertThat(context).hasBean("larderConsole"));
    web.withPropertyValues("larder.console.enabled=true")
        .withClassLoader(new FilteredClassLoader(RouterFunction.class))
        .run(context -> assertThat(context).doesNotHaveBean("larderConsole"));
    new ApplicationContextRunner()
        .withConfiguration(
            AutoConfigurations.of(
                LarderAutoConfiguration.class, LarderConsoleAutoConfiguration.class))
        .withPropertyValues("larder.console.enabled=true")
        .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean("larderConsole"));
  }

  @Test
  void positionsAreCarriedWhereThatIsWanted() {
    WebApplicationContextRunner web =
        new WebApplicationContextRunner()
            .withConfiguration(
                AutoConfigurations.of(
                    LarderAutoConfiguration.class, LarderPositionAutoConfiguration.class));
    web.run(context -> assertThat(context).doesNotHaveBean(PositionFilter.class));
    for (String off : new String[] {"off", "OFF", "false"}) {
      web.withPropertyValues("larder.feed.position=" + off)
          .run(context -> assertThat(context).doesNotHaveBean(PositionFilter.class));
    }
    web.withPropertyValues("larder.feed.position=Cookie")
        .run(context -> assertThat(context).hasSingleBean(PositionFilter.class));
    web.withPropertyValues("larder.feed.position=url")
        .run(
            context ->
                assertThat(context.getStartupFailure())
                    .rootCause()
                    .hasMessageContaining("it must be off, header, cookie"));
    web.withPropertyValues("larder.feed.position=header")
        .withClassLoader(new FilteredClassLoader(OncePerRequestFilter.class))
        .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean("larderPositionFilter"));
    new ApplicationContextRunner()
        .withConfiguration(
            AutoConfigurations.of(
                LarderAutoConfiguration.class, LarderPositionAutoConfiguration.class))
        .withPropertyValues("larder.feed.position=header")
        .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean("larderPositionFilter"));
  }

  @Test
  void hitsAreMarkedWhereThatIsWanted() {
    ApplicationContextRunner traced =
        new ApplicationContextRunner()
            .withConfiguration(
                AutoConfigurations.of(
                    LarderAutoConfiguration.class, LarderTracingAutoConfiguration.class))
            .withBean(ObservationRegistry.class, ObservationRegistry::create);
    traced.run(context -> assertThat(context).doesNotHaveBean(HitEvents.class));
    traced
        .withPropertyValues("larder.tracing.enabled=true")
        .run(context -> assertThat(context).hasSingleBean(HitEvents.class));
    traced
        .withPropertyValues("larder.tracing.enabled=true")
        .withClassLoader(new FilteredClassLoader(ObservationRegistry.class))
        .run(context -> assertThat(context).doesNotHaveBean("larderHitEvents"));
  }

  @Test
  void nothingIsThereWithoutTheDriver() {
    everything()
        .withPropertyValues("management.endpoints.web.exposure.include=larder")
        .withClassLoader(new FilteredClassLoader(LarderDriver.class))
        .run(
            context ->
                assertThat(context.getBeanDefinitionNames())
                    .noneMatch(name -> name.startsWith("larder") && !name.equals(HEALTH)));
  }

  @Test
  void startsWithoutPoolsFlywayAndLiquibase() {
    everything()
        .withClassLoader(
            new FilteredClassLoader(
                "com.zaxxer.hikari",
                "org.apache.tomcat.jdbc",
                "org.apache.commons.dbcp2",
                "org.flywaydb",
                "liquibase",
                "org.springframework.jdbc"))
        .withPropertyValues("larder.enabled=true")
        .run(context -> assertThat(context).hasNotFailed().hasSingleBean(LarderSettings.class));
  }

  @Test
  void aNativeImageKeepsWhatIsReachedByName() {
    RuntimeHints hints = new RuntimeHints();
    new LarderRuntimeHints().registerHints(hints, getClass().getClassLoader());
    assertThat(RuntimeHintsPredicates.reflection().onType(LarderDriver.class)).accepts(hints);
    assertThat(
            RuntimeHintsPredicates.reflection()
                .onType(TypeReference.of("org.postgresql.jdbc.PgResultSet")))
        .accepts(hints);
    assertThat(RuntimeHintsPredicates.resource().forResource("dev/larder/jdbc/version.properties"))
        .accepts(hints);
    assertThat(
            RuntimeHintsPredicates.resource().forResource("dev/larder/spring/console/console.html"))
        .accepts(hints);
  }
}
