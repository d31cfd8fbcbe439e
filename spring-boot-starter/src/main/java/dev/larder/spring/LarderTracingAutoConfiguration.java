package dev.larder.spring;

import dev.larder.jdbc.LarderDriver;
import io.micrometer.observation.ObservationRegistry;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;

/** Hits in spans, where they are wanted. */
@AutoConfiguration(
    after = LarderAutoConfiguration.class,
    afterName = {
      "org.springframework.boot.actuate.autoconfigure.observation.ObservationAutoConfiguration",
      "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration"
    })
@ConditionalOnClass({LarderDriver.class, ObservationRegistry.class})
@ConditionalOnBean(ObservationRegistry.class)
@ConditionalOnProperty("larder.tracing.enabled")
public class LarderTracingAutoConfiguration {
  @Bean
  static HitEvents larderHitEvents(ObservationRegistry registry) {
    return new HitEvents(registry);
  }
}
