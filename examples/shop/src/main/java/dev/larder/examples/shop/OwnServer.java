package dev.larder.examples.shop;

import dev.larder.testing.EmbeddedServers;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * A server of the shop's own, gone when the application ends. With {@code shop.own-server=false}
 * there is none, and the database is where Spring Boot finds it.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnBooleanProperty(name = "shop.own-server", matchIfMissing = true)
class OwnServer {
  @Bean(destroyMethod = "close")
  static EmbeddedPostgres server() throws IOException {
    return EmbeddedServers.start(EmbeddedServers.builder());
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
}
