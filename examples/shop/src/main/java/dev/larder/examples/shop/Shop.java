package dev.larder.examples.shop;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;

/** The application. Its database is a server of its own, gone when the application ends. */
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

          %1$s/larder                  the console: anna, secret
          curl %1$s/products/7         one product
          curl -X POST %1$s/products/7/orders       its stock is one less at once
          curl -X POST %1$s/nightly-job             raises prices past the cache: look at product 7
          curl -X POST '%1$s/nightly-job?tell=true' raises them and says so

        Ctrl+C closes it.
        """,
        shop);
  }

  @Bean(destroyMethod = "close")
  static EmbeddedPostgres server() throws IOException {
    return EmbeddedPostgres.builder().setPGStartupWait(java.time.Duration.ofMinutes(1)).start();
  }

  /** Says where the database is, as Docker Compose or Testcontainers would. */
  @Bean
  static JdbcConnectionDetails connectionDetails(EmbeddedPostgres server) {
    return new JdbcConnectionDetails() {
      @Override
      public String getJdbcUrl() {
        return "jdbc:postgresql://127.0.0.1:" + server.getPort() + "/postgres";
      }

      @Override
      public String getUsername() {
        return "postgres";
      }

      @Override
      public String getPassword() {
        return "";
      }
    };
  }

  /** Everybody may shop; the console asks for a login. */
  @Bean
  static SecurityFilterChain security(HttpSecurity http) throws Exception {
    return http.authorizeHttpRequests(
            requests ->
                requests.requestMatchers("/larder/**").hasRole("ADMIN").anyRequest().permitAll())
        .csrf(csrf -> csrf.ignoringRequestMatchers("/products/**", "/nightly-job"))
        .formLogin(Customizer.withDefaults())
        .httpBasic(Customizer.withDefaults())
        .build();
  }
}
