package dev.larder.spring;

import static dev.larder.spring.ShopDatabase.asHit;
import static dev.larder.spring.ShopDatabase.asMiss;
import static dev.larder.spring.ShopDatabase.untilHit;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.testcontainers.service.connection.ServiceConnection;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.testcontainers.containers.PostgreSQLContainer;
import org.testcontainers.utility.DockerImageName;

/** The database is a container that Spring Boot connects to, and no URL is written anywhere. */
@Tag("docker")
@SpringBootTest(
    classes = {Shop.class, ServiceConnectionTest.Containers.class},
    webEnvironment = SpringBootTest.WebEnvironment.NONE,
    properties = {
      "larder.enabled=true",
      "larder.writers=this-jvm",
      "spring.flyway.baseline-on-migrate=true",
      "spring.flyway.baseline-version=0"
    })
class ServiceConnectionTest {
  @Configuration(proxyBeanMethods = false)
  static class Containers {
    @Bean
    @ServiceConnection
    @SuppressWarnings("deprecation") // Testcontainers 2 has another, 1 only this one.
    static PostgreSQLContainer<?> postgres() {
      return new PostgreSQLContainer<>(
          DockerImageName.parse(System.getProperty("postgres.image"))
              .asCompatibleSubstituteFor("postgres"));
    }
  }

  private final HikariDataSource pool;
  private final Shop.Till till;

  @Autowired
  ServiceConnectionTest(HikariDataSource pool, Shop.Till till) {
    this.pool = pool;
    this.till = till;
  }

  @Test
  void readsHitAndWritesInvalidate() throws Exception {
    assertThat(pool.getJdbcUrl()).startsWith("jdbc:larder:postgresql:");
    untilHit(pool, () -> till.price(1));
    till.reprice(1, "7.50");
    assertThat(asMiss(pool, () -> till.price(1))).isEqualByComparingTo("7.50");
    assertThat(asHit(pool, () -> till.price(1))).isEqualByComparingTo("7.50");
  }
}
