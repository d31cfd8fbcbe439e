package dev.larder.spring;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;

/** The caches in the health of an application with Spring Boot 4. */
@AutoConfiguration(after = LarderAutoConfiguration.class)
@ConditionalOnClass(
    name =
        "org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator")
@ConditionalOnEnabledHealthIndicator("larder")
public class LarderHealth4AutoConfiguration {
  @Bean
  static HealthIndicator larderHealthIndicator() {
    return () -> Health.up().withDetails(CacheHealth.details()).build();
  }
}
