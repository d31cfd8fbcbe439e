package dev.larder.spring;

import dev.larder.jdbc.LarderDriver;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;

/** The meters, which Spring Boot binds to the registries that there are. */
@AutoConfiguration(after = LarderAutoConfiguration.class)
@ConditionalOnClass({LarderDriver.class, MeterBinder.class})
public class LarderMetricsAutoConfiguration {
  @Bean
  static CacheMeters larderCacheMeters() {
    return new CacheMeters();
  }
}
