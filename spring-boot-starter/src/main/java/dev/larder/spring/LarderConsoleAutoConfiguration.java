package dev.larder.spring;

import dev.larder.jdbc.LarderDriver;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.ServerResponse;

/** The console, in an application with Spring MVC that wants it. */
@AutoConfiguration(after = LarderAutoConfiguration.class)
@ConditionalOnClass({LarderDriver.class, RouterFunction.class})
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnProperty("larder.console.enabled")
public class LarderConsoleAutoConfiguration {
  @Bean
  static ConsoleHistory larderConsoleHistory() {
    return new ConsoleHistory();
  }

  @Bean
  static RouterFunction<ServerResponse> larderConsole(
      LarderProperties.Console settings, ConsoleHistory history) {
    return new Console(new ConsoleGuard(settings), history).routes();
  }
}
