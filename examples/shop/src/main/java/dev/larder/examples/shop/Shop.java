package dev.larder.examples.shop;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;

/** The application. {@link OwnServer} says where its database is. */
@SpringBootApplication
@EnableScheduling
public class Shop {
  /** Runs the shop until it is interrupted. */
  public static void main(String[] arguments) {
    Environment environment = SpringApplication.run(Shop.class, arguments).getEnvironment();
    String shop = "http://127.0.0.1:" + environment.getProperty("local.server.port");
    System.out.printf(
        """

        The shop is open, and somebody looks around in it all the time.

          %1$s/larder   the console: anna, secret
          curl -u anna:secret %1$s/actuator/larder   the endpoint: the counts
          curl %1$s/products/1                       one product
          curl -X POST %1$s/products/1/orders        its stock is one less at once
          curl %1$s/products/1                       look again, so that the cache has it
          curl -X POST %1$s/nightly-job              raises prices past the cache
          curl %1$s/products/1                       the old price, for some seconds
          curl -X POST '%1$s/nightly-job?tell=true'  raises them and says so
          curl %1$s/products/1                       the new price at once

        Ctrl+C closes it.
        """,
        shop);
  }

  /** Everybody may shop; the console and the endpoint ask for a login. */
  @Bean
  static SecurityFilterChain security(HttpSecurity http) throws Exception {
    return http.authorizeHttpRequests(
            requests ->
                requests
                    .requestMatchers("/larder/**", "/actuator/**")
                    .hasRole("ADMIN")
                    .anyRequest()
                    .permitAll())
        .csrf(
            csrf ->
                csrf.ignoringRequestMatchers("/products/**", "/nightly-job", "/actuator/larder/**"))
        .formLogin(Customizer.withDefaults())
        .httpBasic(Customizer.withDefaults())
        .build();
  }
}
