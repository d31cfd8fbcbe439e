package dev.larder.spring;

import dev.larder.jdbc.LarderDriver;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** The endpoint, where it is exposed. */
@AutoConfiguration(after = LarderAutoConfiguration.class)
@ConditionalOnClass({LarderDriver.class, ConditionalOnAvailableEndpoint.class})
@ConditionalOnAvailableEndpoint(endpoint = LarderEndpoint.class)
public class LarderEndpointAutoConfiguration {
  @Bean
  @ConditionalOnMissingBean
  static LarderEndpoint larderEndpoint() {
    return new LarderEndpoint();
  }
}
