package dev.larder.spring;

import dev.larder.jdbc.LarderDriver;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.core.env.Environment;

/** Makes Larder's URLs work wherever Spring Boot takes one, and puts Larder below other pools. */
@AutoConfiguration
@ConditionalOnClass({LarderDriver.class, DataSource.class})
@EnableConfigurationProperties({
  LarderProperties.DataSources.class,
  LarderProperties.Console.class,
  LarderProperties.Tracing.class
})
@ImportRuntimeHints(LarderRuntimeHints.class)
public class LarderAutoConfiguration {
  /** Names the driver where the URL is Larder's. */
  @Bean
  static DriverClassDefaults larderDriverClassDefaults() {
    return new DriverClassDefaults();
  }

  /** Shows every data source to the installation. */
  @Bean
  static InstallingPostProcessor larderInstallingPostProcessor(
      ConfigurableListableBeanFactory beans,
      ObjectProvider<Installation> installation,
      ObjectProvider<LarderSettings> settings) {
    return new InstallingPostProcessor(beans, installation, settings);
  }

  /** Has hits need no connection of a pool, where that is asked for. */
  @Bean
  static LazyPostProcessor larderLazyPostProcessor(
      ConfigurableListableBeanFactory beans, ObjectProvider<LarderSettings> settings) {
    return new LazyPostProcessor(beans, settings);
  }

  @Bean
  static LarderSettings larderSettings(
      LarderProperties.DataSources dataSources, Environment environment) {
    return new LarderSettings(OptionProperties.common(environment), dataSources);
  }

  @Bean
  static Installation larderInstallation(LarderSettings settings) {
    return new Installation(settings);
  }
}
