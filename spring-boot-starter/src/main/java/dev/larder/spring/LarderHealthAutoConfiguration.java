package dev.larder.spring;

import org.springframework.boot.actuate.autoconfigure.health.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.actuate.health.Health;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;

/** The caches in the health of an application with Spring Boot 3. */
@AutoConfiguration(after = LarderAutoConfiguration.class)
@ConditionalOnClass(
    name =
        "org.springframework.boot.actuate.autoconfigure.health.ConditionalOnEnabledHealthIndicator")
@ConditionalOnEnabledHealthIndicator("larder")
public class LarderHealthAutoConfiguration {
  @Bean
  static HealthIndicator larderHealthIndicator() {
    return () -> Health.up().withDetails(CacheHealth.details()).build();
  }
}
